// Package contract reads which answers a source declares.
//
// It takes a tree of package syntax and returns an ir.Contract: the forms of data that
// the file declares by name, and the operations that say which form their answer must
// have. Generated clients are like that: an operation has the path as a template, the
// method, and for each status a form that is declared elsewhere. Package flow would have
// to follow each of them through the whole library of the client, and bundles are too
// large for it; here names are enough. It decides nothing: package expect looks the
// names up in all files.
//
// Forms are written with zod, valibot, superstruct, io-ts, Fern's serializers, pydantic,
// data classes, attrs and msgspec. What is not known may be anything. The time is
// proportional to the tree, and the number of forms and operations is bounded.
package contract

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxDepth bounds the depth of the walked tree, maxForm that of a form.
	maxDepth = 1_000
	maxForm  = 40
	// maxForms bounds the parts of all forms, maxOperations the operations.
	maxForms      = 80_000
	maxOperations = 600
	// maxMembers bounds the members of one object, maxWords its constants.
	maxMembers = 300
	maxWords   = 24
	maxName    = 64
	maxWord    = 60
	// maxFormName is longer: generated names are made of those of all objects around.
	maxFormName = 200
)

// reader reads one file.
type reader struct {
	python bool
	out    ir.Contract
	// left is how many parts of forms may be made.
	left  int
	depth int
	// operations are those of the functions that are known by name, for requests that
	// another function makes.
	named map[string]*operation
}

// Read returns what a file declares; nil if that is nothing.
func Read(t *syntax.Tree, python bool) *ir.Contract {
	if t.Root == nil || !t.Whole {
		return nil
	}
	r := &reader{python: python, left: maxForms, out: ir.Contract{Forms: map[string]*ir.Form{}}, named: map[string]*operation{}}
	r.walk(t.Root, &operation{})
	r.join()
	if len(r.out.Forms) == 0 && len(r.out.Operations) == 0 {
		return nil
	}
	return &r.out
}

// walk visits a part of the file, within a function.
func (r *reader) walk(n *syntax.Node, o *operation) {
	if n == nil || r.depth > maxDepth {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Kind {
	case syntax.Func:
		r.function(n, o)
		return
	case syntax.Class:
		if r.python {
			annotations{r}.class(n)
		}
	case syntax.Assign:
		r.declare(n)
		o.assigned(n)
		r.responses(n, o)
	case syntax.Call:
		r.called(n, o)
	case syntax.Pair, syntax.Keyword:
		o.property(n.Text, n.Kid(0))
	case syntax.Object:
		r.described(n)
	}
	for _, k := range n.Kids {
		r.walk(k, o)
	}
}

// function reads a function, which may be an operation. What a callback has belongs to
// the function around it.
func (r *reader) function(n *syntax.Node, around *operation) {
	o := &operation{}
	for _, k := range n.Kids {
		r.walk(k, o)
	}
	switch {
	case r.emit(o):
	case n.Text == "":
		around.add(o)
	default:
		r.keep(n.Text, o)
	}
}

// declare reads a form that gets a name.
func (r *reader) declare(n *syntax.Node) {
	target, value := n.Kid(0), n.Kid(1)
	if n.Text != "" || value == nil {
		return
	}
	if target.Is(syntax.Index) && target.Kid(1).Is(syntax.String) && value.Is(syntax.String) { // an enumeration of TypeScript
		r.enumerate(target.Kid(0), value.Text)
		return
	}
	name := strings.TrimPrefix(dotted(target), "exports.") // as CommonJS writes it
	if name == "" {
		return
	}
	var f *ir.Form
	switch {
	case r.python && value.Is(syntax.Index):
		f = annotations{r}.annotation(value, 0)
	case r.python:
	case value.Is(syntax.Call):
		if r.declares(value) {
			f = r.form(value, 0)
		}
	case value.Is(syntax.Object):
		f = r.constants(value)
	case value.Is(syntax.Name), value.Is(syntax.Member):
		if schemaName(name) && schemaName(dotted(value)) {
			f = r.form(value, 0)
		}
	}
	r.put(name, f)
}

// put records a form. Of two with one name the first counts: names of a file are mostly
// there once, and others are not known apart.
func (r *reader) put(name string, f *ir.Form) {
	if f != nil && r.out.Forms[name] == nil && len(name) <= maxFormName {
		r.out.Forms[name] = f
	}
}

// enumerate adds a constant to an enumeration: E["A"] = "a".
func (r *reader) enumerate(on *syntax.Node, word string) {
	if !on.Is(syntax.Name) || len(word) > maxWord || len(on.Text) > maxFormName {
		return
	}
	f := r.out.Forms[on.Text]
	if f == nil {
		f = r.make("string")
		r.put(on.Text, f)
	}
	if f != nil && f.Kind == "string" && len(f.Words) < maxWords {
		f.Words = append(f.Words, word)
	}
}

// constants reads an object of constants, which an enumeration may name.
func (r *reader) constants(n *syntax.Node) *ir.Form {
	var values []*syntax.Node
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) || p.Kid(1) != nil || !p.Kid(0).Is(syntax.String) && !p.Kid(0).Is(syntax.Number) {
			return nil
		}
		values = append(values, p.Kid(0))
	}
	if len(values) == 0 || len(values) > maxMembers {
		return nil
	}
	return r.literal(values)
}

// make makes a form; nil if there are too many.
func (r *reader) make(kind string, of ...*ir.Form) *ir.Form {
	if r.left--; r.left < 0 {
		return nil
	}
	return &ir.Form{Kind: kind, Of: of}
}

// dotted is a name with its members: "models.User".
func dotted(n *syntax.Node) string {
	switch {
	case n.Is(syntax.Name):
		return n.Text
	case n.Is(syntax.Member):
		if on := dotted(n.Kid(0)); on != "" && len(on)+len(n.Text) < maxFormName {
			return on + "." + n.Text
		}
	}
	return ""
}

// lastName is the name of what is called.
func lastName(n *syntax.Node) string {
	if n.Is(syntax.Name) || n.Is(syntax.Member) {
		return n.Text
	}
	if n.Is(syntax.Index) { // generic, in Python
		return lastName(n.Kid(0))
	}
	return ""
}
