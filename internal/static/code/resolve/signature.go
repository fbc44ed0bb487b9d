package resolve

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// signature makes a schema of a Python function's parameters.
func (sb *schemas) signature(fn *syntax.Node) string {
	sc := sb.symbols.scopes[fn]
	if sc == nil {
		return ""
	}
	properties := map[string]any{}
	required := []string{}
	for _, p := range fn.Kid(0).Kids {
		if p.Text == "" || p.Op == "*" || context(p.Text) || strings.Contains(last(p.Kid(1)), "Context") {
			continue
		}
		s := map[string]any{}
		sb.annotation(s, p.Kid(1), sc, 0)
		if p.Kid(0) == nil {
			required = append(required, p.Text)
		} else {
			sb.defaulted(s, p.Kid(0), sc)
		}
		properties[p.Text] = s
	}
	out, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		return ""
	}
	return string(out)
}

// defaulted reads a default value, or Field(...).
func (sb *schemas) defaulted(s map[string]any, n *syntax.Node, sc *scope) {
	if !n.Is(syntax.Call) || last(n.Kid(0)) != "Field" {
		if v := sb.plain(n, sc, 0); v != nil {
			s["default"] = v
		}
		return
	}
	for _, a := range n.Kids[1:] {
		if a.Is(syntax.Keyword) && (a.Text == "description" || a.Text == "default" || a.Text == "title" || a.Text == "examples") {
			s[a.Text] = sb.plain(a.Kid(0), sc, 0)
		}
	}
}

// annotation makes a type of a Python annotation.
func (sb *schemas) annotation(s map[string]any, n *syntax.Node, sc *scope, depth int) {
	if n == nil || depth > maxSchemaDepth {
		return
	}
	names := map[string]string{"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "List": "array", "dict": "object", "Dict": "object", "tuple": "array", "set": "array"}
	switch n.Kind {
	case syntax.Name:
		if t := names[n.Text]; t != "" {
			s["type"] = t
		}
	case syntax.Binary: // X | None
		sb.annotation(s, n.Kid(0), sc, depth+1)
	case syntax.Index:
		sb.generic(s, n, sc, depth)
	}
}

func (sb *schemas) generic(s map[string]any, n *syntax.Node, sc *scope, depth int) {
	args := []*syntax.Node{n.Kid(1)}
	if n.Kid(1).Is(syntax.List) {
		args = n.Kid(1).Kids
	}
	switch l := last(n.Kid(0)); l {
	case "Optional", "Annotated":
		if len(args) > 0 {
			sb.annotation(s, args[0], sc, depth+1)
		}
		for _, a := range args[min(1, len(args)):] {
			if v := sb.values.eval(a, sc, 0); v.kind == text {
				s["description"] = shown(v)
			} else if a.Is(syntax.Call) && last(a.Kid(0)) == "Field" {
				sb.defaulted(s, a, sc)
			}
		}
	case "Literal":
		var values []any
		for _, a := range args {
			values = append(values, sb.plain(a, sc, 0))
		}
		s["enum"] = values
	case "Union":
		if len(args) > 0 {
			sb.annotation(s, args[0], sc, depth+1)
		}
	default:
		sb.annotation(s, n.Kid(0), sc, depth+1)
	}
}
