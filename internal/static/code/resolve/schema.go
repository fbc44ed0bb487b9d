package resolve

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

const (
	maxSchemaDepth = 12
	maxSchemaItems = 200
)

// schema makes a JSON Schema of what stands for one in the source: an object
// that is one, or one built with zod.
func (r *reader) schema(n *syntax.Node, sc *scope) string {
	v := r.schemaOf(n, sc, 0)
	if v == nil {
		return ""
	}
	if m, ok := v.(map[string]any); ok && m["type"] == nil && m["$ref"] == nil && m["anyOf"] == nil {
		m["type"] = "object"
	}
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}

func (r *reader) schemaOf(n *syntax.Node, sc *scope, depth int) any {
	if n == nil || depth > maxSchemaDepth || !r.spend() {
		return nil
	}
	switch n.Kind {
	case syntax.Call:
		if l := last(n.Kid(0)); l == "zodToJsonSchema" || l == "toJSONSchema" || l == "model_json_schema" {
			return r.schemaOf(n.Kid(1), sc, depth+1)
		}
		return r.zod(n, sc, depth)
	case syntax.Name:
		if b := sc.find(n.Text); b != nil && len(b.values) > 0 {
			return r.schemaOf(b.values[0].node, b.values[0].sc, depth+1)
		}
		return nil
	case syntax.Member:
		if n.Text == "shape" {
			return r.schemaOf(n.Kid(0), sc, depth+1)
		}
	case syntax.Object:
		for _, p := range n.Kids {
			if p.Text == "type" && !p.Kid(0).Is(syntax.Call) || p.Text == "properties" || p.Text == "$schema" {
				return r.plain(n, sc, depth)
			}
		}
		return r.zodShape(n, sc, depth)
	}
	if v := r.eval(n, sc, 0); v.kind == object {
		return r.schemaOf(v.node, v.sc, depth+1)
	}
	return nil
}

// zodShape is an object whose members are zod types.
func (r *reader) zodShape(n *syntax.Node, sc *scope, depth int) any {
	properties := map[string]any{}
	var required []any
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) || p.Text == "" || len(properties) >= maxSchemaItems {
			continue
		}
		s, ok := r.schemaOf(p.Kid(0), sc, depth+1).(map[string]any)
		if !ok {
			s = map[string]any{}
		}
		if s["optional"] == nil {
			required = append(required, p.Text)
		}
		delete(s, "optional")
		properties[p.Text] = s
	}
	out := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		out["required"] = required
	}
	return out
}

// zod reads a chain such as z.string().describe("...").optional().
func (r *reader) zod(n *syntax.Node, sc *scope, depth int) any {
	if !n.Is(syntax.Call) || !n.Kid(0).Is(syntax.Member) || depth > maxSchemaDepth {
		return nil
	}
	m := n.Kid(0)
	out := map[string]any{}
	if m.Kid(0).Is(syntax.Call) {
		if inner, ok := r.zod(m.Kid(0), sc, depth+1).(map[string]any); ok {
			out = inner
		}
	} else if m.Kid(0).Is(syntax.Name) || m.Kid(0).Is(syntax.Member) {
		if r.zodBase(out, m, n, sc, depth) {
			return out
		}
		if inner, ok := r.schemaOf(m.Kid(0), sc, depth+1).(map[string]any); ok {
			out = inner
		}
	}
	switch m.Text {
	case "describe":
		out["description"] = said(r.eval(n.Kid(1), sc, 0))
	case "optional", "nullish":
		out["optional"] = true
	case "default":
		out["optional"] = true
		out["default"] = r.plain(n.Kid(1), sc, depth+1)
	case "meta":
		if o := r.eval(n.Kid(1), sc, 0); o.kind == object {
			if more, ok := r.plain(o.node, o.sc, depth+1).(map[string]any); ok {
				maps.Copy(out, more)
			}
		}
	}
	return out
}

// zodBase is the type at the beginning of a chain; false if this is none.
func (r *reader) zodBase(out map[string]any, m, n *syntax.Node, sc *scope, depth int) bool {
	switch m.Text {
	case "string", "number", "boolean", "null":
		out["type"] = m.Text
	case "int", "bigint":
		out["type"] = "integer"
	case "array":
		out["type"] = "array"
		if items := r.schemaOf(n.Kid(1), sc, depth+1); items != nil {
			out["items"] = items
		}
	case "object", "strictObject", "looseObject":
		if s, ok := r.zodShapeOf(n.Kid(1), sc, depth).(map[string]any); ok {
			maps.Copy(out, s)
		}
	case "enum", "nativeEnum":
		out["enum"] = r.plain(n.Kid(1), sc, depth+1)
	case "literal":
		out["const"] = r.plain(n.Kid(1), sc, depth+1)
	case "record":
		out["type"] = "object"
	case "union", "discriminatedUnion":
		var any0 []any
		for _, k := range n.Kids[len(n.Kids)-1].Kids {
			any0 = append(any0, r.schemaOf(k, sc, depth+1))
		}
		out["anyOf"] = any0
	case "any", "unknown", "date", "coerce":
	default:
		return false
	}
	return true
}

func (r *reader) zodShapeOf(n *syntax.Node, sc *scope, depth int) any {
	if v := r.eval(n, sc, 0); v.kind == object {
		return r.zodShape(v.node, v.sc, depth+1)
	}
	return nil
}

// plain makes JSON of a constant.
func (r *reader) plain(n *syntax.Node, sc *scope, depth int) any {
	if n == nil || depth > maxSchemaDepth || !r.spend() {
		return nil
	}
	switch n.Kind {
	case syntax.Object:
		out := map[string]any{}
		for _, p := range n.Kids {
			if p.Is(syntax.Pair) && p.Text != "" && len(out) < maxSchemaItems {
				out[p.Text] = r.plain(p.Kid(0), sc, depth+1)
			}
		}
		return out
	case syntax.List:
		out := []any{}
		for _, k := range n.Kids {
			if len(out) < maxSchemaItems {
				out = append(out, r.plain(k, sc, depth+1))
			}
		}
		return out
	case syntax.Name:
		switch n.Text {
		case "true", "True":
			return true
		case "false", "False":
			return false
		case "null", "None", "undefined":
			return nil
		}
	}
	switch v := r.eval(n, sc, 0); v.kind {
	case text:
		return said(v)
	case number:
		return v.num
	case object:
		if v.node != n {
			return r.plain(v.node, v.sc, depth+1)
		}
	}
	return nil
}

func (r *reader) json(n *syntax.Node, sc *scope) string {
	out, err := json.Marshal(r.plain(n, sc, 0))
	if err != nil {
		return ""
	}
	return string(out)
}

func (r *reader) jsonKeywords(n *syntax.Node, sc *scope) string {
	m := map[string]any{}
	for _, k := range n.Kids[1:] {
		if k.Is(syntax.Keyword) {
			m[k.Text] = r.plain(k.Kid(0), sc, 0)
		}
	}
	out, err := json.Marshal(m)
	if err != nil {
		return ""
	}
	return string(out)
}

// signature makes a schema of a Python function's parameters.
func (r *reader) signature(fn *syntax.Node) string {
	sc := r.scopes[fn]
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
		r.annotation(s, p.Kid(1), sc, 0)
		if p.Kid(0) == nil {
			required = append(required, p.Text)
		} else {
			r.defaulted(s, p.Kid(0), sc)
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
func (r *reader) defaulted(s map[string]any, n *syntax.Node, sc *scope) {
	if !n.Is(syntax.Call) || last(n.Kid(0)) != "Field" {
		if v := r.plain(n, sc, 0); v != nil {
			s["default"] = v
		}
		return
	}
	for _, a := range n.Kids[1:] {
		if a.Is(syntax.Keyword) && (a.Text == "description" || a.Text == "default" || a.Text == "title" || a.Text == "examples") {
			s[a.Text] = r.plain(a.Kid(0), sc, 0)
		}
	}
}

// annotation makes a type of a Python annotation.
func (r *reader) annotation(s map[string]any, n *syntax.Node, sc *scope, depth int) {
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
		r.annotation(s, n.Kid(0), sc, depth+1)
	case syntax.Index:
		r.generic(s, n, sc, depth)
	}
}

func (r *reader) generic(s map[string]any, n *syntax.Node, sc *scope, depth int) {
	args := []*syntax.Node{n.Kid(1)}
	if n.Kid(1).Is(syntax.List) {
		args = n.Kid(1).Kids
	}
	switch l := last(n.Kid(0)); l {
	case "Optional", "Annotated":
		if len(args) > 0 {
			r.annotation(s, args[0], sc, depth+1)
		}
		for _, a := range args[min(1, len(args)):] {
			if v := r.eval(a, sc, 0); v.kind == text {
				s["description"] = said(v)
			} else if a.Is(syntax.Call) && last(a.Kid(0)) == "Field" {
				r.defaulted(s, a, sc)
			}
		}
	case "Literal":
		var values []any
		for _, a := range args {
			values = append(values, r.plain(a, sc, 0))
		}
		s["enum"] = values
	case "Union":
		if len(args) > 0 {
			r.annotation(s, args[0], sc, depth+1)
		}
	default:
		r.annotation(s, n.Kid(0), sc, depth+1)
	}
}
