package described

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The parts of declarations that are read. What is more complicated is left out.
var (
	declaration = lazyregexp.New(`(?m)^\s*(?:export\s+)?(?:declare\s+)?(?:interface\s+(\w+)[^{;]*|type\s+(\w+)\s*=\s*)\{`)
	graphType   = lazyregexp.New(`(?m)^\s*(?:extend\s+)?(type|interface|enum)\s+(\w+)[^{}]*\{`)
	property    = lazyregexp.New(`^(?:readonly\s+)?["']?([\w$.-]+)["']?\??\s*:\s*(.+)$`)
	graphField  = lazyregexp.New(`(?m)^\s*(\w+)\s*(?:\([^)]*\))?\s*:\s*([\[\]!\w]+)`)
	literal     = lazyregexp.New(`["']([^"'\n]+)["']`)
	comments    = lazyregexp.New(`(?s)/\*.*?\*/|//[^\n]*`)
	wrapped     = lazyregexp.New(`^(?:Array|ReadonlyArray)<(.+)>$`)
)

// types makes shapes of named types.
type types struct {
	left   int
	bodies map[string]string
	enums  map[string]bool
}

// declared reads the declarations of TypeScript whose names say that they are
// answers.
func declared(text string) []mcpsf.ExpectedAnswer {
	if !strings.Contains(text, "Response") && !strings.Contains(text, "Reply") {
		return nil
	}
	text = comments.ReplaceAllString(text, "")
	t := &types{left: maxShapes, bodies: map[string]string{}}
	var order []string
	for _, at := range declaration.FindAllStringSubmatchIndex(text, 2000) {
		name := ""
		for _, g := range []int{2, 4} {
			if at[g] >= 0 {
				name = text[at[g]:at[g+1]]
			}
		}
		if _, ok := t.bodies[name]; !ok {
			order = append(order, name)
			t.bodies[name] = body(text[at[1]:])
		}
	}
	var out []mcpsf.ExpectedAnswer
	for _, name := range order {
		if answerName.MatchString(name) && len(out) < maxAnswers {
			out = append(out, mcpsf.ExpectedAnswer{Shape: t.object(t.bodies[name], 0)})
		}
	}
	return out
}

// maxBody is the length of the longest type that is read.
// no gap: what is not found out about answers is only answered as usual
const maxBody = 16 << 10

// body returns the text up to the brace that closes it.
func body(text string) string {
	depth := 1
	for i := range min(len(text), maxBody) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return ""
}

// object makes a shape of the properties between braces.
func (t *types) object(text string, depth int) *mcpsf.Shape {
	if t.left--; t.left < 0 || depth > maxDepth {
		return nil
	}
	out := &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{}}
	for _, p := range properties(text) {
		m := property.FindStringSubmatch(strings.TrimSpace(p))
		if m == nil {
			continue
		}
		if s := t.shape(strings.TrimSpace(m[2]), depth+1); s != nil {
			out.Members[m[1]] = s
		}
	}
	return out
}

// properties splits at the ends of lines and semicolons outside of braces.
func properties(text string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{', '(', '<', '[':
			depth++
		case '}', ')', '>', ']':
			depth--
		case ';', '\n', ',':
			if depth <= 0 {
				out, from = append(out, text[from:i]), i+1
			}
		}
	}
	return append(out, text[from:])
}

// shape makes a shape of a type of TypeScript.
func (t *types) shape(text string, depth int) *mcpsf.Shape {
	if t.left--; t.left < 0 || depth > maxDepth {
		return nil
	}
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		return t.object(text[1:len(text)-1], depth)
	}
	if words := literal.FindAllStringSubmatch(text, 8); words != nil {
		out := &mcpsf.Shape{Type: "string"}
		for _, w := range words {
			out.Accepted = append(out.Accepted, w[1])
		}
		return out
	}
	first, _, _ := strings.Cut(text, " |")
	inner, list := strings.CutSuffix(first, "[]")
	if m := wrapped.FindStringSubmatch(first); m != nil {
		inner, list = m[1], true
	}
	if list {
		return &mcpsf.Shape{Type: "array", Element: t.shape(strings.Trim(inner, "()"), depth+1)}
	}
	switch first {
	case "string", "number", "boolean":
		return &mcpsf.Shape{Type: first}
	}
	if b, ok := t.bodies[first]; ok {
		return t.object(b, depth)
	}
	return &mcpsf.Shape{}
}

// graphQL reads what the queries and mutations of a GraphQL schema return.
func graphQL(text string) []mcpsf.ExpectedAnswer {
	t := &types{left: maxShapes, bodies: map[string]string{}, enums: map[string]bool{}}
	for _, at := range graphType.FindAllStringSubmatchIndex(text, 2000) {
		name := text[at[4]:at[5]]
		t.bodies[name] += "\n" + body(text[at[1]:])
		t.enums[name] = text[at[2]:at[3]] == "enum"
	}
	var out []mcpsf.ExpectedAnswer
	for _, root := range []string{"Query", "Mutation"} {
		if s := t.graphObject(root, 1); s != nil && len(s.Members) > 0 {
			data := &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{"data": s}}
			out = append(out, mcpsf.ExpectedAnswer{Path: "/graphql", Shape: data})
		}
	}
	return out
}

func (t *types) graphObject(name string, depth int) *mcpsf.Shape {
	text, ok := t.bodies[name]
	if t.left--; t.left < 0 || depth > maxDepth || !ok {
		return nil
	}
	out := &mcpsf.Shape{Type: "object", Members: map[string]*mcpsf.Shape{}}
	for _, m := range graphField.FindAllStringSubmatch(text, 200) {
		if s := t.graphShape(strings.ReplaceAll(m[2], "!", ""), depth+1); s != nil {
			out.Members[m[1]] = s
		}
	}
	return out
}

func (t *types) graphShape(name string, depth int) *mcpsf.Shape {
	if inner, ok := strings.CutPrefix(name, "["); ok {
		return &mcpsf.Shape{Type: "array", Element: t.graphShape(strings.TrimSuffix(inner, "]"), depth+1)}
	}
	switch name {
	case "Int", "Float":
		return &mcpsf.Shape{Type: "number"}
	case "Boolean":
		return &mcpsf.Shape{Type: "boolean"}
	}
	if t.enums[name] {
		out := &mcpsf.Shape{Type: "string"}
		for w := range strings.FieldsSeq(t.bodies[name]) {
			if len(out.Accepted) < 8 {
				out.Accepted = append(out.Accepted, w)
			}
		}
		return out
	}
	if _, ok := t.bodies[name]; ok {
		return t.graphObject(name, depth)
	}
	return &mcpsf.Shape{Type: "string"}
}
