// Package part is the vocabulary of the readers of manifests, lock files and
// installed trees: what one file tells of one package, what that package
// needs, and the collector that all of them write into.
package part

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ID tells packages apart.
type ID struct {
	// Ecosystem is its OSV name.
	Ecosystem, Name, Version string
	// Arch, Distro and Source are of the packages of an operating system:
	// Source is the name of the source package, where it is another, and its
	// version after an "@", where that is another.
	Arch, Distro, Source string
}

// Part is a package as one file tells of it.
type Part struct {
	ID

	// Wanted is the range that is asked for where no version is known.
	Wanted            string
	Licences, Digests []string
	// From is where it comes from, if that is not a registry.
	From string
	// File told of it, Also those that told the same.
	File string
	Also []string
	// Installed is set if its files are there, and Dirs are where: directories,
	// and files that stand alone.
	Installed bool
	Dirs      []string
	// Own is set for what belongs to the server itself: its package, the
	// members of its workspace. What these need it asks for itself.
	Own bool
	// Dev is set if the file says that it is for development only.
	Dev bool
	// Needs are the packages it asks for, DevNeeds those for development.
	Needs, DevNeeds []*Part
	// Cut is set if it asks for more than is kept.
	Cut bool
}

// How much of what a file says counts.
const (
	maxName    = 300
	maxVersion = 200
	maxDigests = 64
	maxLicence = 200
	// MaxNeeds bounds what one package can ask for.
	MaxNeeds = 5_000
	// MaxPath bounds the keys of lock files that are paths.
	MaxPath = 1_000
	// MaxVersions bounds the versions of one package that a name in one lock
	// file can mean.
	MaxVersions = 16
)

// Need adds what the part asks for. Nil is ignored, so that the result of a
// search can be handed on.
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

// Tell adds a file that told of the part.
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

// clean makes a line of any text that is safe to print and not long.
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
