package condition

import (
	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
)

// Most conditions begin with the kind of event, the phase and the attack class.
// These three alone make many conditions false. So the rules that can match are
// determined once for each combination of the three.

// Sieve is what is known of an event before any condition is evaluated.
type Sieve struct {
	Kind   mcpsf.Kind
	phase  mcpsf.Phase
	attack string
}

// SieveOf returns the sieve of an event.
func SieveOf(e *mcpsf.Event, calls *history.Calls) Sieve {
	s := Sieve{Kind: e.Kind, phase: e.Phase}
	if a := calls.AttackOf(e.Call); a != nil {
		s.attack = a.Class
	}
	return s
}

// answer is the result of a condition when only the sieve is known.
type answer int

// The possible answers. No is exported because rulefile tests for it.
const (
	maybe answer = iota
	yes
	No
)

// Judge evaluates a condition when nothing but the sieve is known.
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
