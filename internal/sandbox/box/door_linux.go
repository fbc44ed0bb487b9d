package box

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// newDoor also returns the end that the sandbox's kernel gets.
func newDoor() (*Door, *os.File, error) {
	const buffer = 1 << 20
	pair, err := packets(buffer)
	if err != nil {
		return nil, nil, fmt.Errorf("making the door: %w", err)
	}
	inside := os.NewFile(uintptr(pair[1]), "door")
	if err := unix.SetNonblock(pair[0], true); err != nil { // or it could not be closed under a read
		return nil, nil, errors.Join(fmt.Errorf("making the door: %w", err), unix.Close(pair[0]), inside.Close())
	}
	d := &Door{file: os.NewFile(uintptr(pair[0]), "door"), visits: map[uint32]*Visit{}, done: make(chan struct{})}
	go d.listen()
	return d, inside, nil
}
