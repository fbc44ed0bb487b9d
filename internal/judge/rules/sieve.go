package rules

import (
	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf"
)

// Most conditions begin with what kind of event they are about, in which phase,
// and whether there was which attack. With that alone known many of them are
// false whatever else is true. So the rules that are worth asking are found once
// for each such combination.

// sieve is what is known of an event before anything is asked about it.
type sieve struct {
	kind   mcpsf.Kind
	phase  mcpsf.Phase
	attack string
}

// sieveOf is the one that an event falls through.
func sieveOf(e *mcpsf.Event, calls *callLog) sieve {
	s := sieve{kind: e.Kind, phase: e.Phase}
	if a := calls.attackOf(e.Call); a != nil {
		s.attack = a.Class
	}
	return s
}

// answer to a condition of which not all is known.
type answer int

const (
	maybe answer = iota
	yes
	no
)

func (s sieve) judge(n ast.Node) answer {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return negated(s.judge(n.Node))
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&", "and":
			return both(s.judge(n.Left), s.judge(n.Right))
		case "||", "or":
			return negated(both(negated(s.judge(n.Left)), negated(s.judge(n.Right))))
		case "==":
			return s.equals(n.Left, n.Right)
		case "!=":
			return negated(s.equals(n.Left, n.Right))
		case "in":
			return s.among(n.Left, n.Right)
		}
	}
	return maybe
}

func negated(a answer) answer {
	switch a {
	case yes:
		return no
	case no:
		return yes
	}
	return maybe
}

func both(a, b answer) answer {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return maybe
}

func (s sieve) equals(field, value ast.Node) answer {
	name, isName := field.(*ast.IdentifierNode)
	text, fixed := value.(*ast.StringNode)
	if !isName || !fixed {
		return maybe
	}
	known := map[string]string{"Kind": string(s.kind), "Phase": string(s.phase), "Attack": s.attack}
	is, ok := known[name.Value]
	switch {
	case !ok:
		return maybe
	case is == text.Value:
		return yes
	}
	return no
}

func (s sieve) among(field, values ast.Node) answer {
	list, ok := values.(*ast.ArrayNode)
	if !ok {
		return maybe
	}
	none := yes
	for _, value := range list.Nodes {
		none = both(none, negated(s.equals(field, value)))
	}
	return negated(none)
}
