package arch

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf/internal/gap"
)

// route says which package writes the gap of bounds in other packages, and what
// they pass to it.
type route struct {
	code, from, by string
	how            string
}

// routes are the gaps that a package writes for another.
func routes() []route {
	const assess = "internal/assess"
	return []route{
		{"advisories", "internal/static/advisory", assess + "/inspection", "an error of the lookup"},
		{"agent-bounds", "internal/agents", assess, "how much the agents used"},
		{"agent-bounds", "internal/drive/session", assess, "how much the agents used"},
		{"arguments-cut", "internal/sandbox/wire", assess, "args_cut of an event"},
		{"code-not-run", "internal/observe/monitor", assess + "/inspection", "Totals.Unheard"},
		{"inputs-too-large", "internal/drive/schema", "internal/drive/session", "ErrTooLarge"},
		{"late-work", "internal/drive/session", assess + "/plan", "in every run"},
		{"late-work", "internal/sandbox/box", assess + "/plan", "in every run"},
		{"lock-not-honoured", "internal/acquire", assess, "Lock.Problem, and the exit code of an installation"},
		{"mails-cut", "internal/network/fakenet/host", assess, "http.mail_cut of an event"},
		{"model-payloads", "internal/agents/payload", assess, "how the model was asked"},
		{"not-compared", assess + "/noninterference", assess, "Comparison.Noisy"},
		{"not-decoded", "internal/observe/canary", "internal/observe/leak", "Stream.Cut"},
		{"pieces-not-joined", "internal/observe/canary", "internal/observe/leak", "Gather.Full"},
		{"repository", "internal/static/repodiff", assess + "/inspection", "what was not compared"},
		{"rule-memory", "internal/judge/rules", "internal/judge/rules", "Run.Full"},
		{"source-not-read", "internal/static", assess + "/inspection", "what was not read"},
		{"state-not-kept", "internal/sandbox/sentry", assess, "the error of the export"},
		{"stub-programs", assess + "/stubprograms", assess, "which programs were replaced"},
		{"texts-not-read", "internal/agents/promptscan", assess + "/listener", "the bytes that Scan did not read"},
		{"timers-not-awaited", "internal/observe/monitor", assess, "Totals.Sleepers"},
		{"tools-failed", "internal/drive", assess, "the calls of the session"},
		{"traffic-unread", "internal/network/fakenet", assess, "http.cut, flow.unread and smtp.cut of an event"},
		{"words-left-out", "internal/acquire/entry", "internal/drive/session", "how many words there are"},
		{"words-left-out", "internal/static/code/analysis", "internal/drive/session", "how many words there are"},
	}
}

// checkWritten wants every code of the table written by some package, and every
// annotation in a package that writes the code, or has a route to one that does.
func checkWritten(tr *tree, table []gap.Kind, routes []route) []string {
	var problems []string
	written := writtenCodes(tr)
	for _, k := range table {
		if len(written[string(k.Code)]) == 0 {
			problems = append(problems, fmt.Sprintf("internal/gap: nothing writes the code %q", k.Code))
		}
	}
	used := map[route]bool{}
	for _, b := range bounds(tr) {
		for _, code := range b.codes {
			by := written[code]
			routed := slices.IndexFunc(routes, func(r route) bool {
				return r.code == code && below(b.folder, r.from) && slices.Contains(by, r.by)
			})
			if routed >= 0 {
				used[routes[routed]] = true
			}
			if routed < 0 && !slices.Contains(by, b.folder) {
				problems = append(problems, fmt.Sprintf("%s: %s names the gap %q, which %s does not write, but %s", b.place, b.name, code, b.folder, strings.Join(by, ", ")))
			}
		}
	}
	for _, r := range routes {
		if !used[r] {
			problems = append(problems, fmt.Sprintf("no bound needs the route of %q from %s to %s", r.code, r.from, r.by))
		}
	}
	return problems
}

// writtenCodes are the folders that write each code: they pass it to a function
// that makes a gap, in a function that something else than tests may call.
func writtenCodes(tr *tree) map[string][]string {
	names, called := codeNames(tr), calledFunctions(tr)
	out := map[string][]string{}
	for _, f := range tr.files {
		if f.test || f.folder == "internal/gap" || !slices.Contains(f.imports, module+"/internal/gap") {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !called[fn.Name.Name] {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !makesGap(call) {
					return true
				}
				for _, arg := range call.Args {
					if code := names[gapConstant(arg)]; code != "" && !slices.Contains(out[code], f.folder) {
						out[code] = append(out[code], f.folder)
					}
				}
				return true
			})
		}
	}
	return out
}

// makesGap tells whether a call makes a gap of a code: gap.New and the like, or
// a function of the same package around them. Functions that compare codes do
// not.
func makesGap(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		x, _ := fun.X.(*ast.Ident)
		return x != nil && x.Name == "gap" && slices.Contains([]string{"New", "Detailed", "All"}, fun.Sel.Name) || fun.Sel.Name == "gap"
	case *ast.Ident:
		return slices.Contains([]string{"add", "readSome"}, fun.Name)
	}
	return false
}

// gapConstant returns the name of gap.Name, "" for another expression.
func gapConstant(e ast.Expr) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "gap" {
		return ""
	}
	return sel.Sel.Name
}

// calledFunctions are the names that code outside of tests uses, beside where
// they are declared.
func calledFunctions(tr *tree) map[string]bool {
	used := map[string]bool{"main": true}
	for _, f := range tr.files {
		if f.test {
			continue
		}
		declared := map[*ast.Ident]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name] = true
			case *ast.Ident:
				if !declared[n] {
					used[n.Name] = true
				}
			}
			return true
		})
	}
	return used
}

func TestEveryGapIsWritten(t *testing.T) {
	tr := read(t, os.DirFS("../.."))
	for _, p := range checkWritten(tr, gap.Table(), routes()) {
		t.Error(p)
	}
}

// The check fails for a code that is only mentioned, that only a test or a dead
// function writes, and for a bound whose package cannot write its gap.
func TestCheckWritten(t *testing.T) {
	table := []gap.Kind{{Code: "list-pages"}}
	const codes = "// Package gap x.\npackage gap\nconst ListPages = \"list-pages\"\n"
	const head = "// Package a x.\npackage a\nimport \"github.com/mcpsf/mcpsf/internal/gap\"\n"
	const bound = "// gap: list-pages\nconst maxPages = 3\n"
	for _, tt := range []struct {
		name, src string
		routes    []route
		want      string
	}{
		{"fine", bound + "func f() { gap.New(gap.ListPages, 1, 2) }\nvar x = f", nil, ""},
		{"with a sentence", bound + "func f() { gap.Detailed(gap.ListPages, s) }\nvar x = f", nil, ""},
		{"by a function around it", bound + "func f() { l.gap(gap.ListPages, 1, 2) }\nvar x = f", nil, ""},
		{"only mentioned", bound + "func f() bool { return c == gap.ListPages }\nvar x = f", nil, "nothing writes"},
		{"in a function that nobody calls", bound + "func f() { gap.New(gap.ListPages, 1, 2) }", nil, "nothing writes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := read(t, fstest.MapFS{"internal/gap/gap.go": {Data: []byte(codes)}, "internal/a/a.go": {Data: []byte(head + tt.src)}})
			expectAny(t, checkWritten(tr, table, tt.routes), tt.want)
		})
	}
	writer := "func f() { gap.New(gap.ListPages, 1, 2) }\nvar x = f"
	tr := read(t, fstest.MapFS{
		"internal/gap/gap.go": {Data: []byte(codes)}, "internal/a/a.go": {Data: []byte(head + writer)},
		"internal/b/b.go": {Data: []byte("// Package b x.\npackage b\n" + bound)},
	})
	expectAny(t, checkWritten(tr, table, nil), "which internal/b does not write, but internal/a")
	expectAny(t, checkWritten(tr, table, []route{{"list-pages", "internal/b", "internal/a", "a flag"}}), "")
	expectAny(t, checkWritten(tr, table, []route{{"list-pages", "internal/b", "internal/c", "a flag"}}), "which internal/b does not write")
	expectAny(t, checkWritten(tr, table, []route{{"list-pages", "internal/b", "internal/a", "a flag"}, {"list-pages", "internal/c", "internal/a", "a flag"}}), "no bound needs the route")
}

func expectAny(t *testing.T, problems []string, want string) {
	t.Helper()
	if want == "" && len(problems) > 0 || want != "" && !strings.Contains(strings.Join(problems, "\n"), want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}
