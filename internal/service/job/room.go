package job

import (
	"errors"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// NoRoom is what becomes of a job that failed because a disk is full, nil if
// the error is another one.
func NoRoom(err error) *Problem {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	return &Problem{Code: mcpsf.CodeUnavailable, Message: "the worker's disk is full: there is no room left to do this job; its operator has to make some"}
}
