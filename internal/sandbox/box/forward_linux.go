package box

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// newPortForward also returns the end for the sandbox's kernel.
func newPortForward() (*PortForward, *os.File, error) {
	const buffer = 1 << 20
	pair, err := packets(buffer)
	if err != nil {
		return nil, nil, fmt.Errorf("making the port forward: %w", err)
	}
	inside := os.NewFile(uintptr(pair[1]), "forward")
	if err := unix.SetNonblock(pair[0], true); err != nil { // otherwise a close would not end a blocked read
		return nil, nil, errors.Join(fmt.Errorf("making the port forward: %w", err), unix.Close(pair[0]), inside.Close())
	}
	p := &PortForward{file: os.NewFile(uintptr(pair[0]), "forward"), conns: map[uint32]*ForwardConn{}, done: make(chan struct{})}
	go p.listen()
	return p, inside, nil
}
