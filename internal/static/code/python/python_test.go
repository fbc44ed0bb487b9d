package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// outline formats a tree for comparison.
func outline(n *syntax.Node) string {
	if n == nil {
		return "_"
	}
	names := map[syntax.Kind]string{
		syntax.Other: "other", syntax.Name: "", syntax.String: "", syntax.Number: "", syntax.Join: "join", syntax.Binary: "", syntax.Unary: "", syntax.Call: "call",
		syntax.Member: "", syntax.Index: "index", syntax.Slice: "slice", syntax.List: "list", syntax.Object: "object", syntax.Pair: "pair", syntax.Spread: "spread", syntax.Keyword: "",
		syntax.Func: "func", syntax.Params: "", syntax.Param: "", syntax.Class: "class", syntax.Assign: "=", syntax.If: "if", syntax.Loop: "loop",
		syntax.Comprehension: "each", syntax.Block: "", syntax.Return: "return", syntax.Import: "import", syntax.Export: "export",
	}
	text := n.Text
	switch n.Kind {
	case syntax.String:
		text = fmt.Sprintf("%q", text)
	case syntax.Member:
		text = "." + text
	case syntax.Keyword:
		text += ":"
	}
	head := strings.TrimSpace(names[n.Kind] + " " + text)
	if len(n.Kids) == 0 && n.Kind != syntax.Call && n.Kind != syntax.List && n.Kind != syntax.Object && n.Kind != syntax.Block && n.Kind != syntax.Params {
		return head
	}
	parts := []string{}
	if head != "" {
		parts = append(parts, head)
	}
	for _, k := range n.Kids {
		parts = append(parts, outline(k))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"call", "os.system('id')", `((call (.system os) "id"))`},
		{"precedence", "a + b * c - d", `((- (+ a (* b c)) d))`},
		{"chain of plus", "a + b + c", `((+ a b c))`},
		{"not in", "a not in b and not c is not d", `((and (not in a b) (not (!= c d))))`},
		{"power", "-a ** -b", `((- (** a (- b))))`},
		{"ternary", "x = a if b else c", `((= x (if b a c)))`},
		{"chained", "a = b = 1", `(((= a 1) (= b 1)))`},
		{"annotated", "a: int = 1", `((= a 1 int))`},
		{"walrus", "if (n := f()): pass", `((if (= n (call f)) (other pass)))`},
		{"imports", "import a.b, c as d\nfrom .x import (y as z,\n  w)", `((import a.b (import a (pair * a)) (import c (pair * d))) (import .x (pair y z) (pair w w)))`},
		{"strings", `x = 'a' "b" rb'\d' '\x41\u0042\n'`, `((= x "ab\\dAB\n"))`},
		{"f-string", `f"a{b!r:>{w}}c{{d}}"`, `((join "a" b "c{d}"))`},
		{"nested quotes", `f"{d["k"]} {','.join(x)}"`, `((join (index d "k") " " (call (.join ",") x)))`},
		{"slices", "a[::-1][1:2]", `((index (index a (slice _ _ (- 1))) (slice 1 2 _)))`},
		{"dict", "{'a': 1, **b}", `((object (pair a 1) (spread b)))`},
		{"comprehension", "[f(x) for x in y if x]", `((each (call f x) (= x (each y)) x))`},
		{"keywords", "f(a, *b, c=1, **d)", `((call f a (spread b) (c: 1) (spread d)))`},
		{"function", "@dec(1)\nasync def f(a, *, b: int = 2, **c) -> str:\n  '''doc'''\n  return a", `((func f ((a _ _) (b 2 int) (c _ _)) ("doc" (return a)) (other decorators (call dec 1))))`},
		{"class", "class A(B, metaclass=C):\n  x = 1", `((class A ((= x 1)) B (metaclass: C)))`},
		{"elif", "if a: b\nelif c: d\nelse: e", `((if a (b) (if c (d) (e))))`},
		{"for", "for a, b in c: d\nelse: e", `((loop (= (list a b) (each c)) (d) (e)))`},
		{"try", "try:\n  a\nexcept (B, C) as d:\n  e\nfinally: f", `((try (a) (list B C) (e) (f)))`},
		{"with", "with open(a) as b, c: d", `((with (= b (call open a)) c d))`},
		{"match", "match a:\n  case {'x': str() | int() as t} if t: b\n  case _: c", ``},
		{"match is a name", "match = 1\nmatch(2)", `((= match 1) (call match 2))`},
		{"lambda", "lambda a, b=1: a", `((func ((a _ _) (b 1 _)) a))`},
		{"continuation", "a = 1 + \\\n  2", `((= a (+ 1 2)))`},
		{"semicolons", "a; b;", `(a b)`},
		{"type parameters", "def f[T](a: T): pass", `((func f ((a _ T)) ((other pass)) _))`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := Read([]byte(tt.src))
			if !tree.Whole {
				t.Errorf("not understood: %s", tree.Note)
			}
			if got := outline(tree.Root); tt.want != "" {
				if d := cmp.Diff(tidy(tt.want), tidy(got)); d != "" {
					t.Errorf("got %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// tidy makes one-statement blocks look the same as their statement.
func tidy(s string) string {
	return strings.NewReplacer("((other pass))", "(other pass)", "(b)", "b", "(c)", "c", "(d)", "d", "(e)", "e", "(a)", "a", "(f)", "f").Replace(s)
}

func TestLines(t *testing.T) {
	tree := Read([]byte("'''\na\n'''\n\nx = (\n  1,\n  f(2))\n"))
	call := tree.Root.Kids[1].Kid(1).Kid(1)
	if !call.Is(syntax.Call) || call.Line != 7 {
		t.Errorf("got %s on line %d, want the call on line 7", outline(call), call.Line)
	}
}

// TestDamage checks that a line with a syntax error costs only that line.
func TestDamage(t *testing.T) {
	tree := Read([]byte("import os\nx = = 1\nprint 'a'\nos.system('id')\n"))
	if tree.Whole || tree.Note == "" {
		t.Errorf("whole %v, note %q; want a note", tree.Whole, tree.Note)
	}
	if got := outline(tree.Root); !strings.Contains(got, "(call (.system os)") {
		t.Errorf("the line after the damage is lost: %s", got)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"def f(a, *b, c=1, **d) -> int:\n  return f'{a!r:>{b}}'\n", "match a:\n case [1, *x] as y if z: pass\n", "a = b'\\x41' 'c' f\"{d['e']}\"\n", "@x\nclass A(B): pass\n", "if a:\n\tb\n  c\n", "with (a as b, c): d", "'''", "f'{", "(((", "lambda: (yield)"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tree := Read(src)
		walk(t, tree.Root, strings.Count(string(src), "\n")+2)
	})
}

// walk checks that every node has an existing line.
func walk(t *testing.T, n *syntax.Node, lines int) {
	if n == nil {
		return
	}
	if n.Line < 0 || n.Line > lines {
		t.Fatalf("%s on line %d of %d", outline(n), n.Line, lines)
	}
	for _, k := range n.Kids {
		walk(t, k, lines)
	}
}
