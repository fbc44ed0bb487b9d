package digest

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// CommonName returns the CVE name of an advisory, "" if it has none or that is
// its id.
func CommonName(a *mcpsf.Advisory) string {
	if i := slices.IndexFunc(a.Aliases, func(s string) bool { return strings.HasPrefix(s, "CVE-") && s != a.ID }); i >= 0 {
		return a.Aliases[i]
	}
	return ""
}

// FixedIn returns the lowest version that fixes an advisory, "" if there is none.
func FixedIn(a *mcpsf.Advisory) string {
	if len(a.Fixed) == 0 {
		return ""
	}
	return a.Fixed[0]
}
