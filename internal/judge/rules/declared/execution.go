package declared

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// NamesCommand tells whether the name of an argument says that its value is a
// command.
func NamesCommand(name string) bool { return slices.ContainsFunc(lex.Words(name), meansExecution) }
