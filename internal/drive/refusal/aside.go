package refusal

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// inAside is a list of the values that are there, which a text puts in brackets behind what
// it says: "unknown station '1'; call find_stations first (known: 13913, 23915)".
var inAside = lazyregexp.New(`(?i) ?\((?:the )?(?:known|available|valid|existing|loaded|registered|defined|configured|there (?:is|are)|choices|options|one of|possible|allowed|supported)(?: (?:ones|values|names|ids|are|is)){0,2}:? ([^()\n]{1,400})\)`)

// noneThere is what stands there if there is none.
var noneThere = lazyregexp.New(`(?i)^(?:none|nothing|empty|no\b|not\b|-)`)

// aside reads such a list, and returns the text without it.
func (r *reader) aside(text string) string {
	at := inAside.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	list, rest := text[at[2]:at[3]], text[:at[0]]+text[at[1]:]
	about, ok := complaint(text[:at[0]])
	if !ok {
		about = r.about
	}
	if noneThere.MatchString(list) || len(about.path) == 0 && about.value == "" {
		return rest
	}
	accepted := values(list)
	if len(accepted) == 0 {
		return text
	}
	r.add(mcpsf.Wish{Kind: mcpsf.WishOneOf, Path: about.path, Value: about.value, Accepted: accepted})
	return rest
}
