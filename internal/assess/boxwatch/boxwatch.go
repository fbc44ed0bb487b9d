// Package boxwatch passes the kernel's records of a sandbox to the monitor, and
// says how completely the sandbox was observed.
package boxwatch

import (
	"context"
	"syscall"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/monitor"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Observed says how completely a sandbox was observed.
type Observed struct {
	Kernel   wire.Totals    `json:"kernel"`
	Received monitor.Totals `json:"received"`
	Trouble  string         `json:"trouble,omitempty"`
	// Unsearched says that not everything was searched for canaries.
	Unsearched bool `json:"unsearched,omitempty"`
	// Gaps are the bounds that were reached in observing it.
	Gaps []mcpsf.Gap `json:"gaps,omitempty"`
}

// Watch passes every record of the kernel to the monitor. When the sandbox has
// ended it sends the result.
func Watch(ctx context.Context, running *box.Box, mon *monitor.Monitor) <-chan error {
	end := make(chan error, 1)
	go func() {
		// Reading continues after an interrupt: first the sandbox ends, then this.
		err := running.Each(context.WithoutCancel(ctx), func(r *wire.Record) error { return mon.Record(ctx, r) })
		if err != nil {
			_ = running.Signal(ctx, syscall.SIGKILL) // no sandbox may run unobserved
		}
		end <- err
	}()
	return end
}

// Trouble says why not everything was observed, "" if everything was.
func Trouble(watched error, exit *box.Exit) string {
	switch {
	case watched != nil:
		return watched.Error()
	case exit.Error != "":
		return exit.Error
	}
	return ""
}
