package pause

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := For(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("waited %v: %v", time.Since(began), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(why) })
		if err := For(ctx, time.Hour); !errors.Is(err, why) {
			t.Errorf("ended with %v, want the cause", err)
		}
	})
}
