package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"go.yaml.in/yaml/v3"
)

// maxPredicates bounds the loops in a condition. expr has no time limit; with
// two loops over lists of at most [maxArgs] elements a condition is short.
const maxPredicates = 2

// condition is a compiled condition.
type condition struct {
	holds truth
	// tree is what it was translated from.
	tree ast.Node
	// looksBack names the earlier steps whose fields it looks at.
	looksBack map[string]bool
}

// compile turns the condition at a place of the file into a function. Steps are
// the names of those that come before it in a sequence.
func (p *parser) compile(when string, at *yaml.Node, steps []string) condition {
	if when == "" || len(when) > maxWhen {
		return condition{}
	}
	bound := &bounder{}
	options := []expr.Option{
		expr.Env(vocabulary(steps)), expr.AsBool(), expr.WarnOnAny(), expr.MaxNodes(1000),
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
		p.conditionError(err, at)
		return condition{}
	}
	t := &translator{steps: steps, used: map[string]bool{}}
	holds := t.truth(program.Node())
	if t.bad != nil {
		err := &file.Error{Location: t.bad.Location(), Message: fmt.Sprintf("%s is not part of the language of rules", t.bad)}
		p.conditionError(err.Bind(program.Source()), at)
	}
	return condition{holds, program.Node(), t.used}
}

// conditionError finds the line of the file the error stands on.
func (p *parser) conditionError(err error, node *yaml.Node) {
	at, text := line(node), err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		text = e.Message
		at += e.Line - 1
		if node != nil && node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			at++ // the text begins on the line below the key
		}
	}
	if node != nil && node.Style == 0 && strings.Contains(text, "EOF") {
		text += "; if there is a # in it, write it below \"when: >-\", because YAML takes the rest of the line for a comment"
	}
	p.problem(at, "when: %s", text)
}

// bounder refuses what could make a condition run long.
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
