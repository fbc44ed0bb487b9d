package digest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Static tells a finding about what was read from one about what happened.
func Static(f *mcpsf.Finding) bool { return len(f.Evidence) == 0 && (f.File != "" || f.Package != "") }

// InPackage is the path of a file as it is below the package. What was installed
// for it is read beside it, under a name of our own.
func InPackage(name string) string {
	work := strings.TrimPrefix(mcpsf.WorkDir, mcpsf.Home) + "/"
	for _, place := range []string{".installed", "installed"} {
		if rest, ok := strings.CutPrefix(name, place+work); ok {
			return rest
		}
	}
	return name
}

// Places are those of findings that did not happen in the run, each once.
func (b Block) Places() []string {
	var all []string
	for i := range b {
		if place := Place(&b[i]); Static(&b[i]) && !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	return all
}

// Place names what of the package a static finding is about.
func Place(f *mcpsf.Finding) string {
	place := cmp.Or(InPackage(f.File), f.Package)
	if f.File != "" && f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	return place
}
