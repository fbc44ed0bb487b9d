package digest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Static tells whether a finding comes from reading the package and not from the run.
func Static(f *mcpsf.Finding) bool { return len(f.Evidence) == 0 && (f.File != "" || f.Package != "") }

// InPackage returns the path of a file relative to the package. Its dependencies
// are stored beside it under a name of our own.
func InPackage(name string) string {
	work := strings.TrimPrefix(mcpsf.WorkDir, mcpsf.Home) + "/"
	for _, place := range []string{".installed", "installed"} {
		if rest, ok := strings.CutPrefix(name, place+work); ok {
			return rest
		}
	}
	return name
}

// Places returns the places of static findings, each once.
func (b Block) Places() []string {
	var all []string
	for i := range b {
		if place := Place(&b[i]); Static(&b[i]) && !slices.Contains(all, place) {
			all = append(all, place)
		}
	}
	return all
}

// Place names the part of the package that a static finding is about.
func Place(f *mcpsf.Finding) string {
	place := cmp.Or(InPackage(f.File), f.Package)
	if f.File != "" && f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	return place
}
