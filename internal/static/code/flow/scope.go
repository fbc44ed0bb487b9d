package flow

import "github.com/mcpsf/mcpsf/internal/static/code/syntax"

// names are the names that can be seen.
type names struct {
	*graph

	scope *scope
}

// scope has the names of a block. Assignments in a branch hold inside it; after
// it the name can have either value.
type scope struct {
	up *scope
	// function is set for the outermost block of a function.
	function bool
	names    map[string]*slot
	later    []func()
}

// slot is a name with the values it can have.
type slot struct {
	vals []val
	// declared is set if the name belongs to this block.
	declared bool
}

// no gap: what is not found out about answers is only answered as usual
const maxVals = 8

func newScope(up *scope, function bool) *scope {
	return &scope{up: up, function: function, names: map[string]*slot{}}
}

// find returns the innermost meaning of a name, and whether a function is left
// for it.
func (s *scope) find(name string) (at *slot, outside bool) {
	for ; s != nil; s = s.up {
		if at := s.names[name]; at != nil {
			return at, outside
		}
		outside = outside || s.function
	}
	return nil, false
}

// push begins a block, pop ends it.
func (b *names) push(function bool) { b.scope = newScope(b.scope, function) }

// runLater walks the bodies that waited for the end of the block.
func (b *names) runLater() {
	for s := b.scope; len(s.later) > 0; {
		next := s.later[0]
		s.later = s.later[1:]
		next()
	}
}

func (b *names) pop() {
	b.runLater()
	s := b.scope
	b.scope = s.up
	if s.up == nil {
		return
	}
	for name, at := range s.names {
		if at.declared && (!b.python || s.function) {
			continue
		}
		if outer := s.up.names[name]; outer != nil {
			outer.add(at.vals)
			continue
		}
		if !s.function {
			s.up.names[name] = &slot{vals: at.vals, declared: at.declared}
		} else if outer, _ := s.up.find(name); outer != nil {
			outer.add(at.vals)
		}
	}
}

func (at *slot) add(vals []val) {
	at.vals = append(at.vals, vals...)
	if over := len(at.vals) - maxVals; over > 0 {
		at.vals = at.vals[over:]
	}
}

// lookup returns the value of a name. If it can be one of several, they are from
// here on the same.
func (b *names) lookup(name string) val {
	at, _ := b.scope.find(name)
	if at == nil {
		return val{path: name}
	}
	if len(at.vals) == 0 {
		return val{}
	}
	out := at.vals[0]
	for _, v := range at.vals[1:] {
		if out.node == 0 {
			out.node = v.node
		}
		b.same(out.node, v.node)
		if out.path == "" {
			out.path = v.path
		}
		if len(out.text) == 0 {
			out.text = v.text
		}
	}
	at.vals = append(at.vals[:0:0], out)
	return out
}

// declare gives a new name of this block its value.
func (b *names) declare(name string, v val) {
	b.scope.names[name] = &slot{vals: []val{v}, declared: true}
}

// assign gives a name another value.
func (b *names) assign(name string, v val) {
	at, outside := b.scope.find(name)
	switch {
	case at == nil || outside && b.python:
		b.declare(name, v)
	case b.scope.names[name] == at:
		at.vals = append(at.vals[:0:0], v)
	default:
		b.scope.names[name] = &slot{vals: []val{v}}
	}
}

// defers walks a body at the end of the block, when all of its names are known.
func (b *names) defers(f func()) {
	s := b.scope
	s.later = append(s.later, func() {
		outer := b.scope
		b.scope = s
		f()
		b.scope = outer
	})
}

// bind assigns a value to a name or a pattern.
func (b *walker) bind(target *syntax.Node, v val, fresh bool) {
	if target == nil {
		return
	}
	switch target.Kind {
	case syntax.Name:
		if fresh {
			b.declare(target.Text, v)
		} else {
			b.assign(target.Text, v)
		}
	case syntax.Member, syntax.Index:
		b.same(b.place(target), b.store(v))
	case syntax.Object:
		for _, p := range target.Kids {
			b.bindPart(p, v, fresh)
		}
	case syntax.List:
		for i, p := range target.Kids {
			if p.Is(syntax.Spread) {
				b.bind(p.Kid(0), v, fresh)
				continue
			}
			b.bind(p, val{node: b.read(v.node, place(i))}, fresh)
		}
	case syntax.Assign: // with a default
		d := b.expr(target.Kid(1))
		b.defaults(v.node, target.Kid(1))
		b.bind(target.Kid(0), b.either(v, d), fresh)
	case syntax.Spread:
		b.bind(target.Kid(0), v, fresh)
	}
}

func (b *walker) bindPart(p *syntax.Node, v val, fresh bool) {
	switch {
	case p.Is(syntax.Spread):
		b.bind(p.Kid(0), v, fresh)
	case p.Is(syntax.Pair) && p.Kid(1) != nil:
		b.expr(p.Kid(1))
		b.bind(p.Kid(0), val{}, fresh)
	case p.Is(syntax.Pair):
		m := b.memberOf(v, p.Text)
		b.bind(p.Kid(0), m, fresh)
	}
}

// place returns the node of a member that is assigned.
func (b *walker) place(n *syntax.Node) int {
	on := b.expr(n.Kid(0))
	if n.Is(syntax.Member) {
		return b.member(on.node, n.Text)
	}
	if key := n.Kid(1); key.Is(syntax.String) {
		return b.member(on.node, key.Text)
	}
	b.expr(n.Kid(1))
	return 0
}
