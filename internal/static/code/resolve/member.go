package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// member evaluates a property of a value.
func (e *evaluator) member(on value, name string, depth int) value {
	switch on.kind {
	case path:
		return e.pathMember(on.text, name, depth)
	case object:
		for _, p := range on.node.Kids {
			if p.Is(syntax.Pair) && p.Text == name {
				return e.eval(p.Kid(0), on.sc, depth+1)
			}
		}
	case function:
		if name == "constructor" {
			return pathValue("Function")
		}
	case list, text:
		// [].constructor.constructor and the like
		if name == "constructor" {
			return pathValue("Object.constructor")
		}
		if name == "length" && on.kind == text && on.whole() {
			return value{kind: number, num: float64(len(on.text))}
		}
	}
	return value{}
}

func (e *evaluator) pathMember(on, name string, depth int) value {
	if on == "this" || on == "self" && e.symbols.python || on == "cls" {
		if b := e.symbols.members[name]; b != nil && !b.busy {
			b.busy = true
			v := e.evalBinding(b, depth)
			b.busy = false
			if v.kind != unknown {
				return v
			}
		}
		if m := e.symbols.methods[name]; len(m) > 0 {
			return value{kind: function, node: m[0]}
		}
	}
	if name == "constructor" && (strings.HasSuffix(on, ".constructor") || strings.HasPrefix(on, "Array.")) || name == "constructor" && on == "Function" {
		return pathValue("Function")
	}
	return pathValue(on + "." + name)
}

// index evaluates a property whose name is computed.
func (e *evaluator) index(n *syntax.Node, sc *scope, depth int) value {
	on := e.eval(n.Kid(0), sc, depth+1)
	if s := n.Kid(1); s.Is(syntax.Slice) {
		return e.slice(on, s, sc, depth)
	}
	key := e.eval(n.Kid(1), sc, depth+1)
	switch {
	case on.kind == list && key.kind == number && key.num >= 0 && int(key.num) < len(on.list):
		return on.list[int(key.num)]
	case on.kind == text && key.kind == number && key.num >= 0 && int(key.num) < len(on.text):
		return textValue(on.text[int(key.num):int(key.num)+1], true)
	case on.kind == path && key.whole():
		v := e.indexPath(on.text, key.text, depth)
		v.made = key.made || n.Kid(1).Kind != syntax.String
		return v
	case on.kind == path:
		return pathValue(on.text + "[]")
	case key.whole() && (on.kind == list || on.kind == text) && key.text != "length":
		return pathValue("Array." + key.text) // a method, named in brackets
	case key.whole():
		return e.member(on, key.text, depth)
	}
	return value{}
}

func (e *evaluator) indexPath(on, key string, depth int) value {
	switch on {
	case "sys.modules", "globals()", "locals()", "vars()", "builtins.__dict__", "__builtins__.__dict__", "__builtins__":
		return pathValue(key)
	}
	return e.pathMember(on, key, depth)
}

// slice evaluates a slice; most often it is [::-1], which reverses a string.
func (e *evaluator) slice(on value, s *syntax.Node, sc *scope, depth int) value {
	if on.kind != text && on.kind != list {
		return value{}
	}
	step := e.eval(s.Kid(2), sc, depth+1)
	switch {
	case step.kind == number && step.num == -1 && s.Kid(0) == nil && s.Kid(1) == nil:
		return reverse(on)
	case s.Kid(2) != nil || !on.whole() && on.kind == text:
		return value{}
	}
	size := len(on.text) + len(on.list)
	from, to := 0, size
	if v := e.eval(s.Kid(0), sc, depth+1); v.kind == number {
		from = clamp(int(v.num), size)
	} else if s.Kid(0) != nil {
		return value{}
	}
	if v := e.eval(s.Kid(1), sc, depth+1); v.kind == number {
		to = clamp(int(v.num), size)
	} else if s.Kid(1) != nil {
		return value{}
	}
	return cut(on, from, to)
}

func clamp(i, size int) int {
	if i < 0 {
		i += size
	}
	return max(0, min(size, i))
}

func cut(on value, from, to int) value {
	if to < from {
		to = from
	}
	if on.kind == list {
		return value{kind: list, list: on.list[from:to]}
	}
	return textValue(on.text[from:to], true)
}

func reverse(on value) value {
	if on.kind == list {
		out := make([]value, len(on.list))
		for i, v := range on.list {
			out[len(out)-1-i] = v
		}
		return value{kind: list, list: out, made: true}
	}
	rs := []rune(on.text)
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	return textValue(string(rs), true)
}

// clean returns the canonical form of a path.
func clean(p string) string {
	p = strings.TrimPrefix(p, "node:")
	for _, prefix := range []string{"globalThis.", "global.", "window.", "builtins.", "__builtins__.", "self.globalThis."} {
		if rest, ok := strings.CutPrefix(p, prefix); ok && rest != "" {
			p = rest
		}
	}
	p = strings.ReplaceAll(p, ".default", "")
	for _, m := range []string{"fs", "dns", "stream", "timers", "readline"} {
		if rest, ok := strings.CutPrefix(p, m+"/promises"); ok {
			p = m + ".promises" + rest
		}
	}
	for _, suffix := range []string{".call", ".apply"} {
		p = strings.TrimSuffix(p, suffix)
	}
	return p
}
