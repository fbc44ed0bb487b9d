package digest

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// CommonName is the name that an advisory has in the list that all others refer
// to, "" if it has none there or that is its own.
func CommonName(a *mcpsf.Advisory) string {
	if i := slices.IndexFunc(a.Aliases, func(s string) bool { return strings.HasPrefix(s, "CVE-") && s != a.ID }); i >= 0 {
		return a.Aliases[i]
	}
	return ""
}

// FixedIn is the lowest version that fixes an advisory, "" if there is none.
func FixedIn(a *mcpsf.Advisory) string {
	if len(a.Fixed) == 0 {
		return ""
	}
	return a.Fixed[0]
}
