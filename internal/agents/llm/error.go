package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Kind says what went wrong, for callers that branch and for the report.
type Kind string

// The kinds.
const (
	KindAsk        Kind = "ask"        // the ask makes no sense: our mistake
	KindKey        Kind = "key"        // the provider does not accept the key
	KindRefused    Kind = "refused"    // the provider refuses the request
	KindRate       Kind = "rate-limit" // too many requests, or nothing left to spend
	KindServer     Kind = "server"     // the provider failed
	KindConnection Kind = "connection" // it could not be reached, or broke off
	KindTimeout    Kind = "timeout"    // it took too long
	KindReply      Kind = "reply"      // its answer makes no sense
	KindSize       Kind = "size"       // its answer is too large
	KindBudget     Kind = "budget"     // the budget is used up; nothing was asked
	KindRecord     Kind = "record"     // the record has no answer, or cannot be written
	KindCancelled  Kind = "cancelled"  // the caller did not want to wait
)

// Sentinels for [errors.Is].
var (
	// ErrBudget: nothing was asked, because the budget is used up.
	ErrBudget = errors.New("the budget is used up")
	// ErrNotRecorded: a replay was asked what its record does not have.
	ErrNotRecorded = errors.New("the record has no answer")
)

// Error is why there is no reply, in one line.
type Error struct {
	Kind    Kind   `json:"kind"`
	Status  int    `json:"status,omitempty"` // of HTTP
	Message string `json:"message"`
	// Usage is what was spent all the same.
	Usage Usage `json:"usage,omitzero"`
	Tries int   `json:"tries,omitempty"`

	err   error
	said  string        // what the provider said, for [fit]
	param string        // the parameter it named
	final bool          // trying again does not help
	after time.Duration // how long it asked to wait
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.err }

// Is makes errors that came out of a record equal to those that went in.
func (e *Error) Is(target error) bool {
	return target == ErrBudget && e.Kind == KindBudget
}

func failf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// asError is err, or what it wraps, as an [*Error].
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return nil
}

// kindOf says what a status of HTTP means.
func kindOf(status int) Kind {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return KindKey
	case status == http.StatusTooManyRequests:
		return KindRate
	case status == http.StatusRequestTimeout || status >= http.StatusInternalServerError:
		return KindServer
	}
	return KindRefused
}

// passing tells failures that may be over a moment later.
func (e *Error) passing() bool {
	switch e.Kind {
	case KindRate, KindServer, KindConnection, KindTimeout:
		return !e.final
	}
	return false
}

// clean makes text of a provider safe to print within an error.
func clean(s string) string {
	const most = 400
	return safetext.Line(s, most)
}
