//go:build !linux

package fakenet

import (
	"context"
	"errors"
	"net"
	"os"
)

// Sink cannot exist here; its methods keep the callers portable.
type Sink struct{}

// New always fails: there is no sandbox to have a network.
func New(context.Context, *os.File, *Options) (*Sink, error) {
	return nil, errors.New("the sandbox's network needs Linux")
}

// Listen is never called.
func (*Sink) Listen(string) net.Listener { return nil }

// Missed is never called.
func (*Sink) Missed() int64 { return 0 }

// Idle is never called.
func (*Sink) Idle(uint64, uint64) bool { return true }

// Close is never called.
func (*Sink) Close() {}
