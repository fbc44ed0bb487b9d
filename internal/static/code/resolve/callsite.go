package resolve

import (
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// callSites binds the parameters of this file's functions to the arguments they
// are called with.
func (s *symbols) callSites(n *syntax.Node, sc *scope) {
	if n == nil || s.depth > maxWalk {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	if n.Kind == syntax.Func {
		if inner := s.scopes[n]; inner != nil {
			s.callSites(n.Kid(1), inner)
		}
		s.callSites(n.Kid(2), sc)
		return
	}
	if n.Kind == syntax.Call {
		s.callSite(n, sc)
	}
	for _, k := range n.Kids {
		s.callSites(k, sc)
	}
}

func (s *symbols) callSite(n *syntax.Node, sc *scope) {
	var fn *syntax.Node
	callee := n.Kid(0)
	switch {
	case callee.Is(syntax.Name):
		if b := sc.find(callee.Text); b != nil {
			fn = b.fn
			if fn == nil && len(b.values) == 1 && b.values[0].node.Is(syntax.Func) {
				fn = b.values[0].node
			}
		}
	case callee.Is(syntax.Member) && len(s.methods[callee.Text]) == 1:
		fn = s.methods[callee.Text][0]
	}
	inner := s.scopes[fn]
	if fn == nil || inner == nil {
		return
	}
	params := fn.Kid(0).Kids
	if len(params) > 0 && (params[0].Text == "self" || params[0].Text == "cls") {
		params = params[1:]
	}
	for i, a := range n.Kids[1:] {
		switch {
		case a.Is(syntax.Keyword):
			if b := inner.names[a.Text]; b != nil {
				b.add(a.Kid(0), sc)
			}
		case i < len(params) && params[i].Text != "":
			inner.own(params[i].Text).add(a, sc)
		case i < len(params):
			s.assign(params[i].Kid(2), a, inner, "")
		}
	}
}
