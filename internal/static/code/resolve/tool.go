package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Dispatcher is the name of a tool that stands for all: a handler that is told
// which of them is meant.
const Dispatcher = "*"

// tools finds the definitions of tools, and the functions that handle them.
func (r *reader) tools(n *syntax.Node, sc *scope) {
	if n == nil || r.depth > maxWalk {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Kind {
	case syntax.Func:
		if r.python {
			r.decorated(n, sc)
		}
		if inner := r.scopes[n]; inner != nil {
			r.tools(n.Kid(1), inner)
		}
		r.tools(n.Kid(2), sc)
		return
	case syntax.Call:
		r.toolCall(n, sc)
	case syntax.Object:
		r.toolObject(n, sc)
	case syntax.Binary:
		if n.Text == "==" {
			r.methodTest(n, sc)
		}
	}
	for _, k := range n.Kids {
		r.tools(k, sc)
	}
}

// last is the last part of a called name as it is written.
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

func (r *reader) toolCall(n *syntax.Node, sc *scope) {
	args := n.Kids[1:]
	switch name := last(n.Kid(0)); {
	case n.Kid(0).Is(syntax.Member) && (name == "tool" || name == "registerTool") && len(args) >= 2,
		n.Kid(0).Is(syntax.Name) && (name == "tool" || name == "registerTool" || name == "addTool" || name == "defineTool") && len(args) >= 3:
		r.registered(n, args, sc)
	case name == "addTool" && len(args) >= 1:
		if v := r.eval(args[0], sc, 0); v.kind == object {
			r.toolFrom(v.node, v.sc, n.Line)
		}
	case name == "add_tool" && len(args) >= 1:
		r.added(n, args, sc)
	case name == "Tool" && r.python:
		r.constructed(n, args, sc)
	case n.Kid(0).Is(syntax.Member) && (name == "prompt" || name == "registerPrompt" || name == "resource" || name == "registerResource") && len(args) >= 2:
		r.takes(args[len(args)-1], sc)
	case name == "setRequestHandler" && len(args) >= 2:
		if w := written(args[0]); strings.Contains(w, "GetPrompt") || strings.Contains(w, "ReadResource") {
			r.takes(args[1], sc)
		}
		if strings.Contains(written(args[0]), "CallTool") || r.eval(args[0], sc, 0).text == "tools/call" {
			r.handles(args[1], sc, r.addTool(ir.Tool{Name: Dispatcher, Line: n.Line}))
		}
	}
}

func written(n *syntax.Node) string {
	if n.Is(syntax.Name) || n.Is(syntax.Member) {
		return n.Text
	}
	return ""
}

// registered is server.tool(name, description, schema, handler) in its forms.
func (r *reader) registered(n *syntax.Node, args []*syntax.Node, sc *scope) {
	name := r.eval(args[0], sc, 0)
	t := ir.Tool{Name: said(name), NameIn: elsewhere(name), Line: n.Line}
	if t.Name == "" && t.NameIn == "" {
		return
	}
	handler := args[len(args)-1]
	for i, a := range args[1 : len(args)-1] {
		v := r.eval(a, sc, 0)
		switch {
		case v.kind == text && i == 0:
			t.Description = said(v)
		case elsewhere(v) != "" && i == 0 && last(n.Kid(0)) == "tool":
			t.DescriptionIn = elsewhere(v)
		case v.kind == object && last(n.Kid(0)) == "registerTool":
			r.fill(&t, v.node, v.sc)
		case v.kind == object && annotates(v.node):
			t.Annotations = r.json(v.node, v.sc)
		case v.kind == object || v.kind == path:
			t.Schema = r.schema(a, sc)
		}
	}
	r.handles(handler, sc, r.addTool(t))
}

func annotates(n *syntax.Node) bool {
	for _, p := range n.Kids {
		if strings.HasSuffix(p.Text, "Hint") || p.Text == "title" && len(n.Kids) == 1 {
			return true
		}
	}
	return false
}

// fill takes a tool's parts out of an object.
func (r *reader) fill(t *ir.Tool, n *syntax.Node, sc *scope) {
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) {
			continue
		}
		switch p.Text {
		case "name":
			v := r.eval(p.Kid(0), sc, 0)
			t.Name, t.NameIn = said(v), elsewhere(v)
		case "description":
			v := r.eval(p.Kid(0), sc, 0)
			t.Description, t.DescriptionIn = said(v), elsewhere(v)
		case "inputSchema", "input_schema", "parameters":
			t.Schema = r.schema(p.Kid(0), sc)
		case "annotations":
			if v := r.eval(p.Kid(0), sc, 0); v.kind == object {
				t.Annotations = r.json(v.node, v.sc)
			}
		}
	}
}

// toolObject is an object that describes a tool, wherever it stands.
func (r *reader) toolObject(n *syntax.Node, sc *scope) {
	has := map[string]bool{}
	for _, p := range n.Kids {
		if p.Is(syntax.Pair) {
			has[p.Text] = true
		}
	}
	if has["name"] && (has["inputSchema"] || has["input_schema"] && has["description"]) {
		r.toolFrom(n, sc, n.Line)
	}
}

func (r *reader) toolFrom(n *syntax.Node, sc *scope, line int) {
	if r.handlerOf(n) {
		return
	}
	t := ir.Tool{Line: line}
	r.fill(&t, n, sc)
	if t.Name == "" && t.NameIn == "" {
		return
	}
	id := r.addTool(t)
	for _, p := range n.Kids {
		switch p.Text {
		case "execute", "handler", "run", "callback", "fn", "func", "invoke", "cb", "call":
			r.handles(p.Kid(0), sc, id)
		}
	}
}

// handlerOf notes that an object was taken as a tool; true if it was before.
func (r *reader) handlerOf(n *syntax.Node) bool {
	_, ok := r.handler[n]
	r.handler[n] = -1
	return ok
}

// added is mcp.add_tool(function, name=..., description=...).
func (r *reader) added(n *syntax.Node, args []*syntax.Node, sc *scope) {
	v := r.eval(args[0], sc, 0)
	if v.kind != function {
		return
	}
	t := r.toolOfFunc(v.node)
	t.Line = n.Line
	for _, a := range args[1:] {
		r.keyword(&t, a, sc)
	}
	r.handles(args[0], sc, r.addTool(t))
}

// constructed is Tool(name=..., description=..., inputSchema=...).
func (r *reader) constructed(n *syntax.Node, args []*syntax.Node, sc *scope) {
	t := ir.Tool{Line: n.Line}
	for _, a := range args {
		r.keyword(&t, a, sc)
	}
	if t.Name != "" && (t.Schema != "" || t.Description != "") {
		r.addTool(t)
	}
}

func (r *reader) keyword(t *ir.Tool, a *syntax.Node, sc *scope) {
	if !a.Is(syntax.Keyword) {
		return
	}
	switch a.Text {
	case "name":
		if v := r.eval(a.Kid(0), sc, 0); v.kind == text {
			t.Name = said(v)
		}
	case "description":
		t.Description = said(r.eval(a.Kid(0), sc, 0))
	case "inputSchema", "input_schema":
		t.Schema = r.schema(a.Kid(0), sc)
	case "annotations":
		switch v := r.eval(a.Kid(0), sc, 0); {
		case v.kind == object:
			t.Annotations = r.json(v.node, v.sc)
		case a.Kid(0).Is(syntax.Call):
			t.Annotations = r.jsonKeywords(a.Kid(0), sc)
		}
	}
}

// decorated is a Python function that a decorator makes a tool.
func (r *reader) decorated(n *syntax.Node, sc *scope) {
	if n.Kid(2) == nil {
		return
	}
	for _, d := range n.Kid(2).Kids {
		switch last(d) {
		case "tool", "register_tool":
			t := r.toolOfFunc(n)
			if d.Is(syntax.Call) {
				for i, a := range d.Kids[1:] {
					r.keyword(&t, a, sc)
					if v := r.eval(a, sc, 0); i == 0 && v.kind == text {
						if strings.ContainsAny(v.text, " .\n") {
							t.Description = said(v)
						} else {
							t.Name = said(v)
						}
					}
				}
			}
			r.handles(n, sc, r.addTool(t))
		case "prompt", "resource", "get_prompt", "read_resource":
			r.inputs(n)
		case "call_tool":
			r.handles(n, sc, r.addTool(ir.Tool{Name: Dispatcher, Line: n.Line}))
		}
	}
}

// toolOfFunc is what a function tells of the tool it is.
func (r *reader) toolOfFunc(n *syntax.Node) ir.Tool {
	t := ir.Tool{Name: n.Text, Line: n.Line, Schema: r.signature(n)}
	if b := n.Kid(1); b.Is(syntax.Block) && len(b.Kids) > 0 && b.Kids[0].Is(syntax.String) {
		t.Description = dedent(b.Kids[0].Text)
	}
	return t
}

// dedent takes the indentation off a docstring.
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

// handles notes that a function handles a tool: what it is given is input.
func (r *reader) handles(n *syntax.Node, sc *scope, tool int) {
	if tool < 0 {
		return
	}
	v := r.eval(n, sc, 0)
	if v.kind == path && strings.HasPrefix(v.text, ".") {
		r.f.Tools[tool].Call = short(v.text)
	}
	if v.kind != function {
		return
	}
	r.handler[v.node] = tool
	r.inputs(v.node)
}

// takes notes that a function is given input, though it is no tool's.
func (r *reader) takes(n *syntax.Node, sc *scope) {
	if v := r.eval(n, sc, 0); v.kind == function {
		r.inputs(v.node)
	}
}

// inputs marks the parameters of a handler.
func (r *reader) inputs(fn *syntax.Node) {
	sc := r.scopes[fn]
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

// methodTest finds servers without a library: method == "tools/call".
func (r *reader) methodTest(n *syntax.Node, sc *scope) {
	for _, k := range n.Kids {
		if !k.Is(syntax.String) || k.Text != "tools/call" && k.Text != "prompts/get" && k.Text != "resources/read" {
			continue
		}
		for node, i := range r.funcs {
			if i != sc.fn {
				continue
			}
			r.inputs(node)
			if k.Text == "tools/call" {
				r.handler[node] = r.addTool(ir.Tool{Name: Dispatcher, Line: n.Line})
			}
		}
	}
}

func (r *reader) addTool(t ir.Tool) int {
	if len(r.f.Tools) >= maxTools {
		r.f.Cut = true
		return -1
	}
	t.Func = -1
	t.Name = short(t.Name)
	t.Description = t.Description[:min(len(t.Description), maxText)]
	r.f.Tools = append(r.f.Tools, t)
	return len(r.f.Tools) - 1
}

// elsewhere is the name of a constant in another file.
func elsewhere(v value) string {
	if v.kind == path && strings.HasPrefix(v.text, ".") {
		return short(v.text)
	}
	return ""
}

// said is a text for readers: what is not known is three dots.
func said(v value) string {
	if v.kind != text {
		return ""
	}
	return strings.ReplaceAll(v.text, ir.Hole, "…")
}
