package expect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// sendable matches the constants that an answer may have.
var sendable = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$|^-?\d+(\.\d+)?$`)

// shape writes a form; false if a value that is made of it would not have the form:
// then it is left out where that is possible.
func (c *contracts) shape(f *ir.Form, file, depth int) (*mcpsf.Shape, bool) {
	c.room--
	f, file = c.plain(f, file)
	switch {
	case f == nil: // from a library, or not understood
		return &mcpsf.Shape{}, true
	case depth > maxLevel || c.room < 0 || slices.Contains(c.within, f):
		return &mcpsf.Shape{}, false
	}
	c.within = append(c.within, f)
	defer func() { c.within = c.within[:len(c.within)-1] }()
	switch f.Kind {
	case "object", ir.FormAll, ir.FormPick, ir.FormOmit, ir.FormPartial, ir.FormWhole:
		return c.object(f, file, depth)
	case "array", ir.FormTuple:
		return c.list(f, file, depth)
	case ir.FormRecord:
		return c.record(f, file, depth)
	case ir.FormUnion:
		return c.union(f, file, depth)
	case ir.FormOptional, ir.FormNullable:
		if len(f.Of) == 0 {
			return &mcpsf.Shape{}, true
		}
		s, ok := c.shape(f.Of[0], file, depth+1)
		if !ok && f.Kind == ir.FormNullable {
			return &mcpsf.Shape{Type: "null"}, true
		}
		return s, ok
	case "null":
		return &mcpsf.Shape{Type: "null"}, true
	case "string", "number", "boolean", ir.FormInteger:
		return scalar(f)
	}
	return &mcpsf.Shape{}, true
}

// object writes the members that must be there, and then others as far as there is
// room. What is left out must not be there: it would have another form by chance.
func (c *contracts) object(f *ir.Form, file, depth int) (*mcpsf.Shape, bool) {
	all := fields{}
	is, closed := c.collect(f, file, 0, all)
	if !is && len(f.Of) > 0 && c.room > 0 { // what is no object: a list with further checks
		return c.shape(f.Of[0], file, depth+1)
	}
	if !is || c.room < 0 {
		return &mcpsf.Shape{}, false
	}
	s := &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{}, Closed: closed}
	whole := true
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		m := all[name]
		switch {
		case m.optional:
		case !member.MatchString(name) || len(name) > maxName || inherited.MatchString(name):
			whole = false
		default:
			one, ok := c.shape(m.form, m.file, depth+1)
			one.Required = one.Required || !wanted(name)
			s.Members[name], whole = one, whole && ok
		}
	}
	for _, name := range names {
		if m := all[name]; m.optional && member.MatchString(name) && len(name) <= maxName && !inherited.MatchString(name) {
			s.Members[name] = c.extra(name, m, depth)
		}
	}
	return s, whole
}

// extra writes a member that may be missing.
func (c *contracts) extra(name string, m field, depth int) *mcpsf.Shape {
	room := min(c.room/4, maxOptional)
	if !wanted(name) || room <= 0 || depth > maxLevel/2 {
		return &mcpsf.Shape{Absent: true}
	}
	left := c.room - room
	c.room = room
	s, ok := c.shape(m.form, m.file, depth+1)
	c.room = left + max(c.room, 0)
	if !ok {
		return &mcpsf.Shape{Absent: true}
	}
	return s
}

// list writes an array. One whose elements are not known is empty.
func (c *contracts) list(f *ir.Form, file, depth int) (*mcpsf.Shape, bool) {
	s := &mcpsf.Shape{Type: "array"}
	if len(f.Of) == 0 || f.Of[0] == nil {
		return s, true
	}
	of, ok := c.shape(f.Of[0], file, depth+1)
	k := checksOfForm(f)
	switch {
	case f.Kind == ir.FormTuple:
		s.Element, s.Accepted = of, []string{strconv.Itoa(min(len(f.Of), maxSize))}
		for _, other := range f.Of[1:] {
			one, fine := c.shape(other, file, depth+1)
			ok = ok && fine && one.Type == of.Type
		}
		return s, ok
	case ok:
		if s.Element = of; of.Type == "" {
			s.Element = nil
		}
		s.Accepted = k.size()
		return s, true
	}
	s.Accepted = []string{"0"}
	return s, len(k.lengths) == 0
}

// record writes an object whose members have any name.
func (c *contracts) record(f *ir.Form, file, depth int) (*mcpsf.Shape, bool) {
	s := &mcpsf.Shape{Type: "object", Closed: true}
	if len(f.Of) == 0 {
		return s, true
	}
	if of, ok := c.shape(f.Of[0], file, depth+1); ok {
		s.Members = map[string]*mcpsf.Shape{"alpha": of}
	}
	return s, true
}

// union writes one of several forms: constants together, else the first that can be
// written.
func (c *contracts) union(f *ir.Form, file, depth int) (*mcpsf.Shape, bool) {
	var words []string
	kind, constants := "", true
	for _, of := range f.Of {
		one, _ := c.plain(of, file)
		if constants = constants && one != nil && len(one.Words) > 0 && (kind == "" || kind == one.Kind); constants {
			kind, words = one.Kind, append(words, one.Words...)
		}
	}
	if constants && kind != "" {
		return scalar(&ir.Form{Kind: kind, Words: words})
	}
	var first *mcpsf.Shape
	for _, of := range f.Of {
		s, ok := c.shape(of, file, depth+1)
		if ok && s.Type != "null" {
			return s, true
		}
		if first == nil {
			first = s
		}
	}
	if first == nil {
		return &mcpsf.Shape{}, true
	}
	return first, first.Type == "null"
}

// scalar writes a text, a number or a truth value.
func scalar(f *ir.Form) (*mcpsf.Shape, bool) {
	s := &mcpsf.Shape{Type: f.Kind}
	if f.Kind == ir.FormInteger {
		s.Type, s.Format = "number", ir.FormInteger
	}
	k := checksOfForm(f)
	s.Accepted, s.Required = k.values(s.Type)
	if s.Type == "string" && s.Accepted == nil {
		s.Accepted = k.sizedWord()
		s.Required = s.Accepted != nil
	}
	s.Accepted = slices.DeleteFunc(s.Accepted, func(w string) bool { return !sendable.MatchString(w) })
	if len(s.Accepted) == 0 {
		s.Accepted, s.Required = nil, false
		if s.Type == "string" {
			s.Format = k.format
		}
		return s, len(f.Words) == 0 && len(k.forms) == 0
	}
	return s, true
}

// checksOfForm reads the checks of a form.
func checksOfForm(f *ir.Form) *checks {
	c := &checks{number: f.Kind == "number" || f.Kind == ir.FormInteger, must: slices.Clip(f.Words)}
	for _, t := range f.Tests {
		t.Node = 0
		c.add(t)
	}
	return c
}

// sizedWord is a text of the length that is asked for, if that is unusual.
func (c *checks) sizedWord() []string {
	r := region{low: 1, high: 40}
	for _, t := range c.lengths {
		if t.Op == "==" {
			t.Op = ">="
			r = r.with(t)
			t.Op = "<="
		}
		r = r.with(t)
	}
	if r.low > r.high || r.low <= 2 && r.high >= 20 {
		return nil
	}
	n := max(int(r.low), min(6, int(r.high)))
	return []string{strings.Repeat("a", min(n, 40))}
}
