package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// added handles mcp.add_tool(function, name=..., description=...).
func (tf *toolFinder) added(n *syntax.Node, args []*syntax.Node, sc *scope) {
	v := tf.values.eval(args[0], sc, 0)
	if v.kind != function {
		return
	}
	t := tf.toolOfFunc(v.node)
	t.Line = n.Line
	for _, a := range args[1:] {
		tf.keyword(&t, a, sc)
	}
	tf.handles(args[0], sc, tf.out.addTool(t))
}

// constructed handles Tool(name=..., description=..., inputSchema=...).
func (tf *toolFinder) constructed(n *syntax.Node, args []*syntax.Node, sc *scope) {
	t := ir.Tool{Line: n.Line}
	for _, a := range args {
		tf.keyword(&t, a, sc)
	}
	if t.Name != "" && (t.Schema != "" || t.Description != "") {
		tf.out.addTool(t)
	}
}

func (tf *toolFinder) keyword(t *ir.Tool, a *syntax.Node, sc *scope) {
	if !a.Is(syntax.Keyword) {
		return
	}
	switch a.Text {
	case "name":
		if v := tf.values.eval(a.Kid(0), sc, 0); v.kind == text {
			t.Name = shown(v)
		}
	case "description":
		t.Description = shown(tf.values.eval(a.Kid(0), sc, 0))
	case "inputSchema", "input_schema":
		t.Schema = tf.schemas.schema(a.Kid(0), sc)
	case "annotations":
		switch v := tf.values.eval(a.Kid(0), sc, 0); {
		case v.kind == object:
			t.Annotations = tf.schemas.json(v.node, v.sc)
		case a.Kid(0).Is(syntax.Call):
			t.Annotations = tf.schemas.jsonKeywords(a.Kid(0), sc)
		}
	}
}

// decorated handles a Python function that a decorator makes a tool.
func (tf *toolFinder) decorated(n *syntax.Node, sc *scope) {
	if n.Kid(2) == nil {
		return
	}
	for _, d := range n.Kid(2).Kids {
		switch last(d) {
		case "tool", "register_tool":
			t := tf.toolOfFunc(n)
			if d.Is(syntax.Call) {
				for i, a := range d.Kids[1:] {
					tf.keyword(&t, a, sc)
					if v := tf.values.eval(a, sc, 0); i == 0 && v.kind == text {
						if strings.ContainsAny(v.text, " .\n") {
							t.Description = shown(v)
						} else {
							t.Name = shown(v)
						}
					}
				}
			}
			tf.handles(n, sc, tf.out.addTool(t))
		case "prompt", "resource", "get_prompt", "read_resource":
			tf.inputs(n)
		case "call_tool":
			tf.handles(n, sc, tf.out.addTool(ir.Tool{Name: Dispatcher, Line: n.Line}))
		}
	}
}

// toolOfFunc returns the tool that a function implements.
func (tf *toolFinder) toolOfFunc(n *syntax.Node) ir.Tool {
	t := ir.Tool{Name: n.Text, Line: n.Line, Schema: tf.schemas.signature(n)}
	if b := n.Kid(1); b.Is(syntax.Block) && len(b.Kids) > 0 && b.Kids[0].Is(syntax.String) {
		t.Description = dedent(b.Kids[0].Text)
	}
	return t
}

// dedent removes the indentation of a docstring.
func dedent(s string) string {
	lines := strings.Split(s, "\n")
	margin := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " \t"); t != "" && (margin < 0 || len(l)-len(t) < margin) {
			margin = len(l) - len(t)
		}
	}
	for i, l := range lines {
		if i > 0 && margin > 0 {
			lines[i] = strings.TrimRight(l[min(margin, len(l)):], " \t")
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
