package toolset

import (
	"fmt"
	"slices"
	"strings"
)

// scan walks through one schema.
type scan struct {
	// words are its texts, in canonical order.
	words      []string
	parameters map[string]Parameter
}

// strip removes the texts for people and models from a schema, because they do
// not change what it accepts. A property may have the name of a keyword.
func (s *scan) strip(v any, depth int) any {
	o, ok := v.(object)
	if !ok || depth > maxDepth*4 {
		return v
	}
	var bare object
	for _, m := range o {
		switch m.key {
		case "description", "title", "$comment", "$schema", "examples", "markdownDescription":
			s.words = append(s.words, m.key, canonical(m.value))
			continue
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			m.value = s.stripEach(m.value, depth)
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems":
			m.value = s.strip(m.value, depth+1)
		case "required", "enum", "type":
			m.value = sorted(m.value)
		}
		switch m.key {
		case "anyOf", "oneOf", "allOf", "prefixItems", "items":
			m.value = s.stripList(m.value, depth)
		}
		bare = append(bare, m)
	}
	return bare
}

func (s *scan) stripEach(v any, depth int) any {
	o, ok := v.(object)
	if !ok {
		return v
	}
	bare := slices.Clone(o)
	for i := range bare {
		bare[i].value = s.strip(bare[i].value, depth+1)
	}
	return bare
}

func (s *scan) stripList(v any, depth int) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	bare := slices.Clone(list)
	for i := range bare {
		bare[i] = s.strip(bare[i], depth+1)
	}
	return bare
}

// sorted sorts a list whose order has no meaning.
func sorted(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	return slices.SortedFunc(slices.Values(list), func(a, b any) int { return strings.Compare(canonical(a), canonical(b)) })
}

// collect gathers the parameters below a schema. Parts beyond the depth or
// number limit are kept only as limits of their parent.
func (s *scan) collect(place string, v any, depth int) {
	o, ok := v.(object)
	if !ok || len(s.parameters) >= maxParameters {
		return
	}
	required := s.required(o)
	if properties, ok := s.child(o, "properties", depth).(object); ok {
		for _, m := range properties {
			name := join(place, m.key)
			s.parameter(name, m.value, slices.Contains(required, m.key), depth+1)
		}
	}
	if items, ok := s.child(o, "items", depth).(object); ok {
		s.parameter(join(place, "[]"), items, false, depth+1)
	}
	if place == "" {
		s.parameters[""] = Parameter{Types: types(o), Limits: s.limits(o, depth)}
	}
}

func (s *scan) parameter(name string, v any, required bool, depth int) {
	if len(s.parameters) >= maxParameters {
		return
	}
	place := name
	for n := 2; ; n++ {
		if _, taken := s.parameters[name]; !taken {
			break
		}
		name = fmt.Sprintf("%s (%d)", place, n) // readers differ in which one they use
	}
	o, ok := v.(object)
	if !ok {
		s.parameters[name] = Parameter{Types: []string{"any"}, Required: required, Limits: map[string]string{"schema": bounded(canonical(v))}}
		return
	}
	s.parameters[name] = Parameter{Types: types(o), Required: required, Limits: s.limits(o, depth)}
	s.collect(name, o, depth)
}

// child returns the value of a keyword to descend into, nil if there is none.
func (s *scan) child(o object, key string, depth int) any {
	v, ok := o.get(key)
	if _, isObject := v.(object); !ok || !isObject || depth >= maxDepth {
		return nil
	}
	return v
}

// limits returns the keywords that no other field holds.
func (s *scan) limits(o object, depth int) map[string]string {
	all := map[string]string{}
	for _, m := range o {
		switch m.key {
		case "type", "required":
			continue
		case "properties", "items":
			if s.child(o, m.key, depth) != nil {
				continue
			}
		}
		if _, twice := all[m.key]; twice {
			m.key += " (2)"
		}
		all[Name(m.key)] = bounded(canonical(m.value))
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func (s *scan) required(o object) []string {
	v, _ := o.get("required")
	list, _ := v.([]any)
	var names []string
	for _, entry := range list {
		if name, ok := entry.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// types returns the types that a schema names.
func types(o object) []string {
	v, ok := o.get("type")
	var names []string
	switch v := v.(type) {
	case string:
		names = []string{Name(v)}
	case []any:
		for _, entry := range v {
			if name, isText := entry.(string); isText {
				names = append(names, Name(name))
			}
		}
	}
	if !ok || len(names) == 0 {
		return []string{"any"}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func join(place, name string) string {
	name = Name(strings.ReplaceAll(name, "/", "~1"))
	if place == "" {
		return name
	}
	return Name(place + "/" + name)
}
