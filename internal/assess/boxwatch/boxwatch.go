// Package boxwatch hands what the kernel of a sandbox records to the monitor, and says how
// well the sandbox was watched.
package boxwatch

import (
	"context"
	"syscall"

	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Observed says how well a box was watched.
type Observed struct {
	Kernel   wire.Totals    `json:"kernel"`
	Received monitor.Totals `json:"received"`
	Trouble  string         `json:"trouble,omitempty"`
	// Unsearched says that not everything was searched for planted secrets.
	Unsearched bool `json:"unsearched,omitempty"`
}

// Watch hands every record of the kernel to the monitor. How that ended is sent when the
// sandbox has.
func Watch(ctx context.Context, running *box.Box, mon *monitor.Monitor) <-chan error {
	end := make(chan error, 1)
	go func() {
		// Reading goes on after an interrupt: the sandbox ends, then this.
		err := running.Each(context.WithoutCancel(ctx), func(r *wire.Record) error { return mon.Record(ctx, r) })
		if err != nil {
			_ = running.Signal(ctx, syscall.SIGKILL) // nobody watches any more
		}
		end <- err
	}()
	return end
}

// Trouble says why not everything was seen, "" if it was.
func Trouble(watched error, exit *box.Exit) string {
	switch {
	case watched != nil:
		return watched.Error()
	case exit.Error != "":
		return exit.Error
	}
	return ""
}
