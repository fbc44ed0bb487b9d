package schema

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// reformat makes a value in a format, of ours where we have one.
func (m *mender) reformat(s *spot, w *mcpsf.Wish) bool {
	if accepted := endings(w); len(accepted) > 0 {
		return (&files{m}).withEnding(s, accepted)
	}
	if len(w.Accepted) > 0 {
		switch w.Type {
		case mcpsf.FormatPrefix, mcpsf.FormatSuffix, mcpsf.FormatContains:
			value, from, ok := m.withPart(s, w.Type, w.Accepted[0])
			return ok && m.keep(s, m.putFrom(s, value, from))
		case mcpsf.FormatPattern:
			return m.byPattern(s, w.Accepted[0])
		}
	}
	if w.Type == yamlList && m.texts.opened(s.path) {
		if members, ok := s.value.(map[string]any); ok {
			return m.putFrom(s, []any{members}, s.from)
		}
		return m.fill(s, &mcpsf.Wish{Kind: mcpsf.WishType, Type: "array"})
	}
	name := strings.ToLower(w.Type)
	if !strict(name) && m.example(s, w.Accepted, mcpsf.OriginRefusal) {
		return true
	}
	return m.inFormat(s, w, name) || m.example(s, w.Accepted, mcpsf.OriginRefusal) || m.example(s, m.told(s), mcpsf.OriginDescription)
}

// yamlList is the format of a list in YAML.
const yamlList = "yaml list"

// strict reports whether a format has one form alone, so that a value of ours will
// do. Of the others an example of the server's says more.
func strict(format string) bool {
	switch format {
	case "uuid", "email", "url", "hostname", "ipv4", "ipv6", "geojson", "hexadecimal":
		return true
	}
	return strings.HasPrefix(format, "json") || strings.HasPrefix(format, meaning.SQLFormat)
}

// inFormat makes a value of ours in a format.
func (m *mender) inFormat(s *spot, w *mcpsf.Wish, name string) bool {
	if sample := m.sample(s, "."+name); sample != "" {
		return m.keep(s, m.put(s, sample, false))
	}
	if statement, ok := m.maker.values.StatementOf(name); ok {
		kind, _ := m.generator().meaning(s.place)
		return (kind == meaning.KindSQL || kind == meaning.KindQuery) && m.keep(s, m.put(s, statement, false))
	}
	switch {
	case name == "future":
		now, _ := s.value.(string)
		return startsWithYear.MatchString(now) && !strings.HasPrefix(now, farYear) && m.keep(s, m.put(s, farYear+now[len(farYear):], false))
	case name == "hexadecimal":
		return m.hexadecimal(s, w)
	case strings.HasPrefix(name, "json") && isType(s.value, "string") && s.place.schema["type"] != "string" && name != "json":
		known := ofType(strings.TrimPrefix(name, "json "))
		s.place.schema = known
		return m.make(s) && m.known(s, known)
	case strings.HasPrefix(name, "json") && (m.texts.opened(s.path) || m.texts.holdsText(s) || s.place.schema["type"] == nil):
		return m.texts.document(s, w)
	}
	if _, ok := m.generator().format(name); !ok || strings.HasPrefix(name, "json") {
		return false
	}
	known := map[string]any{"type": "string", "format": name}
	for _, word := range []string{"default", "examples", "example", "enum", "pattern"} {
		delete(s.place.schema, word)
	}
	s.place.schema["type"], s.place.schema["format"] = "string", name
	return m.make(s) && m.known(s, known)
}

// farYear is that of a date in the future.
const farYear = "2037"

// startsWithYear matches a date.
var startsWithYear = lazyregexp.New(`^\d{4}-\d\d`)

// sample returns a file with an ending for a place that wants a path, "" if there
// is none.
func (m *mender) sample(s *spot, ending string) string {
	if kind, _ := m.generator().meaning(s.place); kind != meaning.KindPath {
		return ""
	}
	return m.maker.values.Samples.WithEnding(ending)
}

// known adds what a granted wish says to the schema.
func (m *mender) known(s *spot, known map[string]any) bool {
	m.demand(s.path, known, false)
	return true
}

// hexadecimal makes digits, as many as are wanted.
func (m *mender) hexadecimal(s *spot, w *mcpsf.Wish) bool {
	length := 32
	if w.Least != nil && *w.Least > 0 && *w.Least <= maxOffered {
		length = int(*w.Least)
	}
	digits := strings.Repeat("3f2b8c1e5d4a4f6b9c7d8e9f0a1b2c3d", 1+length/32)[:length]
	return m.keep(s, m.put(s, digits, false))
}

// byPattern makes a value that matches a regular expression of the server's. It is
// the server's unless one of ours matches, and then it must not name a place.
func (m *mender) byPattern(s *spot, pattern string) bool {
	g := m.generator()
	_, own := g.meaning(s.place)
	value, byServer, ok := g.matching(pattern, own, 0, maxText)
	if !ok || byServer && len(m.usable(s, []string{value})) == 0 {
		return false
	}
	return m.keep(s, m.put(s, value, byServer))
}

var (
	extension = lazyregexp.New(`^\.[A-Za-z0-9]{1,5}$`)
	// urlPath is a part of an address that names no file and no variable: "/issues/{id}".
	urlPath = lazyregexp.New(`^(?:/[a-z0-9][A-Za-z0-9_-]*|/\{\w+\})+/?$`)
	braces  = lazyregexp.New(`\{\w+\}`)
	// markup is a tag that names no place.
	markup = lazyregexp.New(`^<[^/:]{1,62}>$`)
	// blanks are the places for values in a template, as an address has them.
	blanks = lazyregexp.New(`^(?:/\{\w+\})+$`)
)

// withPart returns a value of ours that begins or ends with, or contains, a part. What is
// joined to words of the server's is not ours: they may name a host or a variable.
func (m *mender) withPart(s *spot, how, part string) (value string, from mcpsf.ValueOrigin, ok bool) {
	v := m.maker.values
	kind, own := m.generator().meaning(s.place)
	isPath := kind == meaning.KindPath || kind == meaning.KindDir
	if statement, ok := v.StatementOf(meaning.SQLFormat + strings.TrimSpace(part)); ok && kind == meaning.KindSQL {
		return statement, "", true
	}
	switch {
	case how == mcpsf.FormatContains && blanks.MatchString(part):
		if kind == meaning.KindText || kind == meaning.KindTemplate {
			return "Hello" + strings.ReplaceAll(part, "/", " "), "", true
		}
		return strings.TrimSuffix(v.URL, "/") + part, "", true
	case how == mcpsf.FormatPrefix && part == "/" && isPath:
		return own, "", path.IsAbs(own)
	case how == mcpsf.FormatPrefix && part == "/":
		return "/" + v.Name, "", !kind.Guarded()
	case how == mcpsf.FormatPrefix && kind == meaning.KindURL:
		return v.URL, "", strings.HasPrefix(v.URL, part)
	case how == mcpsf.FormatContains && urlPath.MatchString(part) && !isPath:
		return strings.TrimSuffix(v.URL, "/") + braces.ReplaceAllString(part, v.ID), "", kind == meaning.KindURL
	}
	usable := (len(part) <= 16 || markup.MatchString(part)) && len(m.usable(s, []string{part})) > 0
	if how == mcpsf.FormatSuffix {
		return v.Name + part, mcpsf.OriginSource, usable
	}
	return part + v.Name, mcpsf.OriginSource, usable
}
