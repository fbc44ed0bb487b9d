package paths

import (
	"path"
	"slices"
	"strings"
)

// Incidental knows what reading leaves behind: git refreshes its index,
// databases have their journals, Python and others their caches.
func Incidental(p string) bool {
	base := path.Base(p)
	return slices.ContainsFunc(known().IncidentalParts, func(part string) bool { return strings.Contains(p, part) }) ||
		slices.ContainsFunc(known().IncidentalEndings, func(end string) bool { return strings.HasSuffix(base, end) }) ||
		strings.HasPrefix(base, ".~lock")
}
