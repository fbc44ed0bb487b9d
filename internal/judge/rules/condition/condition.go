package condition

import (
	"errors"
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// maxPredicates bounds the loops in a condition. expr has no time limit; two
// loops over lists of at most [lex.MaxArgs] elements end quickly.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const maxPredicates = 2

// Condition is a compiled condition.
type Condition struct {
	Holds truth
	// Tree is the syntax tree that the condition was compiled from.
	Tree ast.Node
	// LooksBack names the earlier steps whose fields the condition reads.
	LooksBack map[string]bool
	// steps are the names of the earlier steps.
	steps []string
}

// Compile turns a condition into a function. steps are the names of the earlier
// steps of the sequence.
func Compile(when string, steps []string) (Condition, error) {
	bound := &bounder{}
	options := []expr.Option{
		expr.Env(Vocabulary(steps)), expr.AsBool(), expr.WarnOnAny(), expr.MaxNodes(1000),
		expr.Patch(bound), expr.DisableAllBuiltins(), expr.Optimize(false),
	}
	for _, name := range []string{"any", "all", "none", "count", "len", "lower"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(when, options...)
	if err == nil && bound.problem != "" {
		err = errors.New(bound.problem)
	}
	if err != nil {
		return Condition{}, err
	}
	t := &translator{steps: steps, used: map[string]bool{}}
	holds := t.truth(program.Node())
	if t.bad != nil {
		bad := &file.Error{Location: t.bad.Location(), Message: fmt.Sprintf("%s is not part of the language of rules", t.bad)}
		return Condition{}, bad.Bind(program.Source())
	}
	return Condition{holds, program.Node(), t.used, steps}, nil
}

// Names tells whether the condition names a field of the event.
func (c *Condition) Names(field string) bool {
	if c.Tree == nil {
		return false
	}
	s := &search{field: field}
	tree := c.Tree
	ast.Walk(&tree, s)
	return s.found
}

// search looks for a name in a condition.
type search struct {
	field string
	found bool
}

// Visit implements [ast.Visitor].
func (s *search) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.IdentifierNode)
	s.found = s.found || ok && n.Value == s.field
}

// bounder rejects conditions that could run for a long time.
type bounder struct {
	predicates int
	problem    string
}

// Visit implements [ast.Visitor].
func (b *bounder) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BinaryNode:
		if n.Operator == ".." {
			b.problem = "ranges (a..b) are not allowed"
		}
		if _, fixed := n.Right.(*ast.StringNode); n.Operator == "matches" && !fixed {
			b.problem = "the right side of matches must be a string in quotes"
		}
	case *ast.PredicateNode:
		if b.predicates++; b.predicates > maxPredicates {
			b.problem = "too many any/all/none/count in one condition"
		}
	}
}

var _ ast.Visitor = (*bounder)(nil)
