package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Dispatcher is the name of the tool entry for a handler of all tools, which
// receives the tool's name as an argument.
const Dispatcher = "*"

// toolFinder finds the tools that a file defines.
type toolFinder struct {
	out     *output
	symbols *symbols
	values  *evaluator
	schemas *schemas
	depth   int
	// handler maps a function to the tool it handles, and objects already used
	// as a tool to -1.
	handler map[*syntax.Node]int
}

// connect records which function handles which tool.
func (tf *toolFinder) connect() {
	f := tf.out.f
	for node, tool := range tf.handler {
		if i, ok := tf.symbols.funcs[node]; ok && tool < len(f.Tools) {
			f.Funcs[i].Handler = tool
			if t := &f.Tools[tool]; t.Func < 0 || i < t.Func {
				t.Func = i
			}
		}
	}
}

// tools finds the definitions of tools, and the functions that handle them.
func (tf *toolFinder) tools(n *syntax.Node, sc *scope) {
	if n == nil || tf.depth > maxWalk {
		return
	}
	tf.depth++
	defer func() { tf.depth-- }()
	switch n.Kind {
	case syntax.Func:
		if tf.symbols.python {
			tf.decorated(n, sc)
		}
		if inner := tf.symbols.scopes[n]; inner != nil {
			tf.tools(n.Kid(1), inner)
		}
		tf.tools(n.Kid(2), sc)
		return
	case syntax.Call:
		tf.toolCall(n, sc)
	case syntax.Object:
		tf.toolObject(n, sc)
	case syntax.Binary:
		if n.Text == "==" {
			tf.methodTest(n, sc)
		}
	}
	for _, k := range n.Kids {
		tf.tools(k, sc)
	}
}

// last returns the last part of a called name.
func last(n *syntax.Node) string {
	for range 5 {
		switch {
		case n.Is(syntax.Name), n.Is(syntax.Member):
			return n.Text
		case n.Is(syntax.Call):
			n = n.Kid(0)
		default:
			return ""
		}
	}
	return ""
}

func (tf *toolFinder) toolCall(n *syntax.Node, sc *scope) {
	args := n.Kids[1:]
	switch name := last(n.Kid(0)); {
	case n.Kid(0).Is(syntax.Member) && (name == "tool" || name == "registerTool") && len(args) >= 2,
		n.Kid(0).Is(syntax.Name) && (name == "tool" || name == "registerTool" || name == "addTool" || name == "defineTool") && len(args) >= 3:
		tf.registered(n, args, sc)
	case name == "addTool" && len(args) >= 1:
		if v := tf.values.eval(args[0], sc, 0); v.kind == object {
			tf.toolFrom(v.node, v.sc, n.Line)
		}
	case name == "add_tool" && len(args) >= 1:
		tf.added(n, args, sc)
	case name == "Tool" && tf.symbols.python:
		tf.constructed(n, args, sc)
	case n.Kid(0).Is(syntax.Member) && (name == "prompt" || name == "registerPrompt" || name == "resource" || name == "registerResource") && len(args) >= 2:
		tf.takes(args[len(args)-1], sc)
	case name == "setRequestHandler" && len(args) >= 2:
		if w := written(args[0]); strings.Contains(w, "GetPrompt") || strings.Contains(w, "ReadResource") {
			tf.takes(args[1], sc)
		}
		if strings.Contains(written(args[0]), "CallTool") || tf.values.eval(args[0], sc, 0).text == "tools/call" {
			tf.handles(args[1], sc, tf.out.addTool(ir.Tool{Name: Dispatcher, Line: n.Line}))
		}
	}
}

func written(n *syntax.Node) string {
	if n.Is(syntax.Name) || n.Is(syntax.Member) {
		return n.Text
	}
	return ""
}

// handles records that a function handles a tool: its parameters are input.
func (tf *toolFinder) handles(n *syntax.Node, sc *scope, tool int) {
	if tool < 0 {
		return
	}
	v := tf.values.eval(n, sc, 0)
	if v.kind == path && strings.HasPrefix(v.text, ".") {
		tf.out.f.Tools[tool].Call = short(v.text)
	}
	if v.kind != function {
		return
	}
	tf.handler[v.node] = tool
	tf.inputs(v.node)
}

// takes records that a function receives input without being a tool's handler.
func (tf *toolFinder) takes(n *syntax.Node, sc *scope) {
	if v := tf.values.eval(n, sc, 0); v.kind == function {
		tf.inputs(v.node)
	}
}

// inputs marks the parameters of a handler.
func (tf *toolFinder) inputs(fn *syntax.Node) {
	sc := tf.symbols.scopes[fn]
	if sc == nil {
		return
	}
	for name, b := range sc.names {
		if b.param && !context(name) {
			b.input = true
		}
	}
}

func context(name string) bool {
	switch name {
	case "ctx", "context", "extra", "self", "cls", "_extra", "_ctx", "session":
		return true
	}
	return false
}

// methodTest finds servers that use no library: method == "tools/call".
func (tf *toolFinder) methodTest(n *syntax.Node, sc *scope) {
	for _, k := range n.Kids {
		if !k.Is(syntax.String) || k.Text != "tools/call" && k.Text != "prompts/get" && k.Text != "resources/read" {
			continue
		}
		for node, i := range tf.symbols.funcs {
			if i != sc.fn {
				continue
			}
			tf.inputs(node)
			if k.Text == "tools/call" {
				tf.handler[node] = tf.out.addTool(ir.Tool{Name: Dispatcher, Line: n.Line})
			}
		}
	}
}

// elsewhere returns the name of a constant in another file.
func elsewhere(v value) string {
	if v.kind == path && strings.HasPrefix(v.text, ".") {
		return short(v.text)
	}
	return ""
}

// shown returns a text for readers, with three dots for unknown parts.
func shown(v value) string {
	if v.kind != text {
		return ""
	}
	return strings.ReplaceAll(v.text, ir.Hole, "…")
}
