package contract

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// schemaLike matches the names that schemas have.
var schemaLike = lazyregexp.New(`(?i)(schema|response|model|type|shape)\d*$|^z[A-Z]`)

func schemaName(name string) bool { return name != "" && schemaLike.MatchString(name) }

// declares reports whether a call makes a schema: of an object, a list, alternatives.
// Others are found where they are used.
func (r *reader) declares(n *syntax.Node) bool {
	for range maxForm {
		callee := n.Kid(0)
		name, arg := builder(lastName(callee)), n.Kid(1)
		switch name {
		case "object":
			if arg.Is(syntax.Object) || arg.Is(syntax.Spread) {
				return true
			}
		case "union", "intersection", "discriminatedUnion", "tuple":
			if n.Kids[len(n.Kids)-1].Is(syntax.List) || n.Kids[len(n.Kids)-1].Is(syntax.Object) || name == "intersection" && len(n.Kids) > 2 {
				return true
			}
		case "enum":
			return arg.Is(syntax.List) || arg.Is(syntax.Object) || schemaName(lastName(callee)) || arg.Is(syntax.Name) || arg.Is(syntax.Member)
		case "lazy":
			return arg.Is(syntax.Func)
		case "array", "record", "literal", "preprocess", "optional", "nullable", "pipe":
			if arg.Is(syntax.Call) || schemaName(dotted(arg)) || name == "literal" && (arg.Is(syntax.String) || arg.Is(syntax.Number)) {
				return true
			}
		case "string", "number", "integer", "boolean":
			return callee.Is(syntax.Member) || strings.HasSuffix(lastName(callee), "Type")
		}
		if !callee.Is(syntax.Member) {
			return arg.Is(syntax.Call) && r.declares(arg) && schemaLike.MatchString(lastName(arg.Kid(0))+"Schema") // wrapped(z.object(...))
		}
		on := callee.Kid(0)
		if !on.Is(syntax.Call) {
			return modifies(callee.Text) && (schemaName(dotted(on)) || r.out.Forms[dotted(on)] != nil)
		}
		n = on
	}
	return false
}

// form reads the form that an expression is; nil if it is none.
func (r *reader) form(n *syntax.Node, depth int) *ir.Form {
	if n == nil || depth > maxForm {
		return nil
	}
	switch n.Kind {
	case syntax.Name:
		if isNone(n) {
			return r.make("null")
		}
		return r.ref(n)
	case syntax.Member:
		if n.Kid(0).Is(syntax.Name) && len(n.Kid(0).Text) <= 2 { // t.string of io-ts
			switch n.Text {
			case "string", "number", "boolean":
				return r.make(n.Text)
			}
		}
		return r.ref(n)
	case syntax.Func: // () => X
		return r.form(result(n), depth+1)
	case syntax.Unary:
		return r.form(n.Kid(0), depth+1)
	case syntax.Object:
		return r.object(n, depth)
	case syntax.Call:
		return r.schema(n, depth)
	}
	return nil
}

// result is what a short function returns.
func result(n *syntax.Node) *syntax.Node {
	body := n.Kid(1)
	if body.Is(syntax.Block) && len(body.Kids) > 0 {
		body = body.Kids[len(body.Kids)-1]
	}
	if body.Is(syntax.Return) {
		body = body.Kid(0)
	}
	return body
}

func (r *reader) ref(n *syntax.Node) *ir.Form {
	name := dotted(n)
	if name == "" || len(name) > maxFormName {
		return nil
	}
	f := r.make(ir.FormRef)
	if f != nil {
		f.Name = name
	}
	return f
}

// schema reads a call: of a builder such as z.object(), of a method of a schema such as
// optional(), or of something around a schema.
func (r *reader) schema(n *syntax.Node, depth int) *ir.Form {
	callee, args := n.Kid(0), n.Kids[1:]
	name := builder(lastName(callee))
	if callee.Is(syntax.Member) {
		on := callee.Kid(0)
		method := on.Is(syntax.Call) || modifies(callee.Text) && isMethod(name, args)
		if method && !(on.Is(syntax.Call) && len(on.Kids) == 1 && namespace(on)) {
			return r.modified(r.form(on, depth+1), name, callee.Text, args, depth)
		}
	}
	if f, known := r.built(name, args, depth); known {
		return f
	}
	if len(args) == 0 {
		return nil
	}
	if args[0].Is(syntax.List) && !r.python { // smartUnion([...])
		return r.union(args[0].Kids, depth)
	}
	if args[0].Is(syntax.Call) || args[0].Is(syntax.Object) || schemaName(dotted(args[0])) { // collectExtraKeys(z.object(...))
		return r.form(args[0], depth+1)
	}
	return nil
}

// namespace reports a call that returns a library: require("zod").
func namespace(n *syntax.Node) bool {
	return n.Kid(0).Is(syntax.Name) && (n.Kid(0).Text == "require" || strings.HasPrefix(n.Kid(0).Text, "require_"))
}

// isMethod reports whether what can be a builder as well is called as a method: the
// builder has the schema as its first argument.
func isMethod(name string, args []*syntax.Node) bool {
	switch name {
	case "optional", "nullable", "nullish", "array", "partial", "required", "list", "record":
		return len(args) == 0 || args[0].Is(syntax.Object) && name != "partial"
	case "default", "catch", "pick", "omit", "extend", "pipe", "merge":
		return len(args) < 2
	case "intersection", "union":
		return false
	}
	return true
}

// modifies reports the methods of schemas that return another one.
func modifies(name string) bool {
	switch name {
	case "extend", "merge", "partial", "deepPartial", "passthrough", "strict", "strip", "optional", "nullable", "nullish", "pick", "omit", "and", "or", "array", "describe", "default", "prefault", "catch", "loose",
		"refine", "superRefine", "transform", "required", "safeExtend", "catchall", "brand", "readonly", "pipe", "meta", "check", "exactOptional", "list", "min", "max", "nonempty", "int":
		return true
	}
	return false
}

// modified reads a method of a schema.
func (r *reader) modified(f *ir.Form, name, method string, args []*syntax.Node, depth int) *ir.Form {
	if f == nil {
		return nil
	}
	switch name {
	case "optional", "default", "catch", "nullish", "prefault", "exactOptional":
		return r.make(ir.FormOptional, f)
	case "nullable":
		return r.make(ir.FormNullable, f)
	case "array", "list":
		return r.make("array", f)
	case "partial", "deepPartial":
		return r.make(ir.FormPartial, f)
	case "required":
		return r.make(ir.FormWhole, f)
	case "pick", "omit":
		return r.chosen(name, f, args)
	case "extend", "merge", "and", "safeExtend", "intersection":
		return r.both(f, args, depth)
	case "or":
		if len(args) == 1 {
			return r.make(ir.FormUnion, f, r.form(args[0], depth+1))
		}
	case "strict", "strictObject":
		if f.Kind == "object" {
			f.Closed = true
		}
	}
	return narrowed(f, method, args)
}

// both joins a form with further ones, which count where both have a member.
func (r *reader) both(f *ir.Form, args []*syntax.Node, depth int) *ir.Form {
	out := r.make(ir.FormAll)
	if out == nil {
		return nil
	}
	for _, a := range slices.Backward(args) {
		if more := r.form(a, depth+1); more != nil {
			out.Of = append(out.Of, more)
		}
	}
	out.Of = append(out.Of, f)
	return out
}

// chosen keeps some members of an object.
func (r *reader) chosen(name string, f *ir.Form, args []*syntax.Node) *ir.Form {
	out := r.make(name, f)
	if out == nil || len(args) == 0 {
		return out
	}
	for _, k := range args[len(args)-1].Kids {
		if len(k.Text) <= maxName && len(out.Words) < maxMembers && k.Text != "" {
			out.Words = append(out.Words, k.Text)
		}
	}
	return out
}

// object reads the members of an object.
func (r *reader) object(n *syntax.Node, depth int) *ir.Form {
	out := r.make("object")
	if out == nil {
		return nil
	}
	var bases []*ir.Form
	for _, p := range n.Kids {
		switch {
		case p.Is(syntax.Spread): // ...Base.shape
			on := p.Kid(0)
			if on.Is(syntax.Member) && (on.Text == "shape" || on.Text == "entries" || on.Text == "props") {
				on = on.Kid(0)
			}
			if f := r.form(on, depth+1); f != nil && len(bases) < maxMembers {
				bases = append(bases, f)
			}
		case p.Is(syntax.Pair) && p.Kid(1) == nil:
			name, f := r.memberForm(p, depth)
			r.member(out, name, f)
		}
	}
	if len(bases) > 0 {
		return r.make(ir.FormAll, append([]*ir.Form{out}, bases...)...)
	}
	return out
}

// memberForm reads the form of a member. Fern's serializers name the member of the
// answer apart: property("user_name", string()).
func (r *reader) memberForm(p *syntax.Node, depth int) (string, *ir.Form) {
	if v := p.Kid(0); v.Is(syntax.Call) && lastName(v.Kid(0)) == "property" && len(v.Kids) == 3 && v.Kid(1).Is(syntax.String) {
		return v.Kid(1).Text, r.form(v.Kid(2), depth+1)
	}
	return p.Text, r.form(p.Kid(0), depth+1)
}

// member adds a member to an object. What is not known may be anything.
func (r *reader) member(out *ir.Form, name string, f *ir.Form) {
	if f == nil {
		f = r.make(ir.FormAny)
	}
	if f != nil && name != "" && len(name) <= maxName && len(out.Members) < maxMembers {
		out.Members = append(out.Members, ir.FormMember{Name: name, Form: f})
	}
}

func isNone(n *syntax.Node) bool {
	return n.Is(syntax.Name) && (n.Text == "null" || n.Text == "undefined" || n.Text == "None")
}
