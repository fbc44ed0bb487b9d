package contract

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// annotations reads the types of Python.
type annotations struct{ *reader }

// class reads the form that a class of Python describes: of pydantic, msgspec, attrs,
// a data class, a typed dictionary, an enumeration. A class has what its bases have.
func (r annotations) class(n *syntax.Node) {
	if n.Text == "" {
		return
	}
	var bases []*ir.Form
	for _, base := range n.Kids[min(1, len(n.Kids)):] {
		if base.Is(syntax.Other) || base.Is(syntax.Keyword) || len(bases) >= maxWords {
			continue
		}
		switch name := lastName(base); name {
		case "Enum", "StrEnum", "IntEnum":
			r.put(n.Text, r.words(n))
			return
		case "RootModel":
			if base.Is(syntax.Index) {
				r.put(n.Text, r.annotation(base.Kid(1), 0))
				return
			}
		case "Exception", "Error", "Protocol", "ABC", "Generic", "object", "BaseModel", "TypedDict", "Struct", "str", "int", "":
		default:
			if f := r.ref(base); f != nil {
				bases = append(bases, f)
			}
		}
	}
	f := r.fields(n)
	switch {
	case f == nil || len(f.Members) == 0 && len(bases) == 0:
	case len(bases) == 0:
		r.put(n.Text, f)
	default:
		r.put(n.Text, r.make(ir.FormAll, append([]*ir.Form{f}, bases...)...))
	}
}

// words reads the constants of an enumeration.
func (r annotations) words(n *syntax.Node) *ir.Form {
	var list []*syntax.Node
	for _, m := range n.Kid(0).Kids {
		if m.Is(syntax.Assign) && (m.Kid(1).Is(syntax.String) || m.Kid(1).Is(syntax.Number)) {
			list = append(list, m.Kid(1))
		}
	}
	return r.literal(list)
}

// fields reads the annotated fields of a class.
func (r annotations) fields(n *syntax.Node) *ir.Form {
	out := r.make("object")
	if out == nil {
		return nil
	}
	for _, m := range n.Kid(0).Kids {
		if !m.Is(syntax.Assign) || m.Kid(2) == nil || !m.Kid(0).Is(syntax.Name) || strings.HasPrefix(m.Kid(0).Text, "__") {
			continue
		}
		if lastName(m.Kid(2)) == "ClassVar" || lastName(m.Kid(2)) == "PrivateAttr" {
			continue
		}
		name, f := m.Kid(0).Text, r.annotation(m.Kid(2), 0)
		if alias := aliasOf(m.Kid(1), m.Kid(2)); alias != "" {
			name = alias
		}
		if f == nil {
			f = r.make(ir.FormAny)
		}
		for _, field := range fieldCalls(m.Kid(1), m.Kid(2)) {
			f = constrained(f, field)
		}
		if hasDefault(m.Kid(1)) {
			f = r.make(ir.FormOptional, f)
		}
		r.member(out, name, f)
	}
	return out
}

// fieldCalls are the calls that say more about a field: Field(alias="x"), in its value
// or in Annotated.
func fieldCalls(value, annotation *syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	if value.Is(syntax.Call) {
		out = append(out, value)
	}
	if annotation.Is(syntax.Index) && lastName(annotation.Kid(0)) == "Annotated" {
		for _, k := range annotation.Kid(1).Kids {
			if k.Is(syntax.Call) {
				out = append(out, k)
			}
		}
	}
	return out
}

// aliasOf is the name that a field has in JSON.
func aliasOf(value, annotation *syntax.Node) string {
	for _, c := range fieldCalls(value, annotation) {
		for _, a := range c.Kids[1:] {
			if a.Is(syntax.Keyword) && (a.Text == "alias" || a.Text == "validation_alias" || a.Text == "name" && lastName(c.Kid(0)) == "field" || a.Text == "rename") && a.Kid(0).Is(syntax.String) {
				return a.Kid(0).Text
			}
		}
		if lastName(c.Kid(0)) == "FieldMetadata" || lastName(c.Kid(0)) == "PropertyInfo" {
			continue
		}
	}
	return ""
}

// hasDefault reports whether a field may be missing.
func hasDefault(v *syntax.Node) bool {
	if v == nil {
		return false
	}
	if !v.Is(syntax.Call) {
		return !v.Is(syntax.Other) || len(v.Kids) > 0 || v.Text != "..." && v.Text != ""
	}
	if name := lastName(v.Kid(0)); name != "Field" && name != "field" && name != "attrib" && name != "ib" && name != "FieldInfo" {
		return true
	}
	for i, a := range v.Kids[1:] {
		switch {
		case a.Is(syntax.Keyword) && (a.Text == "default" || a.Text == "default_factory" || a.Text == "factory"):
			return !ellipsis(a.Kid(0))
		case i == 0 && !a.Is(syntax.Keyword):
			return !ellipsis(a)
		}
	}
	return false
}

func ellipsis(n *syntax.Node) bool {
	return n.Is(syntax.Other) && len(n.Kids) == 0 || n.Is(syntax.Name) && (n.Text == "..." || n.Text == "Ellipsis")
}

// constrained adds the constraints of Field(ge=1, pattern="...").
func constrained(f *ir.Form, call *syntax.Node) *ir.Form {
	names := map[string]string{"gt": "gt", "ge": "gte", "lt": "lt", "le": "lte", "min_length": "minLength", "max_length": "maxLength", "pattern": "pattern", "regex": "pattern"}
	for _, a := range call.Kids[1:] {
		if name := names[a.Text]; a.Is(syntax.Keyword) && name != "" && a.Kid(0) != nil {
			f = narrowed(f, name, a.Kids[:1])
		}
	}
	return f
}

// annotation reads a type of Python.
func (r annotations) annotation(n *syntax.Node, depth int) *ir.Form {
	if n == nil || depth > maxForm {
		return nil
	}
	switch n.Kind {
	case syntax.Name, syntax.Member:
		return r.typeNamed(n)
	case syntax.String: // a name that is defined later
		return r.typeText(n.Text)
	case syntax.Binary: // X | None
		return r.either(n.Kids, depth)
	case syntax.Index:
		args := []*syntax.Node{n.Kid(1)}
		if n.Kid(1).Is(syntax.List) {
			args = n.Kid(1).Kids
		}
		return r.generic(lastName(n.Kid(0)), args, depth)
	case syntax.Call: // conint(ge=1), TypeAdapter(X)
		kind := map[string]string{"conint": ir.FormInteger, "confloat": "number", "condecimal": "number", "constr": "string", "conlist": "array"}[lastName(n.Kid(0))]
		if kind != "" {
			return constrained(r.make(kind), n)
		}
		if lastName(n.Kid(0)) == "TypeAdapter" {
			return r.annotation(n.Kid(1), depth+1)
		}
	}
	return nil
}

// typeNamed reads a type that is only a name.
func (r annotations) typeNamed(n *syntax.Node) *ir.Form {
	switch n.Text {
	case "str", "StrictStr", "String":
		return r.make("string")
	case "int", "StrictInt", "PositiveInt", "NonNegativeInt":
		return r.make(ir.FormInteger)
	case "float", "StrictFloat", "Decimal":
		return r.make("number")
	case "bool", "StrictBool":
		return r.make("boolean")
	case "None", "NoneType":
		return r.make("null")
	case "Any", "object", "Json":
		return r.make(ir.FormAny)
	case "list", "List", "tuple", "set":
		return r.make("array")
	case "dict", "Dict", "Mapping":
		return r.make(ir.FormRecord)
	case "bytes":
		return r.make("string")
	case "datetime", "AwareDatetime", "NaiveDatetime":
		return narrowed(r.make("string"), "datetime", nil)
	case "date":
		return narrowed(r.make("string"), "date", nil)
	case "HttpUrl", "AnyUrl", "AnyHttpUrl":
		return narrowed(r.make("string"), "url", nil)
	case "EmailStr":
		return narrowed(r.make("string"), "email", nil)
	case "UUID", "UUID4":
		return narrowed(r.make("string"), "uuid", nil)
	}
	return r.ref(n)
}

func (r annotations) generic(name string, args []*syntax.Node, depth int) *ir.Form {
	if len(args) == 0 {
		return nil
	}
	switch name {
	case "list", "List", "Sequence", "Iterable", "set", "Set", "frozenset", "conlist", "SyncPage", "Page":
		return r.make("array", r.annotation(args[0], depth+1))
	case "tuple", "Tuple":
		return r.make(ir.FormTuple, r.types(args, depth)...)
	case "dict", "Dict", "Mapping", "MutableMapping":
		return r.make(ir.FormRecord, r.annotation(args[len(args)-1], depth+1))
	case "Literal":
		return r.literal(args)
	case "Annotated":
		f := r.annotation(args[0], depth+1)
		for _, a := range args[1:] {
			if a.Is(syntax.Call) {
				f = constrained(f, a)
			}
		}
		return f
	case "Optional", "Nullable", "OptionalNullable":
		return r.make(ir.FormNullable, r.annotation(args[0], depth+1))
	case "NotRequired":
		return r.make(ir.FormOptional, r.annotation(args[0], depth+1))
	case "Required", "Final", "Type", "ReadOnly":
		return r.annotation(args[0], depth+1)
	case "Union":
		return r.either(args, depth)
	}
	return nil
}

func (r annotations) types(args []*syntax.Node, depth int) []*ir.Form {
	var out []*ir.Form
	for _, a := range args[:min(len(args), maxWords)] {
		if f := r.annotation(a, depth+1); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// either reads alternatives, of which None means that it may be null.
func (r annotations) either(args []*syntax.Node, depth int) *ir.Form {
	some := slices.DeleteFunc(slices.Clone(args), isNone)
	f := r.make(ir.FormUnion, r.types(some, depth)...)
	if f != nil && len(f.Of) == 1 {
		f = f.Of[0]
	}
	if len(some) < len(args) {
		f = r.make(ir.FormNullable, f)
	}
	return f
}

// typeText reads a type that is written as a text: "List[User]".
func (r annotations) typeText(text string) *ir.Form {
	name, rest, generic := strings.Cut(strings.TrimSpace(text), "[")
	inner, closed := strings.CutSuffix(rest, "]")
	switch {
	case len(text) > maxFormName || strings.ContainsAny(name, "]|, "):
		return nil
	case !generic:
		return r.typeNamed(&syntax.Node{Kind: syntax.Name, Text: name})
	case !closed:
		return nil
	}
	if i := strings.LastIndexByte(inner, ','); i >= 0 && !strings.Contains(inner, "[") {
		inner = inner[i+1:]
	}
	of := r.typeText(inner)
	switch name {
	case "List", "list":
		return r.make("array", of)
	case "Dict", "dict":
		return r.make(ir.FormRecord, of)
	case "Optional":
		return r.make(ir.FormNullable, of)
	}
	return of
}
