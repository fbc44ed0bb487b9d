package part

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a collector.
// gap: source-not-read
const (
	maxParts = 100_000
	maxNotes = 100
	maxAlike = 8 // notes with the same text about different files
	maxNote  = 400
)

// Collector collects the parts and notes of all readers.
type Collector struct {
	Parts []*Part

	notes   []string
	seen    map[string]bool
	alike   map[string]*alike // by their text
	kinds   []*alike
	unheard int // notes beyond the limit
	refused int // parts beyond the limit
}

// alike are notes with the same text about different files.
type alike struct {
	first string
	count int
}

// NewCollector returns an empty collector.
func NewCollector() *Collector {
	return &Collector{seen: make(map[string]bool), alike: make(map[string]*alike)}
}

// Add adds a part, and returns nil if it is invalid. It copies strings: they
// are mostly slices of a file that need not stay in memory.
func (b *Collector) Add(p Part) *Part {
	if !plain(p.Name, maxName) || !plain(p.Version, maxVersion) || p.Name == "" && !p.Own {
		b.Note(p.File, "it names a package that cannot be one: %s", Quote(p.Name+" "+p.Version))
		return nil
	}
	if len(b.Parts) >= maxParts {
		b.refused++
		return nil
	}
	p.Ecosystem, p.Name, p.Version = strings.Clone(p.Ecosystem), strings.Clone(p.Name), strings.Clone(p.Version)
	p.Arch, p.Distro, p.Source = clean(p.Arch, maxVersion), clean(p.Distro, maxVersion), clean(p.Source, maxName)
	p.Wanted, p.From = clean(p.Wanted, maxVersion), clean(p.From, maxName)
	p.Licences = licences(p.Licences)
	p.Digests = digests(p.Digests)
	out := &p
	b.Parts = append(b.Parts, out)
	return out
}

// Note records what was not understood or left out in a file.
func (b *Collector) Note(file, format string, args ...any) {
	note := fmt.Sprintf(format, args...)
	if file != "" {
		note = Quote(file) + ": " + note
	}
	note = clean(note, maxNote)
	if b.seen[note] {
		return
	}
	kind := b.alike[format]
	if kind == nil {
		kind = &alike{first: note}
		b.alike[format] = kind
		b.kinds = append(b.kinds, kind)
	}
	kind.count++
	switch {
	case kind.count > maxAlike:
	case len(b.notes) >= maxNotes:
		b.unheard++
	default:
		b.seen[note] = true
		b.notes = append(b.notes, note)
	}
}

// Notes returns the notes in the order they were made.
func (b *Collector) Notes() []string {
	notes := slices.Clone(b.notes)
	for _, k := range b.kinds {
		if more := k.count - maxAlike; more > 0 {
			notes = append(notes, fmt.Sprintf("%d more like this: %s", more, k.first))
		}
	}
	if b.refused > 0 {
		notes = append(notes, fmt.Sprintf("%d packages beyond the first %d were left out", b.refused, maxParts))
	}
	if b.unheard > 0 {
		notes = append(notes, fmt.Sprintf("%d more things were not understood or left out", b.unheard))
	}
	return notes
}

// Quote makes an untrusted name safe to show: unchanged if it is plain, else in
// quotes with escapes, and shortened.
func Quote(s string) string {
	const limit = 120
	if len(s) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return s
	}
	return strconv.QuoteToASCII(s)
}
