package program

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Exit codes. Scripts rely on them.
const (
	ExitOK           = 0
	ExitFindings     = 1
	ExitUsage        = 2
	ExitInconclusive = 3
	ExitFailure      = 4
)

// Outcome is returned by a command that worked but whose result has its own
// exit code.
type Outcome struct{ Code int } //nolint:errname // it is no failure

func (o *Outcome) Error() string { return fmt.Sprintf("exit %d", o.Code) }

// Usage is an error in what the user typed.
func Usage(err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: err.Error()}
}

// ExitCode is the one place that turns an error into a message and a code.
func (p *Program) ExitCode(ctx context.Context, err error) int {
	if err == nil {
		return ExitOK
	}
	if o, ok := errors.AsType[*Outcome](err); ok {
		return o.Code
	}
	if ctx.Err() != nil {
		fmt.Fprintln(p.Stderr, "mcpsf: interrupted; the sandbox and everything in it was removed")
		return ExitFailure
	}
	fmt.Fprintln(p.Stderr, "mcpsf: "+safetext.Clean(p.Secrets.Hide(err.Error())))
	if _, ok := errors.AsType[*mcpsf.Error](err); !ok && isCobraUsage(err) {
		return ExitUsage
	}
	switch mcpsf.ErrorCode(err) {
	case mcpsf.CodeUsage:
		return ExitUsage
	default:
		return ExitFailure
	}
}

// isCobraUsage recognises cobra's untyped error about a wrong number of
// arguments.
func isCobraUsage(err error) bool {
	for _, prefix := range []string{"accepts ", "requires at least", "invalid argument"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
}
