package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// class makes a node of a class. All instances are one node.
func (b *models) class(n *syntax.Node) val {
	node := b.freshIn(0)
	instance := b.member(node, Instance)
	if instance == 0 {
		return val{}
	}
	outer := b.this
	b.this = instance
	data := b.classData(n, node, instance)
	b.push(true)
	for _, m := range n.Kid(0).Kids {
		b.classMember(m, node, instance, data)
	}
	// Methods run when all names around the class are known.
	bodies := b.scope.later
	b.scope.later = nil
	b.pop()
	b.scope.later = append(b.scope.later, bodies...)
	b.this = outer
	return val{node: node}
}

func (b *models) classMember(m *syntax.Node, node, instance, data int) {
	switch {
	case m.Is(syntax.Func):
		b.validator(m, data)
		f := b.function(m)
		b.same(b.member(instance, m.Text), f.node)
		b.same(b.member(node, m.Text), f.node)
	case m.Is(syntax.Assign) && m.Kid(2) != nil && m.Kid(0).Is(syntax.Name) && data != 0:
		name := m.Kid(0).Text
		if field := b.alias(m.Kid(1)); field != "" {
			name = field
		}
		if to := b.member(data, name); to != 0 {
			b.use(to, ir.UseRead)
			b.same(to, b.annotation(m.Kid(2), 0))
			b.constrained(to, m.Kid(1))
		}
	case m.Is(syntax.Assign) && m.Kid(0).Is(syntax.Name):
		value := b.store(b.expr(m.Kid(1)))
		b.same(b.member(instance, m.Kid(0).Text), value)
		if value != 0 && b.out.Nodes[value].Text != nil { // a constant of the class
			b.same(b.member(node, m.Kid(0).Text), value)
		}
	default:
		b.statement(m)
	}
}

// alias returns the name that a field has in JSON.
func (b *models) alias(n *syntax.Node) string {
	if !n.Is(syntax.Call) {
		return ""
	}
	for _, a := range n.Kids[1:] {
		if a.Is(syntax.Keyword) && (a.Text == "alias" || a.Text == "validation_alias") && a.Kid(0).Is(syntax.String) {
			return a.Kid(0).Text
		}
	}
	return ""
}

// classData returns the node of the data that a class describes, 0 if it does
// not: of pydantic models, typed dictionaries and data classes. A class has what
// its base has.
func (b *models) classData(n *syntax.Node, node, instance int) int {
	var described bool
	var uses ir.Uses
	for _, base := range n.Kids[min(1, len(n.Kids)):] {
		if base.Is(syntax.Other) && base.Text == "decorators" {
			for _, d := range base.Kids {
				described = described || lastName(d) == "dataclass" || lastName(d) == "define"
			}
			continue
		}
		switch lastName(base) {
		case "BaseModel", "TypedDict", "SQLModel":
			described, uses = true, ir.UseModel
		case "Enum", "StrEnum", "IntEnum":
			b.enumerated(n, node)
		case "object", "ABC", "Exception", "Error", "str", "int", "Protocol", "":
		default:
			if v := b.expr(base); v.node != 0 {
				b.same(instance, b.member(v.node, Instance))
				if _, ok := b.links[link{v.node, Schema}]; ok {
					described, uses = true, ir.UseModel
				}
			}
		}
	}
	if !described || !b.python {
		return 0
	}
	data := b.member(node, Schema)
	b.use(data, ir.UseObject|ir.UseRead|uses)
	if data != 0 && len(n.Text) <= maxName {
		b.out.Nodes[data].Name = n.Text
	}
	b.same(instance, data)
	return data
}

// enumerated makes the form of data that an enumeration describes.
func (b *models) enumerated(n *syntax.Node, node int) {
	if !b.python {
		return
	}
	list := &syntax.Node{Kind: syntax.List}
	for _, m := range n.Kid(0).Kids {
		if m.Is(syntax.Assign) && (m.Kid(1).Is(syntax.String) || m.Kid(1).Is(syntax.Number)) {
			list.Kids = append(list.Kids, m.Kid(1))
		}
	}
	b.same(b.member(node, Schema), b.literals([]*syntax.Node{list}))
}

func lastName(n *syntax.Node) string {
	if n.Is(syntax.Call) {
		n = n.Kid(0)
	}
	if n.Is(syntax.Name) || n.Is(syntax.Member) {
		return n.Text
	}
	return ""
}

// annotated gives a value the type that a Python annotation names.
func (b *models) annotated(a *syntax.Node, v val) val {
	if v.node == 0 && (a.Is(syntax.Name) || a.Is(syntax.Index)) && len(v.text) == 0 && v.path == "" {
		return v
	}
	switch {
	case a.Is(syntax.Name), a.Is(syntax.Index):
		if v.node != 0 {
			b.same(v.node, b.annotation(a, 0))
		}
	}
	return v
}

// annotation makes the node of data that a Python annotation describes.
func (b *models) annotation(n *syntax.Node, depth int) int {
	if n == nil || depth > 8 {
		return 0
	}
	switch n.Kind {
	case syntax.Name, syntax.Member:
		return b.named(n)
	case syntax.String: // a name that is defined later
		if at, _ := b.scope.find(n.Text); at != nil && len(at.vals) > 0 {
			return b.member(at.vals[0].node, Schema)
		}
	case syntax.Binary: // X | None
		if isNone(n.Kid(0)) {
			return b.annotation(n.Kid(1), depth+1)
		}
		return b.annotation(n.Kid(0), depth+1)
	case syntax.Index:
		return b.generic(n, depth)
	case syntax.Call: // conint(ge=1)
		uses := map[string]ir.Uses{"conint": ir.UseNumber, "confloat": ir.UseNumber, "condecimal": ir.UseNumber, "constr": ir.UseString, "conlist": ir.UseArray}[lastName(n)]
		if uses == 0 {
			return 0
		}
		out := b.model(uses)
		b.constrained(out, n)
		return out
	}
	return 0
}

func (b *models) named(n *syntax.Node) int {
	switch n.Text {
	case "str":
		return b.model(ir.UseString)
	case "datetime", "date", "HttpUrl", "AnyUrl", "EmailStr", "UUID", "UUID4":
		return b.formatted(n.Text)
	case "int", "float", "Decimal":
		return b.model(ir.UseNumber)
	case "bool":
		return b.model(ir.UseBoolean)
	case "list", "List":
		return b.model(ir.UseArray)
	case "dict", "Dict":
		return b.model(ir.UseObject)
	case "Any", "None", "object":
		return 0
	}
	v := b.expr(n)
	return b.member(v.node, Schema)
}

func (b *models) generic(n *syntax.Node, depth int) int {
	args := []*syntax.Node{n.Kid(1)}
	if n.Kid(1).Is(syntax.List) {
		args = n.Kid(1).Kids
	}
	if len(args) == 0 {
		return 0
	}
	switch lastName(n.Kid(0)) {
	case "list", "List", "Sequence", "Iterable", "set", "Set", "tuple", "Tuple":
		out := b.model(ir.UseArray)
		b.same(b.member(out, Element), b.annotation(args[0], depth+1))
		return out
	case "dict", "Dict", "Mapping":
		return b.model(ir.UseObject)
	case "Literal":
		return b.literals([]*syntax.Node{{Kind: syntax.List, Kids: args}})
	case "Annotated":
		out := b.annotation(args[0], depth+1)
		for _, a := range args[1:] {
			b.constrained(out, a)
		}
		return out
	case "Optional", "Required", "NotRequired", "Union", "ClassVar":
		if isNone(args[0]) && len(args) > 1 {
			return b.annotation(args[1], depth+1)
		}
		return b.annotation(args[0], depth+1)
	}
	return 0
}
