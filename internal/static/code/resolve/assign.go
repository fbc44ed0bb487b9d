package resolve

import (
	"strconv"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// hold records that a value is stored under a computed key of a variable. Named
// fields are not followed: a configuration object would connect unrelated parts
// of a program.
func (s *symbols) hold(on, value *syntax.Node, sc *scope) {
	if !on.Is(syntax.Name) || value == nil {
		return
	}
	if b := sc.find(on.Text); b != nil && len(b.parts) < maxValues {
		b.parts = append(b.parts, bound{value, sc})
	}
}

// assignMember records this.x = y and exports.x = y.
func (s *symbols) assignMember(target, value *syntax.Node, sc *scope, op string) {
	on := target.Kid(0)
	own := on.Is(syntax.Name) && (on.Text == "this" || on.Text == "self")
	if own {
		b := s.members[target.Text]
		if b == nil {
			b = &binding{}
			s.members[target.Text] = b
		}
		b.add(value, sc)
		if op == "+=" && value.Is(syntax.Number) {
			b.counted = true
		}
		if value.Is(syntax.Func) {
			s.methods[target.Text] = append(s.methods[target.Text], value)
		}
	}
	out := on.Is(syntax.Name) && on.Text == "exports" || on.Is(syntax.Member) && on.Text == "exports"
	if out && value.Is(syntax.Func) {
		s.exported[target.Text] = value
	}
	if target.Text == "exports" && value.Is(syntax.Object) {
		for _, p := range value.Kids {
			if p.Is(syntax.Pair) && p.Kid(0).Is(syntax.Func) {
				s.exported[p.Text] = p.Kid(0)
			}
		}
	}
}

func (s *symbols) counts(n *syntax.Node, sc *scope) {
	switch {
	case n.Is(syntax.Name):
		if b := sc.find(n.Text); b != nil && sc.names[n.Text] == nil {
			b.counted = true // outside this function: it persists between calls
		}
	case n.Is(syntax.Member):
		if b := s.members[n.Text]; b != nil {
			b.counted = true
		}
	}
}

// assign records that a value is assigned to a name or a pattern.
func (s *symbols) assign(target, value *syntax.Node, sc *scope, op string) {
	if target == nil || s.depth > maxWalk {
		return
	}
	switch target.Kind {
	case syntax.Name:
		b := sc.find(target.Text)
		if b == nil || s.python && sc.names[target.Text] == nil && sc.up != nil {
			b = sc.own(target.Text)
		}
		b.add(value, sc)
		if op == "+=" && value.Is(syntax.Number) && sc.up != nil {
			// Outside this function: it persists between calls.
			if outer := sc.up.find(target.Text); outer != nil {
				outer.counted, b.counted = true, true
			}
		}
		if value.Is(syntax.Func) && sc.up == nil {
			s.exported[target.Text] = value
		}
	case syntax.Member:
		s.assignMember(target, value, sc, op)
	case syntax.Index:
		s.hold(target.Kid(0), value, sc)
		if op == "+=" && value.Is(syntax.Number) {
			s.counts(target.Kid(0), sc)
		}
	case syntax.Object:
		for _, p := range target.Kids {
			s.assignPart(p, value, sc)
		}
	case syntax.List:
		for i, p := range target.Kids {
			s.assign(p, part(syntax.Index, value, &syntax.Node{Kind: syntax.Number, Text: strconv.Itoa(i)}), sc, "")
		}
	case syntax.Assign:
		s.assign(target.Kid(0), value, sc, "")
		s.assign(target.Kid(0), target.Kid(1), sc, "")
	case syntax.Spread:
		s.assign(target.Kid(0), value, sc, "")
	}
}

func (s *symbols) assignPart(p, value *syntax.Node, sc *scope) {
	switch {
	case p.Is(syntax.Spread):
		s.assign(p.Kid(0), value, sc, "")
	case p.Is(syntax.Pair) && p.Kid(1) != nil:
		s.assign(p.Kid(0), part(syntax.Index, value, p.Kid(1)), sc, "")
	case p.Is(syntax.Pair):
		n := part(syntax.Member, value)
		if n != nil {
			n.Text = p.Text
		}
		s.assign(p.Kid(0), n, sc, "")
	}
}

func part(k syntax.Kind, value *syntax.Node, more ...*syntax.Node) *syntax.Node {
	if value == nil {
		return nil
	}
	return &syntax.Node{Kind: k, Line: value.Line, Kids: append([]*syntax.Node{value}, more...)}
}
