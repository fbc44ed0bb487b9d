package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	// preamble is what libraries write before the message of a tool.
	preamble = lazyregexp.New(`^(?:(?:MCP )?error -?\d+: |Error executing tool [\w.-]+: |(?:Value)?Error: |error: |Sorry,? (?:but )?|Invalid (?:arguments|params|input)(?: for tool [\w.-]+)?: )+`)
	// firstWord names the parameter before the rest of the message.
	firstWord = lazyregexp.New("^[\"'`]?([A-Za-z_][\\w-]*)[\"'`]?(?:: | (?:is|must|should|has|have|needs?|can(?:not)?|takes?|wants?|expects?) )")
)

// Naming gives the wishes of a text to the parameter with which it begins, of those that a
// tool has: "name: documents end in .md, like agenda.md", "workspace is the part before the
// dot, such as acme". A wish that names another parameter, or is about something else, stays
// as it is.
func Naming(text string, parameters []string, wishes []mcpsf.Wish) []mcpsf.Wish {
	m := firstWord.FindStringSubmatch(preamble.ReplaceAllString(unwrap(strings.TrimSpace(text)), ""))
	if m == nil || !slices.Contains(parameters, m[1]) {
		return wishes
	}
	out := slices.Clone(wishes)
	for i := range out {
		w := &out[i]
		elsewhere := w.Loose || w.Output || w.Kind == mcpsf.WishFirst || w.Kind == mcpsf.WishResult || w.Kind == mcpsf.WishOneMember || w.Kind == mcpsf.WishMissing
		if !elsewhere && (len(w.Path) == 0 || len(w.Path) == 1 && !slices.Contains(parameters, w.Path[0])) {
			w.Path = []string{m[1]}
		}
	}
	return out
}
