// Package part is the vocabulary of the readers of manifests, lock files and
// installed trees: a package as one file lists it, its dependencies, and the
// collector that all readers write into.
package part

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ID identifies a package.
type ID struct {
	// Ecosystem is its OSV name.
	Ecosystem, Name, Version string
	// Arch, Distro and Source are for packages of an operating system: Source
	// is the name of the source package, if it differs, and its version after
	// an "@", if that differs.
	Arch, Distro, Source string
}

// Part is a package as one file lists it.
type Part struct {
	ID

	// Wanted is the required range if no version is known.
	Wanted            string
	Licences, Digests []string
	// From is its origin, if that is not a registry.
	From string
	// File lists it, Also has other files that list the same.
	File string
	Also []string
	// Installed is set if its files are there; Dirs are their directories, and
	// single files.
	Installed bool
	Dirs      []string
	// Own is set for parts of the server itself: its package, the members of
	// its workspace. Their dependencies are the server's direct ones.
	Own bool
	// Dev is set if the file says that it is for development only.
	Dev bool
	// Needs are its dependencies, DevNeeds those for development.
	Needs, DevNeeds []*Part
	// Cut is set if it has more dependencies than are kept.
	Cut bool
}

// Bounds of the contents of a file.
// gap: source-not-read
const (
	maxName    = 300
	maxVersion = 200
	maxDigests = 64
	maxLicence = 200
	// MaxNeeds bounds the dependencies of one package.
	MaxNeeds = 5_000
	// MaxPath bounds lock file keys that are paths.
	MaxPath = 1_000
	// MaxVersions bounds the versions that one name in a lock file can have.
	MaxVersions = 16
)

// Need adds dependencies. It ignores nil, so that the result of a search can be
// passed on.
func (p *Part) Need(dev bool, others ...*Part) {
	if p == nil {
		return
	}
	list := &p.Needs
	if dev {
		list = &p.DevNeeds
	}
	for _, other := range others {
		if len(*list) >= MaxNeeds {
			p.Cut = true
			return
		}
		if other != nil && other != p {
			*list = append(*list, other)
		}
	}
}

// Tell adds a file that lists the part.
func (p *Part) Tell(file string) {
	if p != nil && file != p.File && !slices.Contains(p.Also, file) {
		p.Also = append(p.Also, file)
	}
}

// plain reports whether a text can be a name or a version: short, visible,
// without blanks.
func plain(s string, limit int) bool {
	return len(s) <= limit && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError
	})
}

// clean turns any text into a short line that is safe to print.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit {
		return strings.Clone(s)
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
