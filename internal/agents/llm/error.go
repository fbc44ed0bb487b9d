package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Kind is the kind of failure, for callers that branch and for the report.
type Kind string

// The kinds.
const (
	KindAsk        Kind = "ask"        // the ask is invalid: our mistake
	KindKey        Kind = "key"        // the provider rejects the key
	KindRefused    Kind = "refused"    // the provider rejects the request
	KindRate       Kind = "rate-limit" // too many requests, or no credit left
	KindServer     Kind = "server"     // the provider failed
	KindConnection Kind = "connection" // no connection, or it broke off
	KindTimeout    Kind = "timeout"    // it took too long
	KindReply      Kind = "reply"      // the answer is invalid
	KindSize       Kind = "size"       // the answer is too large
	KindBudget     Kind = "budget"     // the budget is used up; nothing was sent
	KindRecord     Kind = "record"     // the record has no answer, or cannot be written
	KindCancelled  Kind = "cancelled"  // the caller cancelled
)

// Sentinels for [errors.Is].
var (
	// ErrBudget: nothing was sent, because the budget is used up.
	ErrBudget = errors.New("the budget is used up")
	// ErrNotRecorded: the record of a replay lacks this ask.
	ErrNotRecorded = errors.New("the record has no answer")
)

// Error is why there is no reply, in one line.
type Error struct {
	Kind    Kind   `json:"kind"`
	Status  int    `json:"status,omitempty"` // of HTTP
	Message string `json:"message"`
	// Usage is what was spent nevertheless.
	Usage Usage `json:"usage,omitzero"`
	Tries int   `json:"tries,omitempty"`

	err   error
	said  string        // the provider's message, for [fit]
	param string        // the parameter it named
	final bool          // a retry does not help
	after time.Duration // how long the provider asked to wait
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.err }

// Is makes an error read from a record equal to the original.
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

// kindOf is the kind of an HTTP status.
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

// passing says whether a retry may succeed.
func (e *Error) passing() bool {
	switch e.Kind {
	case KindRate, KindServer, KindConnection, KindTimeout:
		return !e.final
	}
	return false
}

// clean makes a provider's text safe to print in an error.
func clean(s string) string {
	// no gap: bounds the conversation with a model; a failed ask is reported
	const most = 400
	return safetext.Line(s, most)
}
