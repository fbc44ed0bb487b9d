package programs

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Programs that fetch or decode something, and programs that run their input.
const (
	fetches = `(?:curl|wget|fetch|base64\s+(?:-d|-D|--decode))\b`
	runs    = `(?:sudo\s+|env\s+)*(?:/[a-z/]*/)?(?:(?:ba|da|z|k)?sh|node|python3?|perl|ruby)\b`
)

// runsFetched matches command lines in which the output of the first is the input of
// the second: "curl ... | sh", "bash <(curl ...)", "eval $(base64 -d ...)".
var runsFetched = lazyregexp.New(
	fetches + `[^|;&]*\|\s*` + runs + `(?:\s+-s\b|(?:\s+-(?:[^cem\s]\S*)?)*\s*(?:$|[;&|)"']))` +
		`|(?:` + runs + `(?:\s+-\S+)*|eval|source|\.)\s+["']?(?:<\(|\$\(|` + "`" + `)[^)]*` + fetches)

// PipesDownloadToShell tells whether a shell is to run what it gets from elsewhere.
func PipesDownloadToShell(program string, args []string) bool {
	return IsShell(program, args) && slices.ContainsFunc(args, func(line string) bool {
		return runsFetched.MatchString(strings.ReplaceAll(quote.Cut(line, lex.MaxPath), "\n", ";"))
	})
}
