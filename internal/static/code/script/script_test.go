package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// found lists the calls of a tree with their lines, in order.
func found(n *syntax.Node, out *[]string) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		found(k, out)
	}
	if n.Kind == syntax.Call && n.Kid(0) != nil {
		*out = append(*out, strings.Repeat("\n", n.Line-1)+n.Kid(0).Text)
	}
}

// TestLines checks the line of every call, although the parser's tree has no
// positions.
func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		syntax    Syntax
	}{
		{"plain", "a();\nb(1, 'x');\n\nc(d());", JavaScript},
		{"the same name again", "a();\n// a a a\na();\n'a';\na(a());", JavaScript},
		{"members", "x\n.a()\n.b();\ny.a();", JavaScript},
		{"functions", "function a() {\n b();\n}\nconst c = (b) => {\n b();\n};\nclass D {\n a() {\n  b();\n }\n}", JavaScript},
		{"templates", "a(`\n${b()}\n`);\nc();", JavaScript},
		{"patterns", "const { a, b: [c = d()] } = e();\nfor (const f of g())\n h(f);", JavaScript},
		{"regular expressions", "a(/b()/g);\nc = d / e() / f();", JavaScript},
		{"a return at the top", "#!/usr/bin/env node\na();\nreturn b();", JavaScript},
		{"types", "interface A {\n b(): void\n}\ntype C<T> = T;\nconst d: A = e<A>(f() as A);\nenum G { h = 1 }\n\ni<string>(d!);", TypeScript},
		{"markup", "const a = <b c={d()}>\n {e()}\n</b>;\nf();", TSX},
		{"decorators", "class A {\n @b() c() {\n  d();\n }\n}", TypeScript},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := Read([]byte(tt.src), tt.syntax)
			if !tree.Whole {
				t.Fatalf("not understood: %s", tree.Note)
			}
			var calls []string
			found(tree.Root, &calls)
			lines := strings.Split(tt.src, "\n")
			for _, c := range calls {
				name := strings.TrimLeft(c, "\n")
				line := len(c) - len(name)
				if strings.HasPrefix(name, "__") || name == "createElement" || name == "decorator" { // made by the transformation
					continue
				}
				if line >= len(lines) || !strings.Contains(lines[line], name) {
					t.Errorf("%s on line %d, where it is not: %q", name, line+1, lines[min(line, len(lines)-1)])
				}
			}
			if len(calls) == 0 {
				t.Error("no call found")
			}
		})
	}
}

func TestCook(t *testing.T) {
	for in, want := range map[string]string{
		`a\nb`: "a\nb", `\x41\u0042\u{1F600}`: "AB\U0001F600", `\ud83d\ude00`: "\U0001F600", `\101\0`: "A\x00", `a\` + "\n" + `b`: "ab", `\q\'`: "q'", `\u{zz}`: "u{zz}", `\x`: "x"[1:] + "", `\ud83d`: "\ufffd",
	} {
		if got := cook(in); got != want {
			t.Errorf("cook(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSourceMap(t *testing.T) {
	if d := cmp.Diff([]int{0, 0, 16, 1}, decodeVLQ("AAgBC")); d != "" {
		t.Error(d)
	}
	m, err := readMap([]byte(`{"mappings":"AAAA;;AACA,IAEA"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ line, column, want int }{{1, 0, 1}, {2, 5, 1}, {3, 0, 2}, {3, 9, 4}, {9, 0, 4}} {
		if got := m.original(tt.line, tt.column); got != tt.want {
			t.Errorf("line %d column %d is from line %d, want %d", tt.line, tt.column, got, tt.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a(/b/g, `c${d}e`)", "#!/x\n'a' + \"b\"", "x = a / b / c", "<!-- a\n--> b", "\\u0061 #p \x00", "`${`${", "/*"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		last, n := 0, 0
		Tokens(src, func(k Token) bool {
			if k.At < last || k.At+len(k.Text) > len(src) {
				t.Fatalf("%q at %d after %d of %d", k.Text, k.At, last, len(src))
			}
			last = k.At
			n++
			return true
		})
		if n > len(src)+1 {
			t.Fatalf("%d tokens in %d bytes", n, len(src))
		}
	})
}

func FuzzCook(f *testing.F) {
	for _, s := range []string{`\u{1F600}`, `\ud83d\ude00`, `\x4`, `\`, `\777`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := cook(s); len(got) > 3*len(s) {
			t.Fatalf("%q became %d bytes", s, len(got))
		}
	})
}
