package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// busyLoop is the argument with which this program starts itself to keep a
// processor busy.
const busyLoop = "busy-loop"

// spin works for nothing until whoever started it is gone.
func spin() {
	for parent := os.Getppid(); os.Getppid() == parent; {
		for range 100_000_000 {
			continue
		}
	}
}

// beside calls do while so many busy loops run, and ends these.
func beside(ctx context.Context, loops int, do func() error) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range loops {
		loop := exec.CommandContext(ctx, self, busyLoop)
		if err := loop.Start(); err != nil {
			return fmt.Errorf("starting a busy loop: %w", err)
		}
		defer func() { err = errors.Join(err, end(loop)) }()
	}
	return do()
}

// end ends a busy loop, and says if it had ended before: then there was less
// load than asked for.
func end(loop *exec.Cmd) error {
	if err := loop.Process.Kill(); err != nil {
		return fmt.Errorf("a busy loop: %w", err)
	}
	err := loop.Wait()
	var killed *exec.ExitError
	if errors.As(err, &killed) && !killed.Exited() {
		return nil
	}
	return errors.Join(fmt.Errorf("a busy loop ended by itself: %s", loop.ProcessState), err)
}
