package schema

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// extent is how many optional properties go into an object.
type extent uint8

const (
	none extent = iota
	one         // the most informative property if none is required
	some        // half of the simple properties
	all         // all simple properties
)

// object fills the required and wanted properties, and as many optional ones as
// this attempt's extent allows.
func (g *generator) object(s map[string]any) any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	fill := func(name string) {
		if _, done := out[name]; !done && g.steps > 0 {
			out[name] = g.inside(name, g.property(s, properties, name), name, properties)
		}
	}
	for _, r := range list(s["required"]) {
		if name, ok := r.(string); ok {
			fill(name)
		}
	}
	if g.wanted() {
		fill(g.want[len(g.path)])
	}
	for _, name := range append(g.tags(properties), g.optional(s, properties, out)...) {
		fill(name)
	}
	for _, name := range g.shortened(properties) {
		fill(name)
	}
	g.dependents(s, out, fill)
	g.conditions(s, out)
	least := g.demanded(count(s["minProperties"], 0), maxElements)
	for i := 0; len(out) < least && i < 2*maxElements; i++ {
		fill(g.spare(s, properties, i))
	}
	g.inOrder(out, properties)
	return out
}

// optional names the optional properties to fill.
func (g *generator) optional(s, properties, out map[string]any) []string {
	extras := g.extras[g.variant]
	if extras == none || g.level >= deep || extras == one && len(out) > 0 {
		return nil
	}
	var names []string
	best := 0
	room := count(s["maxProperties"], maxSteps) - len(out)
	for _, name := range sortedKeys(properties) {
		if _, done := out[name]; done || len(names) >= room && extras != one || g.steps < 0 {
			continue
		}
		rank, ok := g.simple(name, properties)
		switch {
		case !ok:
		case extras == one && rank > best && room > 0:
			names, best = []string{name}, rank
		case extras == some && g.random.IntN(2) == 0, extras == all:
			names = append(names, name)
		}
	}
	return names
}

// tags names the properties that can have only one value. Every other attempt
// includes them: alternatives may be distinguished by them even if they are
// optional.
func (g *generator) tags(properties map[string]any) []string {
	var names []string
	for _, name := range sortedKeys(properties) {
		s := g.flatten(properties[name], 0)
		c, ok := s["const"]
		if ok && g.variant%2 == 1 && scalar(c) && g.harmless(c, newPlace(s, name, properties)) {
			names = append(names, name)
		}
	}
	return names
}

// simple reports whether an optional property is worth filling, and its rank. A
// property that can only name a place of the server's choice is not.
func (g *generator) simple(name string, properties map[string]any) (int, bool) {
	s := g.flatten(properties[name], 0)
	p := newPlace(s, name, properties)
	if forced, ok := g.forced(s); ok {
		return 0, g.harmless(forced.value, p)
	}
	kind, _ := g.meaning(p)
	if aside(name) {
		kind = meaning.KindUnknown
	}
	switch g.kind(s) {
	case "object":
		// A single object property holds the whole input.
		inner, _ := s["properties"].(map[string]any)
		return min(len(inner), 1), len(properties) == 1 && len(inner) > 0
	case "array":
		element := g.flatten(s["items"], 0)
		inner := g.kind(element)
		return kind.Telling(), inner != "object" && inner != "array"
	case "string":
		return kind.Telling(), properties[name] != false
	}
	return 0, true
}

// aside reports whether a parameter's name says that it only filters or pages.
func aside(name string) bool {
	return meaning.HasWord(meaning.Words(name), "cursor", "token", "offset", "after", "before", "page", "filter", "selector", "context", "model", "format")
}

// property returns the schema of a property, listed or not.
func (g *generator) property(s, properties map[string]any, name string) any {
	if p, ok := properties[name]; ok {
		return p
	}
	patterns, _ := s["patternProperties"].(map[string]any)
	if g.steps -= len(patterns); g.steps < 0 {
		return nil
	}
	for _, pattern := range sortedKeys(patterns) {
		if e, err := g.expression(pattern); err == nil && e.MatchString(name) {
			return patterns[pattern]
		}
	}
	return s["additionalProperties"]
}

// spare names a property that is not required: a listed one while there are
// any, then one that the name patterns allow.
func (g *generator) spare(s, properties map[string]any, i int) string {
	if names := sortedKeys(properties); i < len(names) {
		return names[i]
	}
	name := "extra" + string(rune('a'+i%26)) + string(rune('a'+i/26%26))
	outer, known := g.salt, g.origins
	g.salt, g.origins = i, origins{} // a name is no value of the input
	defer func() { g.salt, g.origins = outer, known }()
	if rule, ok := s["propertyNames"].(map[string]any); ok {
		if allowed, ok := g.value(rule, "name", nil).(string); ok {
			return allowed
		}
	}
	patterns, _ := s["patternProperties"].(map[string]any)
	for _, pattern := range sortedKeys(patterns) {
		if matched, _, ok := g.matching(pattern, name, 0, maxText); ok {
			return matched
		}
	}
	return name
}

// dependents fills properties that another property makes required.
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

// conditions applies the conditional schemas to what is in the object so far.
func (g *generator) conditions(s, out map[string]any) {
	properties, _ := s["properties"].(map[string]any)
	for _, c := range list(s[conditions]) {
		rule, _ := c.(map[string]any)
		branch := rule["else"]
		if g.holds(rule["if"], out, 0) {
			branch = rule["then"]
		}
		b := g.flatten(branch, 1)
		if len(b) == 0 {
			continue
		}
		joined, _ := union(properties, b["properties"]).(map[string]any)
		changed, _ := b["properties"].(map[string]any)
		names := slices.DeleteFunc(sortedKeys(changed), func(name string) bool { _, there := out[name]; return !there })
		for _, r := range list(b["required"]) {
			if name, ok := r.(string); ok && out[name] == nil {
				names = append(names, name)
			}
		}
		whole := maps.Clone(s)
		merge(whole, b)
		for _, name := range names {
			if g.steps > 0 {
				out[name] = g.inside(name, g.property(whole, joined, name), name, joined)
			}
		}
	}
}
