package rules

import (
	"errors"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"go.yaml.in/yaml/v3"
)

// maxPredicates bounds the loops in a condition. expr has no time limit; with
// two loops over lists of at most [maxArgs] elements a condition is short.
const maxPredicates = 2

// compile turns a condition into a program, nil when it cannot.
func (p *parser) compile(when string) *vm.Program {
	if when == "" || len(when) > maxWhen {
		return nil
	}
	bound := &bounder{}
	// The type of env and not a pointer to it: expr then knows each field's
	// place and does not look it up by name for every event.
	options := []expr.Option{
		expr.Env(env{}), expr.AsBool(), expr.WarnOnAny(), expr.MaxNodes(1000),
		expr.Patch(bound), expr.DisableAllBuiltins(),
	}
	for _, name := range []string{"any", "all", "none", "count", "len", "lower"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(when, options...)
	if err == nil && bound.problem != "" {
		err = errors.New(bound.problem)
	}
	if err != nil {
		p.conditionError(err)
		return nil
	}
	return program
}

// conditionError finds the line of the file the error stands on.
func (p *parser) conditionError(err error) {
	line, text := p.at("when"), err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		text = e.Message
		line += e.Line - 1
		if n := p.keys["when"]; n != nil && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line++ // the text begins on the line below the key
		}
	}
	p.problem(line, "when: %s", text)
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
