package condition

import (
	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
)

// Most conditions begin with what kind of event they are about, in which phase,
// and whether there was which attack. With that alone known many of them are
// false whatever else is true. So the rules that are worth asking are found once
// for each such combination.

// Sieve is what is known of an event before anything is asked about it.
type Sieve struct {
	Kind   mcpsf.Kind
	phase  mcpsf.Phase
	attack string
}

// SieveOf is the one that an event falls through.
func SieveOf(e *mcpsf.Event, calls *history.Calls) Sieve {
	s := Sieve{Kind: e.Kind, phase: e.Phase}
	if a := calls.AttackOf(e.Call); a != nil {
		s.attack = a.Class
	}
	return s
}

// answer to a condition of which not all is known.
type answer int

// The answers. No is the one that others ask for.
const (
	maybe answer = iota
	yes
	No
)

// Judge says what a condition comes to if no more is known than the sieve.
func (s Sieve) Judge(n ast.Node) answer {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return negated(s.Judge(n.Node))
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&", "and":
			return both(s.Judge(n.Left), s.Judge(n.Right))
		case "||", "or":
			return negated(both(negated(s.Judge(n.Left)), negated(s.Judge(n.Right))))
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
		return No
	case No:
		return yes
	}
	return maybe
}

func both(a, b answer) answer {
	switch {
	case a == No || b == No:
		return No
	case a == yes && b == yes:
		return yes
	}
	return maybe
}

func (s Sieve) equals(field, value ast.Node) answer {
	name, isName := field.(*ast.IdentifierNode)
	text, fixed := value.(*ast.StringNode)
	if !isName || !fixed {
		return maybe
	}
	known := map[string]string{"Kind": string(s.Kind), "Phase": string(s.phase), "Attack": s.attack}
	is, ok := known[name.Value]
	switch {
	case !ok:
		return maybe
	case is == text.Value:
		return yes
	}
	return No
}

func (s Sieve) among(field, values ast.Node) answer {
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
