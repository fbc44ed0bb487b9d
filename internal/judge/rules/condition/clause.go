package condition

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// Bounds on the output about one clause.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const (
	maxClauseText   = 400
	maxClauseValues = 12
)

// Clause is one operand of the top-level && of a condition.
type Clause struct {
	// Text is the clause as expr writes it.
	Text  string
	holds truth
	// looksBack are the indexes of the earlier steps that the clause refers to.
	looksBack []int
	values    []value
}

// value is a field or a call of a predicate in a clause.
type value struct {
	name string
	of   func(*Env) string
}

// Value is the name of a field or call in a clause, and its value as text.
type Value struct{ Name, Text string }

// Clauses splits a condition at its top-level &&.
func (c *Condition) Clauses() []Clause {
	var out []Clause
	for _, n := range conjuncts(c.Tree) {
		t := &translator{steps: c.steps, used: map[string]bool{}}
		clause := Clause{Text: quote.Cut(n.String(), maxClauseText), holds: t.truth(n), values: t.valuesIn(n)}
		for i, name := range c.steps {
			if t.used[name] {
				clause.looksBack = append(clause.looksBack, i)
			}
		}
		out = append(out, clause)
	}
	return out
}

// conjuncts returns the operands of the top-level && of a tree.
func conjuncts(n ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && (b.Operator == "&&" || b.Operator == "and") {
		return append(conjuncts(b.Left), conjuncts(b.Right)...)
	}
	return []ast.Node{n}
}

// Ask says whether the clause holds, and the values of its fields and
// predicates. A clause that fails, or refers to a step without an event, does
// not hold and says why.
func (c *Clause) Ask(e *Env) (holds bool, values []Value) {
	for _, i := range c.looksBack {
		if i >= len(e.Steps) || e.Steps[i] == nil {
			return false, []Value{{"step " + strconv.Itoa(i+1), "no event before this one"}}
		}
	}
	defer func() {
		if broken := recover(); broken != nil {
			holds, values = false, append(values, Value{"failed", fmt.Sprint(broken)})
		}
	}()
	for _, v := range c.values {
		values = append(values, Value{v.name, v.of(e)})
	}
	return c.holds(e), values
}

// valuesIn finds the fields and calls in a clause, each once, in their order.
func (t *translator) valuesIn(n ast.Node) []value {
	find := &finder{t: t}
	ast.Walk(&n, find)
	return find.found
}

// finder collects the fields and calls of a clause.
type finder struct {
	t     *translator
	found []value
}

// Visit implements [ast.Visitor].
func (f *finder) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if fieldNamed(n.Value) != nil {
			f.add(n)
		}
	case *ast.MemberNode:
		if step, ok := n.Node.(*ast.IdentifierNode); ok && slices.Contains(f.t.steps, step.Value) {
			f.add(n)
		}
	case *ast.CallNode:
		if !strings.Contains(n.String(), "#") { // # refers to a list element
			f.add(n)
		}
	}
}

func (f *finder) add(n ast.Node) {
	name := quote.Cut(n.String(), maxClauseText)
	if len(f.found) >= maxClauseValues || slices.ContainsFunc(f.found, func(v value) bool { return v.name == name }) {
		return
	}
	if of := f.t.shown(n); of != nil {
		f.found = append(f.found, value{name, of})
	}
}

// shown returns a function that prints the value of a field or call.
func (t *translator) shown(n ast.Node) func(*Env) string {
	switch kindOf(n) {
	case reflect.Bool:
		if of := t.truth(n); of != nil {
			return func(e *Env) string { return strconv.FormatBool(of(e)) }
		}
	case reflect.String:
		if of := t.text(n); of != nil {
			return func(e *Env) string { return strconv.Quote(quote.Cut(of(e), maxClauseText)) }
		}
	case reflect.Float64:
		if of := t.number(n); of != nil {
			return func(e *Env) string { return strconv.FormatFloat(of(e), 'g', -1, 64) }
		}
	case reflect.Slice:
		if of := t.list(n); of != nil {
			return func(e *Env) string { return quote.Cut(fmt.Sprintf("%q", of(e)), maxClauseText) }
		}
	}
	return nil
}

var _ ast.Visitor = (*finder)(nil)
