package resolve

import (
	"encoding/json"
	"maps"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// gap: source-not-read
const (
	maxSchemaDepth = 12
	maxSchemaItems = 200
)

// schemas makes JSON Schemas of the argument definitions in the source.
type schemas struct {
	symbols *symbols
	values  *evaluator
	budget  *budget
}

// schema makes a JSON Schema of an expression: an object that is one, or one
// built with zod.
func (sb *schemas) schema(n *syntax.Node, sc *scope) string {
	v := sb.schemaOf(n, sc, 0)
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

func (sb *schemas) schemaOf(n *syntax.Node, sc *scope, depth int) any {
	if n == nil || depth > maxSchemaDepth || !sb.budget.spend() {
		return nil
	}
	switch n.Kind {
	case syntax.Call:
		if l := last(n.Kid(0)); l == "zodToJsonSchema" || l == "toJSONSchema" || l == "model_json_schema" {
			return sb.schemaOf(n.Kid(1), sc, depth+1)
		}
		return sb.zod(n, sc, depth)
	case syntax.Name:
		if b := sc.find(n.Text); b != nil && len(b.values) > 0 {
			return sb.schemaOf(b.values[0].node, b.values[0].sc, depth+1)
		}
		return nil
	case syntax.Member:
		if n.Text == "shape" {
			return sb.schemaOf(n.Kid(0), sc, depth+1)
		}
	case syntax.Object:
		for _, p := range n.Kids {
			if p.Text == "type" && !p.Kid(0).Is(syntax.Call) || p.Text == "properties" || p.Text == "$schema" {
				return sb.plain(n, sc, depth)
			}
		}
		return sb.zodShape(n, sc, depth)
	}
	if v := sb.values.eval(n, sc, 0); v.kind == object {
		return sb.schemaOf(v.node, v.sc, depth+1)
	}
	return nil
}

// zodShape handles an object whose members are zod types.
func (sb *schemas) zodShape(n *syntax.Node, sc *scope, depth int) any {
	properties := map[string]any{}
	var required []any
	for _, p := range n.Kids {
		if !p.Is(syntax.Pair) || p.Text == "" || len(properties) >= maxSchemaItems {
			continue
		}
		s, ok := sb.schemaOf(p.Kid(0), sc, depth+1).(map[string]any)
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
func (sb *schemas) zod(n *syntax.Node, sc *scope, depth int) any {
	if !n.Is(syntax.Call) || !n.Kid(0).Is(syntax.Member) || depth > maxSchemaDepth {
		return nil
	}
	m := n.Kid(0)
	out := map[string]any{}
	if m.Kid(0).Is(syntax.Call) {
		if inner, ok := sb.zod(m.Kid(0), sc, depth+1).(map[string]any); ok {
			out = inner
		}
	} else if m.Kid(0).Is(syntax.Name) || m.Kid(0).Is(syntax.Member) {
		if sb.zodBase(out, m, n, sc, depth) {
			return out
		}
		if inner, ok := sb.schemaOf(m.Kid(0), sc, depth+1).(map[string]any); ok {
			out = inner
		}
	}
	switch m.Text {
	case "describe":
		out["description"] = shown(sb.values.eval(n.Kid(1), sc, 0))
	case "optional", "nullish":
		out["optional"] = true
	case "default":
		out["optional"] = true
		out["default"] = sb.plain(n.Kid(1), sc, depth+1)
	case "meta":
		if o := sb.values.eval(n.Kid(1), sc, 0); o.kind == object {
			if more, ok := sb.plain(o.node, o.sc, depth+1).(map[string]any); ok {
				maps.Copy(out, more)
			}
		}
	}
	return out
}

// zodBase handles the type at the beginning of a chain; false if there is none.
func (sb *schemas) zodBase(out map[string]any, m, n *syntax.Node, sc *scope, depth int) bool {
	switch m.Text {
	case "string", "number", "boolean", "null":
		out["type"] = m.Text
	case "int", "bigint":
		out["type"] = "integer"
	case "array":
		out["type"] = "array"
		if items := sb.schemaOf(n.Kid(1), sc, depth+1); items != nil {
			out["items"] = items
		}
	case "object", "strictObject", "looseObject":
		if s, ok := sb.zodShapeOf(n.Kid(1), sc, depth).(map[string]any); ok {
			maps.Copy(out, s)
		}
	case "enum", "nativeEnum":
		out["enum"] = sb.plain(n.Kid(1), sc, depth+1)
	case "literal":
		out["const"] = sb.plain(n.Kid(1), sc, depth+1)
	case "record":
		out["type"] = "object"
	case "union", "discriminatedUnion":
		var any0 []any
		for _, k := range n.Kids[len(n.Kids)-1].Kids {
			any0 = append(any0, sb.schemaOf(k, sc, depth+1))
		}
		out["anyOf"] = any0
	case "any", "unknown", "date", "coerce":
	default:
		return false
	}
	return true
}

func (sb *schemas) zodShapeOf(n *syntax.Node, sc *scope, depth int) any {
	if v := sb.values.eval(n, sc, 0); v.kind == object {
		return sb.zodShape(v.node, v.sc, depth+1)
	}
	return nil
}

// plain turns a constant into JSON.
func (sb *schemas) plain(n *syntax.Node, sc *scope, depth int) any {
	if n == nil || depth > maxSchemaDepth || !sb.budget.spend() {
		return nil
	}
	switch n.Kind {
	case syntax.Object:
		out := map[string]any{}
		for _, p := range n.Kids {
			if p.Is(syntax.Pair) && p.Text != "" && len(out) < maxSchemaItems {
				out[p.Text] = sb.plain(p.Kid(0), sc, depth+1)
			}
		}
		return out
	case syntax.List:
		out := []any{}
		for _, k := range n.Kids {
			if len(out) < maxSchemaItems {
				out = append(out, sb.plain(k, sc, depth+1))
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
	switch v := sb.values.eval(n, sc, 0); v.kind {
	case text:
		return shown(v)
	case number:
		return v.num
	case object:
		if v.node != n {
			return sb.plain(v.node, v.sc, depth+1)
		}
	}
	return nil
}

func (sb *schemas) json(n *syntax.Node, sc *scope) string {
	out, err := json.Marshal(sb.plain(n, sc, 0))
	if err != nil {
		return ""
	}
	return string(out)
}

func (sb *schemas) jsonKeywords(n *syntax.Node, sc *scope) string {
	m := map[string]any{}
	for _, k := range n.Kids[1:] {
		if k.Is(syntax.Keyword) {
			m[k.Text] = sb.plain(k.Kid(0), sc, 0)
		}
	}
	out, err := json.Marshal(m)
	if err != nil {
		return ""
	}
	return string(out)
}
