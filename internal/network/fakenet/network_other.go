//go:build !linux

package fakenet

import (
	"context"
	"errors"
	"net"
	"os"
)

// Network cannot exist on this system; its methods keep the callers portable.
type Network struct{}

// New always fails, because there is no sandbox on this system.
func New(context.Context, *os.File, *Options) (*Network, error) {
	return nil, errors.New("the sandbox's network needs Linux")
}

// Listen is never called.
func (*Network) Listen(string) net.Listener { return nil }

// Missed is never called.
func (*Network) Missed() int64 { return 0 }

// Idle is never called.
func (*Network) Idle(uint64, uint64) bool { return true }

// Close is never called.
func (*Network) Close() {}
