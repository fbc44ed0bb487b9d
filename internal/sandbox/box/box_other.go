//go:build !linux

package box

import (
	"context"
	"io"
	"os"
	"syscall"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Box cannot exist here; its methods keep the callers portable.
type Box struct{}

// Dispatch does nothing: no process is started in another role.
func Dispatch() {}

// Start always fails: gVisor needs Linux.
func Start(context.Context, *Options) (*Box, error) {
	return nil, &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: "the local sandbox needs Linux; run mcpsf in a Linux virtual machine or container",
	}
}

// Link is never called.
func (*Box) Link() *os.File { return nil }

// Exported is never called.
func (*Box) Exported() error { return nil }

// Stdin is never called.
func (*Box) Stdin() io.WriteCloser { return nil }

// Stdout is never called.
func (*Box) Stdout() io.Reader { return nil }

// Stderr is never called.
func (*Box) Stderr() io.Reader { return nil }

// PortForward is never called.
func (*Box) PortForward() *PortForward { return nil }

// Carrier is never called.
func (*Box) Carrier() wire.Carrier { return wire.Carrier{} }

// ServeLocal is never called.
func (*Box) ServeLocal([]uint16) {}

// Clock is never called.
func (*Box) Clock() *Clock { return nil }

// Signal is never called.
func (*Box) Signal(context.Context, syscall.Signal) error { return nil }

// Done is never called.
func (*Box) Done() <-chan struct{} { return nil }

// Exit is never called.
func (*Box) Exit() Exit { return Exit{} }

// Each is never called.
func (*Box) Each(context.Context, func(*wire.Record) error) error { return nil }

// Totals is never called.
func (*Box) Totals() wire.Totals { return wire.Totals{} }

// Settled is never called.
func (*Box) Settled() bool { return true }

// Stop is never called.
func (*Box) Stop() error { return nil }

// Status is never called.
func (*Box) Status(string) mcpsf.SandboxStatus { return mcpsf.SandboxStatus{} }

// Held is never called.
func (*Box) Held() []mcpsf.LimitStatus { return nil }

// Clock cannot exist here, either.
type Clock struct{}

// Now is never called.
func (*Clock) Now() int64 { return 0 }

// Advanced is never called.
func (*Clock) Advanced() int64 { return 0 }

// AdvanceTo is never called.
func (*Clock) AdvanceTo(int64) {}

// JumpTo is never called.
func (*Clock) JumpTo(int64) {}

// Activity is never called.
func (*Clock) Activity() (activity, sent, received uint64) { return 0, 0, 0 }

// HandledUpTo is never called.
func (*Clock) HandledUpTo(uint64) {}

func removeCgroups(string) bool { return true }

// Checks has nothing to check here.
func Checks(context.Context) []Check {
	return []Check{{Name: "sandbox", Detail: "the local sandbox needs Linux", Fix: "run mcpsf in a Linux virtual machine or container"}}
}

// Freeze is never called.
func Freeze(context.Context, *Box) (*Snapshot, error) { return nil, nil }
