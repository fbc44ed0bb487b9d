package schema

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Proof is a value with which a tool worked. From is empty if the server did not make
// it.
type Proof struct {
	Tool, Parameter string
	Value           any
	From            mcpsf.ValueOrigin
}

// Knowing returns the values with those with which other tools worked, the likeliest
// first.
func (v Values) Knowing(proven []Proof) Values {
	v.said.proven = proven
	return v
}

// proved reports whether a tool worked with a value of a parameter of that name.
func (v Values) proved(name string, value any) bool {
	return slices.ContainsFunc(v.said.proven, func(p Proof) bool { return p.Parameter == name && sameText(p.Value, value) })
}

// proven puts the next value with which another tool worked for a parameter of the same
// name. It stays whose it was, and one of the server's is used only where an example of
// it would be.
func (m *documents) proven(s *spot) bool {
	g := m.generator()
	var list []Proof
	for _, p := range m.maker.values.said.proven {
		fits := p.Parameter == s.place.name && typeOf(p.Value) == typeOf(s.value)
		if fits && (p.From == "" || exemplary(g, p.Value, s.place)) && !slices.ContainsFunc(list, func(q Proof) bool { return sameText(p.Value, q.Value) }) {
			list = append(list, p)
		}
	}
	refused, _ := find(m.before, s.path)
	next := 1 + slices.IndexFunc(list, func(p Proof) bool { return sameText(p.Value, refused) })
	return next < len(list) && m.keep(s, m.putFrom(s, list[next].Value, list[next].From))
}
