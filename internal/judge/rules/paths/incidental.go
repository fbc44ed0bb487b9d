package paths

import (
	"path"
	"slices"
	"strings"
)

// Incidental tells whether a file is written as a side effect of reading: git's
// index, database journals, caches of Python and others.
func Incidental(p string) bool {
	base := path.Base(p)
	return slices.ContainsFunc(known().IncidentalParts, func(part string) bool { return strings.Contains(p, part) }) ||
		slices.ContainsFunc(known().IncidentalEndings, func(end string) bool { return strings.HasSuffix(base, end) }) ||
		strings.HasPrefix(base, ".~lock")
}
