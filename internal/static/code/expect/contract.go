package expect

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxRoom bounds the parts of one declared answer, maxOptional those of a member
	// that may be missing, maxRooms those of all answers.
	maxRoom     = 2_500
	maxOptional = 40
	maxRooms    = 30_000
	// maxLevel is how deep a declared answer is written, maxNames how long names are
	// followed to a form.
	maxLevel = 14
	maxNames = 20
	// maxFields bounds the members of one object.
	maxFields = 300
)

// contracts writes the answers that operations declare.
type contracts struct {
	files []*ir.File
	// named are the files that declare a form of a name.
	named map[string][]int
	// room is how many parts of the current answer may be made, rooms of all.
	room, rooms int
	// within are the forms around the one that is written.
	within []*ir.Form
}

// declared returns the answers that operations say they accept, those with the most
// exact path first.
func declared(files []*ir.File) []mcpsf.ExpectedAnswer {
	c := &contracts{files: files, named: map[string][]int{}, rooms: maxRooms}
	for i, f := range files {
		if f.Contract == nil {
			continue
		}
		for name := range f.Contract.Forms {
			c.named[name] = append(c.named[name], i)
		}
	}
	var out []mcpsf.ExpectedAnswer
	at, whole := map[[3]string]int{}, map[[3]string]bool{}
	for i, f := range files {
		if f.Contract == nil {
			continue
		}
		for k := range f.Contract.Operations {
			o := &f.Contract.Operations[k]
			a, ok := c.operation(o, i)
			key := [3]string{a.Method, a.Host, a.Path}
			before, known := at[key]
			switch {
			case a.Path == "" || a.Shape == nil && a.Status == 0:
			case known && (whole[key] || !ok):
			case known:
				out[before], whole[key] = a, true
			case len(out) < maxAnswers:
				at[key], whole[key] = len(out), ok
				out = append(out, a)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b mcpsf.ExpectedAnswer) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "{}"), strings.Count(b.Path, "{}")), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return out
}

// operation writes the answer to one operation; false if a part of it is not known.
func (c *contracts) operation(o *ir.Operation, file int) (mcpsf.ExpectedAnswer, bool) {
	url := o.URL
	if !strings.Contains(url, "://") {
		url = "/" + strings.TrimLeft(url, "/")
	}
	a := mcpsf.ExpectedAnswer{Method: knownMethod(o.Method)}
	if a.Host, a.Path = split(url); a.Path == "" || a.Method == "" {
		return mcpsf.ExpectedAnswer{}, false
	}
	if o.Status >= 200 && o.Status < 300 {
		a.Status = o.Status
	}
	form := o.Answer
	if o.Key != "" && form != nil {
		all := fields{}
		c.room = maxRoom
		c.collect(form, file, 0, all)
		form, file = all[o.Key].form, all[o.Key].file
	}
	if form == nil || a.Status == 204 || c.rooms <= 0 {
		return a, form == nil
	}
	c.room, c.within = min(maxRoom, c.rooms), nil
	before := c.room
	s, ok := c.shape(form, file, 0)
	c.rooms -= before - max(c.room, 0)
	if s != nil && (s.Type == "object" || s.Type == "array") {
		a.Shape = s
	}
	return a, ok
}

func knownMethod(m string) string {
	switch m {
	case "GET", "POST", "PUT", "PATCH", "DELETE":
		return m
	case "HEAD":
		return "GET"
	}
	return ""
}

// resolve returns the form that a name means in a file, and the file that declares it:
// the same file, or the one that is next to it. The name may have the name of a module
// before it.
func (c *contracts) resolve(name string, file int) (*ir.Form, int) {
	for {
		if f := c.files[file].Contract.Forms[name]; f != nil {
			return f, file
		}
		if list := c.named[name]; len(list) > 0 {
			best := list[0]
			for _, i := range list[1:] {
				if c.near(i, file) > c.near(best, file) {
					best = i
				}
			}
			return c.files[best].Contract.Forms[name], best
		}
		_, rest, more := strings.Cut(name, ".")
		if !more {
			return nil, 0
		}
		name = rest
	}
}

// near is how many folders two files have in common.
func (c *contracts) near(a, b int) int {
	x, y := strings.Split(path.Dir(c.files[a].Path), "/"), strings.Split(path.Dir(c.files[b].Path), "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// plain follows names to a form.
func (c *contracts) plain(f *ir.Form, file int) (*ir.Form, int) {
	for range maxNames {
		if f == nil || f.Kind != ir.FormRef {
			return f, file
		}
		if f, file = c.resolve(f.Name, file); f == nil {
			return nil, 0
		}
	}
	return nil, 0
}

// optional reports whether a member of a form may be missing.
func (c *contracts) optional(f *ir.Form, file int) bool {
	for range maxNames {
		if f, file = c.plain(f, file); f == nil {
			return false
		}
		switch {
		case f.Kind == ir.FormOptional:
			return true
		case f.Kind == ir.FormNullable && len(f.Of) > 0:
			f = f.Of[0]
		default:
			return false
		}
	}
	return false
}

// field is a member of an object.
type field struct {
	form     *ir.Form
	file     int
	optional bool
}

type fields map[string]field

// collect adds the members of a form that is an object; false if it is none. Closed is
// set if there may be no others.
func (c *contracts) collect(f *ir.Form, file, depth int, into fields) (is, closed bool) {
	c.room--
	if f, file = c.plain(f, file); f == nil || depth > maxNames || c.room < 0 {
		return false, false
	}
	switch f.Kind {
	case "object":
		for _, m := range f.Members {
			if _, ok := into[m.Name]; !ok && len(into) < maxFields {
				into[m.Name] = field{m.Form, file, c.optional(m.Form, file)}
			}
		}
		return true, f.Closed
	case ir.FormAll:
		for _, part := range f.Of {
			more, shut := c.collect(part, file, depth+1, into)
			is, closed = is || more, closed || shut
		}
		return is, closed
	case ir.FormOptional, ir.FormNullable, ir.FormUnion:
		if len(f.Of) > 0 {
			return c.collect(f.Of[0], file, depth+1, into)
		}
	case ir.FormPick, ir.FormOmit, ir.FormPartial, ir.FormWhole:
		if len(f.Of) > 0 {
			return c.changed(f, file, depth, into)
		}
	}
	return false, false
}

// changed adds the members of a form that is made of another one.
func (c *contracts) changed(f *ir.Form, file, depth int, into fields) (is, closed bool) {
	all := fields{}
	is, closed = c.collect(f.Of[0], file, depth+1, all)
	for name, m := range all {
		if f.Kind == ir.FormPick && !slices.Contains(f.Words, name) || f.Kind == ir.FormOmit && slices.Contains(f.Words, name) {
			continue
		}
		switch f.Kind {
		case ir.FormPartial:
			m.optional = true
		case ir.FormWhole:
			m.optional = false
		}
		if _, ok := into[name]; !ok && len(into) < maxFields {
			into[name] = m
		}
	}
	return is, closed
}
