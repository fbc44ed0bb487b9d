// Package lookalike finds typosquatting: names that are nearly those of
// well-known packages.
//
// It takes a name and returns the package it can be mistaken for, and why. A
// name in known.txt is never a lookalike: two legitimate projects may have
// similar names.
package lookalike

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mcpsf/mcpsf"
)

//go:embed known.txt
var known string

// Likeness is a resemblance to a well-known name.
type Likeness struct {
	// Of is the well-known package that it resembles.
	Of string
	// Why says what differs.
	Why string
	// Strong is set if the name can hardly be an accident; otherwise one letter
	// more or less can be chance.
	Strong bool
}

// no gap: no registry allows longer names
const (
	// maxName is the maximum of any registry.
	maxName = 214
	// leastForOne is the length from which a difference of one letter counts:
	// short names differ by one letter from many words.
	leastForOne = 7
)

// Finder knows the packages of the list.
type Finder struct {
	twins *strings.Replacer
	known map[string][]form // by ecosystem
}

// form is a name in the forms that are compared.
type form struct{ name, plain, shape, bare, scope, tail string }

// New reads the list.
func New() *Finder {
	f := &Finder{twins: twins(), known: map[string][]form{}}
	for line := range strings.Lines(known) {
		if ecosystem, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && ecosystem != "#" {
			f.known[ecosystem] = append(f.known[ecosystem], f.form(ecosystem, name))
		}
	}
	return f
}

func (f *Finder) form(ecosystem, name string) form {
	plain := normal(ecosystem, name)
	scope, tail := split(plain)
	return form{name: name, plain: plain, shape: f.shape(plain), bare: bare(plain), scope: scope, tail: tail}
}

// Find returns the well-known package that a name resembles.
func (f *Finder) Find(ecosystem, name string) (Likeness, bool) {
	if len(name) > maxName || !utf8.ValidString(name) {
		return Likeness{}, false
	}
	this := f.form(ecosystem, name)
	best, found := Likeness{}, false
	for _, other := range f.known[ecosystem] {
		if other.plain == this.plain {
			return Likeness{}, false
		}
		if l, ok := compare(&this, &other); ok && (!found || l.Strong && !best.Strong) {
			l.Of = other.name
			best, found = l, true
		}
	}
	return best, found
}

// normal returns a name as its registry compares it.
func normal(ecosystem, name string) string {
	name = strings.ToLower(norm.NFC.String(name))
	if ecosystem == mcpsf.EcosystemPyPI {
		return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }), "-")
	}
	return name
}

func compare(this, other *form) (Likeness, bool) {
	switch {
	case this.shape == other.shape:
		return Likeness{Why: "it is written with letters that look alike", Strong: true}, true
	case this.bare == other.bare:
		return Likeness{Why: "it differs in hyphens and the like only", Strong: true}, true
	case other.scope != "" && this.tail == other.tail && this.scope != "" && this.scope != other.scope && near(this.scope, other.scope):
		return Likeness{Why: "its scope is spelt nearly like that one's", Strong: true}, true
	case this.scope == other.scope && len(bare(this.tail)) >= leastForOne && near(this.tail, other.tail):
		return Likeness{Why: "one letter is another, too many or missing"}, true
	case this.scope != "" && other.scope == "" && this.tail == other.plain && strings.Contains(bare(this.scope), other.bare):
		return Likeness{Why: "it has the other's name as its scope, too"}, true
	}
	return Likeness{}, false
}

// split separates the scope of a name.
func split(name string) (scope, tail string) {
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		if scope, tail, ok = strings.Cut(rest, "/"); ok {
			return scope, tail
		}
	}
	return "", name
}

// bare returns a name without separators.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.@/", r) {
			return -1
		}
		return r
	}, name)
}

// near reports whether the names differ by one letter added, removed, replaced
// or moved. A number at the end is a version, not a mistake.
func near(a, b string) bool {
	if strings.TrimRight(a, "0123456789") == strings.TrimRight(b, "0123456789") {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	left, right := x[i:len(x)-j], y[i:len(y)-j]
	switch {
	case len(right) <= 1:
		return true
	case len(left) == 2 && len(right) == 2:
		return left[0] == right[1] && left[1] == right[0]
	}
	return false
}
