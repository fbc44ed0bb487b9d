package rulefile

import (
	"errors"
	"strings"

	"github.com/expr-lang/expr/file"
	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
)

// compile compiles a condition at a position of the file.
func (p *parser) compile(when string, at *yaml.Node, steps []string) condition.Condition {
	if when == "" || len(when) > maxWhen {
		return condition.Condition{}
	}
	c, err := condition.Compile(when, steps)
	if err != nil {
		p.conditionError(err, at)
	}
	return c
}

// conditionError finds the line of the file that the error refers to.
func (p *parser) conditionError(err error, node *yaml.Node) {
	at, text := line(node), err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		text = e.Message
		at += e.Line - 1
		if node != nil && node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			at++ // a block text begins on the line below its key
		}
	}
	if node != nil && node.Style == 0 && strings.Contains(text, "EOF") {
		text += "; if there is a # in it, write it below \"when: >-\", because YAML takes the rest of the line for a comment"
	}
	p.problem(at, "when: %s", text)
}
