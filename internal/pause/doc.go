// Package pause waits.
//
// In: a context and a duration.
//
// Out: nil when the time is over, or the reason why the context ended.
//
// Never: outlive the context.
package pause

import (
	"context"
	"time"
)

// For waits for a time, or until the context ends.
func For(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
