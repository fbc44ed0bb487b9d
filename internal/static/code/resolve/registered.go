package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// registered handles server.tool(name, description, schema, handler) in its
// forms.
func (tf *toolFinder) registered(n *syntax.Node, args []*syntax.Node, sc *scope) {
	name := tf.values.eval(args[0], sc, 0)
	t := ir.Tool{Name: shown(name), NameIn: elsewhere(name), Line: n.Line}
	if t.Name == "" && t.NameIn == "" {
		return
	}
	handler := args[len(args)-1]
	for i, a := range args[1 : len(args)-1] {
		v := tf.values.eval(a, sc, 0)
		switch {
		case v.kind == text && i == 0:
			t.Description = shown(v)
		case elsewhere(v) != "" && i == 0 && last(n.Kid(0)) == "tool":
			t.DescriptionIn = elsewhere(v)
		case v.kind == object && last(n.Kid(0)) == "registerTool":
			tf.fill(&t, v.node, v.sc)
		case v.kind == object && annotates(v.node):
			t.Annotations = tf.schemas.json(v.node, v.sc)
		case v.kind == object || v.kind == path:
			t.Schema = tf.schemas.schema(a, sc)
		}
	}
	tf.handles(handler, sc, tf.out.addTool(t))
}

func annotates(n *syntax.Node) bool {
	for _, p := range n.Kids {
		if strings.HasSuffix(p.Text, "Hint") || p.Text == "title" && len(n.Kids) == 1 {
			return true
		}
	}
	return false
}

// fill reads a tool's parts from an object.
func (tf *toolFinder) fill(t *ir.Tool, n *syntax.Node, sc *scope) {
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			continue
		}
		switch p.Text {
		case "name":
			v := tf.values.eval(p.Kid(0), sc, 0)
			t.Name, t.NameIn = shown(v), elsewhere(v)
		case "description":
			v := tf.values.eval(p.Kid(0), sc, 0)
			t.Description, t.DescriptionIn = shown(v), elsewhere(v)
		case "inputSchema", "input_schema", "parameters":
			t.Schema = tf.schemas.schema(p.Kid(0), sc)
		case "annotations":
			if v := tf.values.eval(p.Kid(0), sc, 0); v.kind == object {
				t.Annotations = tf.schemas.json(v.node, v.sc)
			}
		}
	}
}

// toolObject handles an object that describes a tool, wherever it is.
func (tf *toolFinder) toolObject(n *syntax.Node, sc *scope) {
	has := map[string]bool{}
	for _, p := range n.Kids {
		if p.Is(syntax.Pair) {
			has[p.Text] = true
		}
	}
	if has["name"] && (has["inputSchema"] || has["input_schema"] && has["description"]) {
		tf.toolFrom(n, sc, n.Line)
	}
}

func (tf *toolFinder) toolFrom(n *syntax.Node, sc *scope, line int) {
	if tf.handlerOf(n) {
		return
	}
	t := ir.Tool{Line: line}
	tf.fill(&t, n, sc)
	if t.Name == "" && t.NameIn == "" {
		return
	}
	id := tf.out.addTool(t)
	for _, p := range n.Kids {
		switch p.Text {
		case "execute", "handler", "run", "callback", "fn", "func", "invoke", "cb", "call":
			tf.handles(p.Kid(0), sc, id)
		}
	}
}

// handlerOf records that an object was used as a tool; true if it already was.
func (tf *toolFinder) handlerOf(n *syntax.Node) bool {
	_, ok := tf.handler[n]
	tf.handler[n] = -1
	return ok
}
