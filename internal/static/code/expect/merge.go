package expect

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// merged joins two shapes of the same value.
func merged(a, b *mcpsf.Shape) *mcpsf.Shape {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	switch {
	case a.Absent && (b.Required || len(b.Members) > 0 || b.Element != nil):
		return b
	case a.Absent || b.Absent && (a.Required || len(a.Members) > 0 || a.Element != nil):
		return a
	case b.Absent:
		return b
	case b.Required && !a.Required:
		a.Accepted, a.Required = nil, true
	}
	if a.Type != "" && b.Type != "" && a.Type != b.Type {
		if len(a.Members) == 0 && a.Element == nil && (len(b.Members) > 0 || b.Element != nil) {
			return b
		}
		return a
	}
	if a.Type == "" {
		a.Type = b.Type
	}
	for _, name := range slices.Sorted(maps.Keys(b.Members)) {
		if a.Members == nil {
			a.Members = map[string]*mcpsf.Shape{}
		}
		a.Members[name] = merged(a.Members[name], b.Members[name])
	}
	a.Element = merged(a.Element, b.Element)
	for _, w := range b.Accepted {
		if a.Required && !b.Required {
			break
		}
		if !slices.Contains(a.Accepted, w) && len(a.Accepted) < maxAccepted {
			a.Accepted = append(a.Accepted, w)
		}
	}
	return a
}

// prune bounds the members of a shape: the outer ones come first. It returns how
// many are left of those that were allowed.
func prune(s *mcpsf.Shape, left int) int {
	for level := []*mcpsf.Shape{s}; len(level) > 0; {
		var next []*mcpsf.Shape
		for _, s := range level {
			if s.Element != nil {
				next = append(next, s.Element)
			}
			for _, name := range slices.Sorted(maps.Keys(s.Members)) {
				if left--; left < 0 {
					left = 0
					delete(s.Members, name)
					continue
				}
				next = append(next, s.Members[name])
			}
		}
		level = next
	}
	return left
}
