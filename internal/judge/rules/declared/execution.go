package declared

import (
	"bytes"
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// NamesCommand tells whether the name of an argument says that its value is a
// command.
func NamesCommand(name string) bool { return slices.ContainsFunc(lex.Words(name), meansExecution) }

// MayNameCommand tells quickly whether the parameters of a call can have such an
// argument.
func MayNameCommand(params []byte) bool {
	params = bytes.ToLower(params[:min(len(params), lex.MaxParams)])
	for word := range known().Execution {
		if bytes.Contains(params, []byte(word)) {
			return true
		}
	}
	return false
}
