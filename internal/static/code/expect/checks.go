package expect

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// checks are the comparisons of one value, with the constants that it is compared
// with: what must be, what may be, and what must not be.
type checks struct {
	must, may, not []string
	// number and text say of which type the constants are.
	number, text bool
	truth        bool
	limits       []ir.FlowTest
	lengths      []ir.FlowTest
	forms        []ir.FlowTest
	format       string
}

// checksOf reads the comparisons of a node.
func (w *writer) checksOf(at *node) *checks {
	c := &checks{may: at.accepted, number: at.uses&ir.UseNumber != 0}
	for _, t := range at.tests {
		if t.Node == 0 {
			c.add(t)
			continue
		}
		words, number := w.graph.constant(t.Node)
		for _, word := range words {
			c.number, c.text = c.number || number, c.text || !number
			switch t.Value = word; t.Op {
			case "in":
				t.Op = "=="
			case "not in":
				t.Op = "!="
			}
			c.add(t)
		}
	}
	return c
}

func (c *checks) add(t ir.FlowTest) {
	switch op := t.Op; {
	case strings.HasPrefix(op, "#"):
		t.Op = op[1:]
		c.lengths = append(c.lengths, t)
	case op == "==" && t.Must:
		c.must = appendNew(c.must, t.Value)
	case op == "==":
		c.may = appendNew(c.may, t.Value)
	case op == "!=":
		c.not = appendNew(c.not, t.Value)
	case op == "true":
		c.truth = true
	case op == "<", op == ">", op == "<=", op == ">=":
		c.limits = append(c.limits, t)
		c.number = true
	case op == "format" && c.format == "" && formatName.MatchString(t.Value):
		c.format = t.Value
	case op == "^", op == "$", op == "~", op == "has":
		c.forms = append(c.forms, t)
	}
}

func appendNew(list []string, word string) []string {
	if len(list) >= maxTests || slices.Contains(list, word) {
		return list
	}
	return append(slices.Clip(list), word)
}

// constant returns the constant that a node is, or those of a list.
func (g *graph) constant(n int) (words []string, number bool) {
	at := &g.nodes[g.find(n)]
	switch {
	case at.ambiguous:
	case len(at.words) > 0:
		return at.words, numeric(at.words[0])
	case len(at.text) == 1 && at.text[0].Node == 0 && at.text[0].Text != "":
		return []string{at.text[0].Text}, at.uses&ir.UseNumber != 0
	}
	return nil, false
}

// typeOf decides by the constants for a type that nothing else tells.
func (c *checks) typeOf(usual string) string {
	all := slices.Concat(c.must, c.may, c.not)
	boolean := func(w string) bool { return w == "true" || w == "false" }
	switch {
	case len(c.must) > 0 && !c.text && !slices.ContainsFunc(c.must, func(w string) bool { return !boolean(w) }):
		return "boolean"
	case c.number && (len(all) > 0 || len(c.limits) > 0) && !slices.ContainsFunc(all, func(w string) bool { return !numeric(w) }):
		return "number"
	case len(all) > 0 && !c.number || len(c.forms) > 0 && c.forms[0].Op != "has" || c.text:
		return "string"
	case c.format != "":
		return "string"
	case len(c.lengths) > 0 && usual == "":
		return "array"
	}
	return usual
}

// values returns the values that may be sent, the best one first, and whether the
// program fails with others.
func (c *checks) values(kind string) (list []string, required bool) {
	switch kind {
	case "array":
		return c.size(), false
	case "number":
		list, required = c.numbers()
	case "string", "boolean":
		list, required = c.words()
	}
	list = slices.DeleteFunc(slices.Clone(list), func(w string) bool { return slices.Contains(c.not, w) })
	list = accepted(list, kind)
	return list, required && len(list) > 0
}

// words are the texts, or the truth values.
func (c *checks) words() (list []string, required bool) {
	if len(c.must) > 0 {
		return c.must, true
	}
	if made := c.formed(); made != "" {
		return []string{made}, true
	}
	if len(c.may) == 0 && slices.ContainsFunc(c.not, usualWord) {
		return []string{"normal", "usual"}, true
	}
	return c.may, false
}

// usualWord reports the values that are answered if nothing tells.
func usualWord(word string) bool {
	switch word {
	case "active", "open", "ready", "standard":
		return true
	}
	return false
}

// inside are the constants that a list must have.
func (c *checks) inside() []string {
	var out []string
	for _, t := range c.forms {
		if t.Op == "has" && t.Must {
			out = appendNew(out, t.Value)
		}
	}
	return accepted(out, "string")
}

// unwanted writes a member whose presence is an error; nil if it is none.
func (w *writer) unwanted(n int, name string) *mcpsf.Shape {
	at := &w.graph.nodes[n]
	var out *mcpsf.Shape
	for _, t := range at.tests {
		switch t.Op {
		case "null":
			return &mcpsf.Shape{Type: "null"}
		case "absent":
			out = &mcpsf.Shape{Absent: true}
		case "==", "true", "^", "~", "in":
			if t.Must {
				return nil // some code needs it
			}
		}
	}
	if indexed := at.uses&ir.UseIndexed != 0; out == nil && indexed && (trouble.MatchString(name) || more.MatchString(name)) {
		return &mcpsf.Shape{Type: "null"}
	}
	return out
}
