package resolve

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// maxValues bounds how many assignments to one name are followed.
// gap: source-not-read
const maxValues = 24

// scope is a function with the names that are declared in it.
type scope struct {
	up    *scope
	fn    int
	names map[string]*binding
}

// binding is the meaning of a name.
type binding struct {
	values []bound
	// parts are the values stored in it, under any key.
	parts []bound
	// path is set for imports.
	path string
	fn   *syntax.Node
	// param is set for parameters, input for those of a tool's handler.
	param, input bool
	// counted is set if it is incremented somewhere.
	counted bool
	// busy is set while it is evaluated.
	busy, known, summed bool
	value               value
	marks               ir.Mark
}

type bound struct {
	node *syntax.Node
	sc   *scope
}

func (s *scope) find(name string) *binding {
	for ; s != nil; s = s.up {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) own(name string) *binding {
	b := s.names[name]
	if b == nil {
		b = &binding{}
		s.names[name] = b
	}
	return b
}

func (b *binding) add(n *syntax.Node, sc *scope) {
	if n != nil && len(b.values) < maxValues {
		b.values = append(b.values, bound{n, sc})
	}
}

func short(s string) string { return s[:min(len(s), 120)] }
