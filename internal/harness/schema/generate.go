package schema

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Bounds of what is generated.
const (
	maxSteps    = 20_000
	maxLevels   = 8
	maxElements = 64
)

// generator makes one value.
type generator struct {
	root    any
	values  Values
	variant int
	random  *rand.Rand
	steps   int // how much work may still be done
	salt    int // tells the elements of one array apart
}

// input makes the whole value. A tool's input is an object unless the schema
// insists on something else.
func (g *generator) input() any {
	g.steps = maxSteps
	s := g.flatten(g.root, 0)
	if s["type"] == nil && s["const"] == nil && s["enum"] == nil {
		return g.object(s, 0)
	}
	return g.value(s, "", 0)
}

// place is a schema and where in the value it applies.
type place struct {
	schema      map[string]any
	name, about string
	level       int
}

// value makes a value for a schema; name is that of the property it is for.
func (g *generator) value(node any, name string, level int) any {
	if g.steps--; g.steps < 0 || level > maxLevels {
		return nil
	}
	s := g.flatten(node, 0)
	about, _ := s["description"].(string)
	p := place{schema: s, name: name, about: about, level: level}
	if v, ok := g.given(p); ok {
		return v
	}
	switch g.kind(s) {
	case "object":
		return g.object(s, level)
	case "array":
		return g.array(p)
	case "integer", "number":
		return g.number(p)
	case "boolean":
		return (g.variant+g.salt)%2 == 0
	case "null":
		return nil
	}
	return g.text(p)
}

// given returns a value that the schema itself names. Constants leave no
// choice. Defaults and examples do, and are used only where they cannot be a
// trap: a server must not be able to make us ask for the very file or address
// it wants to reach, because then the access would look asked for.
func (g *generator) given(p place) (any, bool) {
	if v, ok := g.forced(p.schema); ok || g.variant > 1 {
		return v, ok
	}
	offers := []any{}
	if d, ok := p.schema["default"]; ok && d != nil {
		offers = append(offers, d)
	}
	offers = append(offers, list(p.schema["examples"])...)
	for _, offer := range offers {
		if g.salt == 0 && g.harmless(offer, p) {
			return offer, true
		}
	}
	return nil, false
}

func (g *generator) forced(s map[string]any) (any, bool) {
	if c, ok := s["const"]; ok {
		return c, true
	}
	if options := list(s["enum"]); len(options) > 0 {
		return g.choose(options), true
	}
	return nil, false
}

// kind decides on a type.
func (g *generator) kind(s map[string]any) string {
	useful := slices.DeleteFunc(slices.Clone(types(s["type"])), func(t any) bool { return t == "null" })
	if len(useful) > 0 {
		kind, _ := useful[g.pick(len(useful))].(string)
		return kind
	}
	if len(types(s["type"])) > 0 {
		return "null"
	}
	for _, hint := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"required", "object"}, {"items", "array"}, {"prefixItems", "array"},
		{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
	} {
		if _, ok := s[hint.keyword]; ok {
			return hint.kind
		}
	}
	return "string"
}

// object fills what is required and, because it reaches more of the server's
// code, what is optional and simple. The later variants leave that out.
func (g *generator) object(s map[string]any, level int) any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	fill := func(name string) {
		if _, done := out[name]; !done && g.steps > 0 {
			out[name] = g.value(g.property(s, properties, name), name, level+1)
		}
	}
	for _, r := range list(s["required"]) {
		if name, ok := r.(string); ok {
			fill(name)
		}
	}
	limit := count(s["maxProperties"], maxSteps)
	for _, name := range sortedKeys(properties) {
		if g.variant < variants/2 && len(out) < limit && g.simple(name, properties[name]) {
			fill(name)
		}
	}
	g.dependents(s, out, fill)
	for i := 0; len(out) < min(count(s["minProperties"], 0), maxElements) && i < 2*maxElements; i++ {
		fill(g.spare(properties, i))
	}
	return out
}

// property returns the schema of a property, also of one that is not listed.
func (g *generator) property(s, properties map[string]any, name string) any {
	if p, ok := properties[name]; ok {
		return p
	}
	return s["additionalProperties"]
}

// spare names a property nobody asked for: a listed one while there are any.
func (g *generator) spare(properties map[string]any, i int) string {
	if names := sortedKeys(properties); i < len(names) {
		return names[i]
	}
	return "extra" + string(rune('a'+i%26)) + string(rune('a'+i/26%26))
}

// dependents fills what becomes required because something else is there.
func (g *generator) dependents(s, out map[string]any, fill func(string)) {
	for _, keyword := range []string{"dependentRequired", "dependencies"} {
		rules, _ := s[keyword].(map[string]any)
		for _, name := range sortedKeys(rules) {
			if _, present := out[name]; !present {
				continue
			}
			for _, r := range list(rules[name]) {
				if needed, ok := r.(string); ok {
					fill(needed)
				}
			}
		}
	}
}

// simple reports whether a property is worth filling although it is optional.
// One that can only name a place of the server's choice is not.
func (g *generator) simple(name string, node any) bool {
	s := g.flatten(node, 0)
	if forced, ok := g.forced(s); ok {
		return g.harmless(forced, place{schema: s, name: name})
	}
	switch g.kind(s) {
	case "object":
		return false
	case "array":
		element := g.flatten(s["items"], 0)
		kind := g.kind(element)
		return kind != "object" && kind != "array"
	}
	return true
}

func (g *generator) array(p place) any {
	s := p.schema
	fixed := list(s["prefixItems"])
	rest := s["items"]
	if tuple := list(rest); tuple != nil { // before 2020-12
		fixed, rest = tuple, s["additionalItems"]
	}
	want := max(count(s["minItems"], 0), len(fixed), 1)
	want = min(want, count(s["maxItems"], want), maxElements)
	out := make([]any, 0, want)
	outer := g.salt
	for i := range want {
		node := rest
		if i < len(fixed) {
			node = fixed[i]
		} else if c, ok := s["contains"]; ok {
			node = map[string]any{"allOf": []any{c, rest}}
		}
		g.salt = outer + i
		out = append(out, g.value(node, p.name, p.level+1))
	}
	g.salt = outer
	return out
}

// pick chooses among n: the first at first, then the others in turn.
func (g *generator) pick(n int) int { return (g.variant + g.salt) % n }

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
