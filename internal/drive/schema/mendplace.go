package schema

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// namesKnownTo are those of the schema, then others that the input has.
func namesKnownTo(m *mender) []string {
	known := sortedKeys(properties(m.generator().flatten(m.root, 0)))
	for _, name := range sortedKeys(m.args) {
		if !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return known
}

// Parameters lists the names of a tool's parameters.
func Parameters(raw json.RawMessage) []string {
	root, err := decode(raw)
	if err != nil {
		return nil
	}
	object, _ := root.(map[string]any)
	return sortedKeys(properties(object))
}

// locate finds the place of the input that a wish is about. It returns false if
// the wish is about something else.
func (m *mender) locate(w *mcpsf.Wish) ([]string, bool) {
	if w.Kind == mcpsf.WishOneMember {
		return w.Path, true // its members are looked for one by one
	}
	known := namesKnownTo(m)
	if at, ok := chosen(m, known, w); ok {
		return at, true
	}
	if at, ok := m.repeats(w); ok {
		return at, true
	}
	if len(w.Path) > 0 {
		if at, ok, decided := called(m, known, w); decided {
			return at, ok
		}
	} else if at, ok := m.holding(w.Value); ok {
		return at, true
	} else if at, ok := m.beginning(w); ok {
		return at, true
	} else if len(m.texts.list) == 1 && (w.Kind == mcpsf.WishType && (w.Type == "object" || w.Type == "array") || w.Type == yamlList) {
		return m.texts.list[0].path, true
	}
	if at, ok := unread(m, w); ok {
		return at, true
	}
	if at, ok := within(m, w); ok {
		return at, true
	}
	if w.Loose || len(w.Path) > 1 {
		return nil, false
	}
	return m.only(w)
}

// unread finds the one text that is called like what a program reads, where a program could
// not read some text in a format: it may as well be an answer of a service.
func unread(m *mender, w *mcpsf.Wish) ([]string, bool) {
	if !w.Loose || w.Kind != mcpsf.WishFormat || len(w.Path) > 0 || len(m.texts.list) > 0 {
		return nil, false
	}
	var found [][]string
	for _, l := range leaves(m.args) {
		text, written := l.value.(string)
		if name := l.path[len(l.path)-1]; written && meaning.HoldsDocument(name) && !inFormat(text, w.Type) {
			found = append(found, l.path)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// within finds the one argument of which a thing is called that is there already: of the
// version 1.0.0 the tag v1.0.0.
func within(m *mender, w *mcpsf.Wish) ([]string, bool) {
	var found [][]string
	for _, l := range leaves(m.args) {
		if text := textOf(l.value); w.Kind == mcpsf.WishNew && len(text) > 2 && text != w.Value && strings.HasSuffix(w.Value, text) {
			found = append(found, l.path)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// inFormat reports whether a text looks like one in a format.
func inFormat(text, format string) bool {
	return format == "xml" && strings.HasPrefix(strings.TrimSpace(text), "<")
}

// chosen finds the place of what another argument chooses: of the kind "link" a link must be
// an address, and the link is in the one argument that can be anything.
func chosen(m *mender, known []string, w *mcpsf.Wish) ([]string, bool) {
	if len(w.Path) != 1 || w.Kind != mcpsf.WishFormat || slices.Contains(known, w.Path[0]) {
		return nil, false
	}
	chooses, open := false, []string(nil)
	for _, name := range known {
		s := m.spot([]string{name})
		text, written := s.value.(string)
		switch kind, _ := m.generator().meaning(s.place); {
		case !written:
		case s.place.schema["enum"] != nil:
			chooses = chooses || text == w.Path[0]
		case kind == meaning.KindText || kind == meaning.KindData:
			open = append(open, name)
		}
	}
	return open, chooses && len(open) == 1
}

// called finds the place that a wish calls by its path; decided is false if nothing says
// that it is none of the input.
func called(m *mender, known []string, w *mcpsf.Wish) (at []string, ok, decided bool) {
	if slices.Contains(known, w.Path[0]) && !m.has(w) && reaches(m, w.Path[0], w) {
		return w.Path, true, true
	}
	if at, ok := openObject(m, w); ok {
		return at, true, true
	}
	if name, ok := sameWords(known, w.Path[0]); ok && w.Value != "" && holdsAt(m.args, name, w.Value) {
		return append([]string{name}, w.Path[1:]...), true, true
	}
	if at, ok := m.texts.within(w); ok {
		return at, true, true
	}
	if slices.Contains(known, w.Path[0]) && reaches(m, w.Path[0], w) {
		return w.Path, true, true
	}
	if w.Loose {
		return nil, false, true
	}
	if at, ok := m.holding(w.Value); ok {
		return at, true, true
	}
	if name, ok := alike(known, w.Path[0]); ok && reaches(m, name, w) {
		return append([]string{name}, w.Path[1:]...), true, true
	}
	if at, ok := m.inner(known, w.Path); ok {
		return at, true, true
	}
	if w.Kind == mcpsf.WishMissing {
		return w.Path, m.mayAdd(w.Path, len(known)), true
	}
	return nil, false, false
}

// reaches reports whether a path that leads on below an argument can be about it: there
// is nothing below a text or a number, so that is about the answer of a service.
func reaches(m *mender, name string, w *mcpsf.Wish) bool {
	if len(w.Path) < 2 {
		return true
	}
	if compound(m.args[name]) {
		return true
	}
	switch kind := m.generator().kind(m.spot([]string{name}).place.schema); kind {
	case "string", "number", "integer", "boolean":
		return false
	}
	return true
}

// has reports whether the member that a wish misses is there.
func (m *mender) has(w *mcpsf.Wish) bool {
	value, there := find(m.args, w.Path)
	return w.Kind == mcpsf.WishMissing && len(w.Path) == 1 && there && value != nil
}

// beginning finds the text that a parser of JSON repeats the beginning of.
func (m *mender) beginning(w *mcpsf.Wish) ([]string, bool) {
	if order(w) > 0 || len(w.Value) < 3 {
		return nil, false
	}
	for _, leaf := range leaves(m.args) {
		if strings.HasPrefix(textOf(leaf.value), w.Value) {
			return leaf.path, true
		}
	}
	return nil, false
}

// mayAdd reports whether a member that the schema does not name may be added. A
// path that leads deeper is about something else, if the schema names any.
func (m *mender) mayAdd(path []string, known int) bool {
	for _, part := range path {
		if _, err := index(part, maxElements); err != nil && !memberName.MatchString(part) {
			return false
		}
	}
	return m.root["additionalProperties"] != false && (len(path) == 1 || known == 0)
}

// openObject returns the place of a missing member in the only argument that is an object
// of any members, if it is missed although it is beside that argument, or as others were.
func openObject(m *mender, w *mcpsf.Wish) ([]string, bool) {
	if w.Kind != mcpsf.WishMissing || len(w.Path) != 1 || isEmpty(m.args[w.Path[0]]) {
		return nil, false
	}
	var found []string
	filled := false // others were missed there before
	all := properties(m.generator().flatten(m.root, 0))
	for _, name := range sortedKeys(all) {
		s := m.generator().flatten(all[name], 0)
		members, _ := m.args[name].(map[string]any)
		if m.generator().kind(s) == "object" && len(properties(s)) <= len(members) && s["additionalProperties"] != false {
			found = append(found, name)
			filled = len(members) > 0 && properties(m.root)[w.Path[0]] == nil
		}
	}
	if len(found) != 1 || !m.has(w) && !filled {
		return nil, false
	}
	found = append(found, w.Path...)
	return found, !m.there(found)
}

// memberName is a name that the text may give a member: it names no place.
var memberName = lazyregexp.New(`^[A-Za-z_][\w-]{0,63}$`)

// repeats finds the argument with the value that a text repeats, if the argument that is
// called as the text says has another one: "Invalid range 'x'" is about what is x. What
// is there already is what the new thing is called, not what it is made of.
func (m *mender) repeats(w *mcpsf.Wish) ([]string, bool) {
	if len(w.Path) != 1 || len(w.Value) < 2 || w.Loose || w.Kind == mcpsf.WishUnexpected || w.Kind == mcpsf.WishMissing {
		return nil, false
	}
	name, called := alike(sortedKeys(m.args), w.Path[0])
	held := called && holdsAt(m.args, name, w.Value)
	var found [][]string
	for _, leaf := range leaves(m.args) {
		if textOf(leaf.value) != w.Value || held && w.Kind != mcpsf.WishNew {
			continue
		}
		if w.Kind == mcpsf.WishNew && meaning.HasWord(meaning.Words(leaf.path[0]), "new", "target", "dst", "dest", "destination", "to", "output") {
			return leaf.path, true
		}
		found = append(found, leaf.path)
	}
	return append(found, nil)[0], len(found) == 1 && !held
}

// sameWords finds the argument with a name of the same words: "Sheet name" is sheetName.
func sameWords(known []string, name string) (string, bool) {
	best, ok := alike(known, name)
	return best, ok && likeness(meaning.Words(name), meaning.Words(best)) == sameName
}

// holdsAt reports whether an argument has a value that a text repeats.
func holdsAt(args map[string]any, name, value string) bool { return textOf(args[name]) == value }

// holding finds the leaf of the input with a value, which a text repeats whole, or
// with another folder before it.
func (m *mender) holding(value string) ([]string, bool) {
	if value == "" {
		return nil, false
	}
	var found [][]string
	for _, leaf := range leaves(m.args) {
		text := textOf(leaf.value)
		if text == value || leaf.value == nil && (value == "None" || value == "null") || endsInPath(value, text) || strings.Contains(value, ".") && endsInPath(text, value) {
			found = append(found, leaf.path)
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	return found[0], true
}

// Repeated returns the values of an input that a text repeats as words of their own.
func Repeated(in Input, text string) []string {
	value, _ := decode(in.JSON)
	var out []string
	for _, leaf := range leaves(value) {
		if v := textOf(leaf.value); v != "" && !slices.Contains(out, v) && hasWord(text, v) {
			out = append(out, v)
		}
	}
	return out
}

// hasWord reports whether a text has a word or phrase that no letter or digit continues.
func hasWord(text, word string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := text; ; {
		before, after, found := strings.Cut(rest, word)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !inWord(last) && !inWord(next) {
			return true
		}
		rest = after
	}
}

// endsInPath reports whether a path ends in another one.
func endsInPath(long, short string) bool {
	return len(short) > 3 && strings.HasSuffix(long, "/"+strings.TrimPrefix(short, "/"))
}

// only finds the one leaf of the input that a wish without a name can be about.
func (m *mender) only(w *mcpsf.Wish) ([]string, bool) {
	if len(w.Path) > 0 && (w.Kind == mcpsf.WishMissing || w.Kind == mcpsf.WishType || w.Kind == mcpsf.WishOneOf || w.Kind == mcpsf.WishUnexpected || w.Kind == mcpsf.WishMore || w.Kind == mcpsf.WishLess || w.Kind == mcpsf.WishAfter) {
		return nil, false
	}
	if len(w.Path) > 0 && w.Type == mcpsf.FormatContains && slices.ContainsFunc(w.Accepted, blanks.MatchString) {
		return nil, false // it is about an answer that has such a member
	}
	if len(w.Path) > 0 && compoundName.MatchString(w.Path[0]) {
		return nil, false // it is about another object: the input has no such member
	}
	all := leaves(m.args)
	if isExample(w) && (len(all) != 1 || len(all[0].path) == 1) {
		return nil, false // it takes turns
	}
	fitting := slices.DeleteFunc(slices.Clone(all), func(l leaf) bool { return !m.fits(l.path, w) })
	switch {
	case len(fitting) == 1 || len(fitting) > 0 && (w.Kind == mcpsf.WishProject || len(endings(w)) > 0 || kindOf(w.Type) == meaning.KindID):
		return fitting[0].path, true
	case len(all) == 1 && (w.Kind == mcpsf.WishOneOf || w.Kind == mcpsf.WishType || w.Kind == mcpsf.WishFormat):
		return all[0].path, w.Got == "" || isType(all[0].value, w.Got)
	}
	return nil, false
}

// compoundName is a name as programs write it, which no prose calls another thing.
var compoundName = lazyregexp.New(`^[a-z]+(?:[A-Z][a-z0-9]+)+$|^[a-z]+(?:_[a-z0-9]+)+$`)

// fits reports whether the value at a path is of the kind that a wish is about.
func (m *mender) fits(at []string, w *mcpsf.Wish) bool {
	s := m.spot(at)
	if _, text := s.value.(string); !text {
		return false
	}
	kind, _ := m.generator().meaning(s.place)
	switch w.Kind {
	case mcpsf.WishRelative, mcpsf.WishAbsolute, mcpsf.WishExisting, mcpsf.WishNew:
		return kind == meaning.KindPath || kind == meaning.KindDir || wantsFile(w) && kind == meaning.KindURL
	case mcpsf.WishProject:
		return kind == meaning.KindDir || kind == meaning.KindPath && (path.Ext(s.value.(string)) == "" || m.maker.values.Samples.Main != nil)
	case mcpsf.WishFormat:
		if len(endings(w)) > 0 {
			return (&files{m}).lacksEnding(s, w)
		}
		return kind == kindOf(w.Type)
	}
	return false
}

// wantsFile reports whether a text asks for a file, which an address may name as well.
func wantsFile(w *mcpsf.Wish) bool { return w.Kind == mcpsf.WishExisting && w.Type == kindFile }

// kindOf returns the kind of values that have a format.
func kindOf(format string) meaning.Kind {
	switch strings.ToLower(format) {
	case "url", mcpsf.FormatContains:
		return meaning.KindURL
	case "email":
		return meaning.KindEmail
	case "date", "date-time", "time":
		return meaning.KindDate
	case "uuid":
		return meaning.KindID
	case "hostname", "ipv4", "ipv6":
		return meaning.KindHost
	}
	switch {
	case strings.HasPrefix(strings.ToLower(format), "json"):
		return meaning.KindJSON
	case strings.HasPrefix(strings.ToLower(format), meaning.SQLFormat):
		return meaning.KindSQL
	}
	if _, ok := meaning.Notation(format); ok {
		return meaning.KindID
	}
	return meaning.KindUnknown
}

// leaf is a value without parts, and its path.
type leaf struct {
	path  []string
	value any
}

// leaves lists the values of an input without parts, in the order of names.
func leaves(node any) []leaf {
	var out []leaf
	var walk func(node any, at []string)
	walk = func(node any, at []string) {
		switch v := node.(type) {
		case map[string]any:
			for _, name := range sortedKeys(v) {
				walk(v[name], append(slices.Clone(at), name))
			}
		case []any:
			for i, e := range v[:min(len(v), maxElements)] {
				walk(e, append(slices.Clone(at), textOf(format(float64(i)))))
			}
		default:
			out = append(out, leaf{at, v})
		}
	}
	walk(node, nil)
	return out[:min(len(out), maxPlaces)]
}

// textOf returns a scalar as text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// alike finds the argument that prose calls by a name: "Sheet" is sheet_name, and
// "outward issue key" is issueKey. It must be the only one.
func alike(known []string, name string) (string, bool) {
	best, top, twice := "", 0, false
	want := meaning.Words(name)
	for _, k := range known {
		score := likeness(want, meaning.Words(k))
		if score > top {
			best, top, twice = k, score, false
		} else if score == top && score > 0 {
			twice = true
		}
	}
	return best, top > 0 && !twice
}

// sameName is the likeness of names with the same words.
const sameName = 4

func likeness(said, name []string) int {
	if len(said) == 0 || len(name) == 0 {
		return 0
	}
	for i := range said {
		said[i] = meaning.Unabridged(meaning.Singular(said[i]))
	}
	for i := range name {
		name[i] = meaning.Unabridged(meaning.Singular(name[i]))
	}
	switch {
	case strings.Join(said, "") == strings.Join(name, ""):
		return sameName
	case suffix(name, said), suffix(said, name):
		return 3
	case prefix(said, name):
		return 2
	case prefix(name, said) && meaning.HasWord(name[len(said):], "name", "id", "key", "path", "type", "value", "file", "number", "slug", "data", "list"):
		return 1
	}
	return 0
}

func suffix(long, short []string) bool {
	return len(short) < len(long) && slices.Equal(long[len(long)-len(short):], short)
}

func prefix(long, short []string) bool {
	return len(short) < len(long) && slices.Equal(long[:len(short)], short)
}
