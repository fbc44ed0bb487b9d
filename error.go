package mcpsf

import "errors"

// Code says what kind of failure an [Error] is, for callers that branch.
type Code string

// The codes.
const (
	// CodeUsage: the request cannot be fulfilled as given; the user can fix it.
	CodeUsage Code = "usage"
	// CodeUnavailable: this machine cannot do it.
	CodeUnavailable Code = "unavailable"
	// CodeInternal: mcpsf failed.
	CodeInternal Code = "internal"
)

// Error is a failure of ours, said in one line that tells what to do.
// Misbehaviour of the target is never an Error; it is an [Event].
type Error struct {
	Code    Code
	Message string
	Err     error
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code of the first [Error] in err's chain, and
// [CodeInternal] for every other error.
func ErrorCode(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}
