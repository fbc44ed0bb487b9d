package job

import (
	"errors"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// NoRoom is the problem of a job that failed because a disk is full, nil for other
// errors.
func NoRoom(err error) *Problem {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	return &Problem{Code: mcpsf.CodeUnavailable, Message: "the disk of the worker is full; its operator has to free some space"}
}
