package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf/internal/gap"
)

// boundName matches the names of constants that bound something.
var boundName = regexp.MustCompile(`^(?:max|Max|most|Most|defaultMax|DefaultMax|kept)(?:[A-Z]|$)`)

// otherBounds are those with other names: mostly times.
func otherBounds() []string {
	return []string{
		"internal/drive/session.enough", "internal/drive/session.tooSlow", "internal/drive/session.wordTime", "internal/drive/session.alone",
		"internal/drive/session.readTime", "internal/drive/session.fewReads", "internal/drive/session.otherTime",
		"internal/drive/session.lingerMost", "internal/agents/agent.atATime", "internal/agents/llmreview.defaultWall",
		"internal/assess/installation.keptOutput", "internal/acquire/cache.DefaultLimit", "internal/service/worker.defaultLimit",
	}
}

// annotation finds what a comment says about a bound.
var annotation = regexp.MustCompile(`(?m)^(no gap|gap): (.+)$`)

// bound is a constant with what its comments say about reaching it.
type bound struct {
	place, name, folder string
	// codes are the gaps that reaching it writes, why is the reason if there is
	// none.
	codes []string
	why   string
}

// bounds lists the constants below internal and cmd that bound something.
func bounds(tr *tree) []bound {
	var list []bound
	other := otherBounds()
	for _, f := range tr.files {
		if f.test || !below(f.folder, "internal") && !below(f.folder, "cmd") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				return true
			}
			for _, s := range decl.Specs {
				spec, _ := s.(*ast.ValueSpec)
				for i, name := range spec.Names {
					if i < len(spec.Values) && isText(spec.Values[i]) {
						continue
					}
					if boundName.MatchString(name.Name) || slices.Contains(other, f.folder+"."+name.Name) {
						list = append(list, annotated(tr, f, decl, spec, name))
					}
				}
			}
			return true
		})
	}
	return list
}

func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// annotated reads the comments of a constant: its own before those of its block.
// Inside functions a declaration has its comment on the lines above.
func annotated(tr *tree, f *file, decl *ast.GenDecl, spec *ast.ValueSpec, name *ast.Ident) bound {
	b := bound{place: tr.fset.Position(name.Pos()).String(), name: name.Name, folder: f.folder}
	groups := []*ast.CommentGroup{spec.Doc, spec.Comment, decl.Doc}
	for _, c := range f.syntax.Comments {
		if tr.fset.Position(c.End()).Line == tr.fset.Position(decl.Pos()).Line-1 {
			groups = append(groups, c)
		}
	}
	for _, g := range groups {
		if g == nil {
			continue
		}
		m := annotation.FindStringSubmatch(strings.TrimSpace(g.Text()))
		if m == nil {
			continue
		}
		if m[1] == "gap" {
			b.codes = strings.Split(m[2], ", ")
		} else {
			b.why = m[2]
		}
		break
	}
	return b
}

// checkBounds wants an annotation at every bound, codes that are in the table,
// and a use of every code.
func checkBounds(tr *tree, table []gap.Kind) []string {
	var problems []string
	known, used := map[string]bool{}, map[string]bool{}
	for _, k := range table {
		known[string(k.Code)] = true
	}
	for _, b := range bounds(tr) {
		if len(b.codes) == 0 && b.why == "" {
			problems = append(problems, fmt.Sprintf("%s: %s bounds something; say // gap: CODE or // no gap: WHY", b.place, b.name))
		}
		for _, code := range b.codes {
			if !known[code] {
				problems = append(problems, fmt.Sprintf("%s: %s names the gap %q, which is not in the table of internal/gap", b.place, b.name, code))
			}
			used[code] = true
		}
	}
	for code := range codesInCalls(tr) {
		used[code] = true
	}
	for _, k := range table {
		if !used[string(k.Code)] {
			problems = append(problems, fmt.Sprintf("internal/gap: nothing uses the code %q", k.Code))
		}
	}
	return problems
}

// codeNames are the codes by the names of their constants.
func codeNames(tr *tree) map[string]string {
	names := map[string]string{}
	for _, f := range tr.files {
		if f.folder != "internal/gap" || f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == 1 && len(spec.Values) == 1 && isText(spec.Values[0]) {
				lit, _ := spec.Values[0].(*ast.BasicLit)
				names[spec.Names[0].Name] = strings.Trim(lit.Value, `"`)
			}
			return true
		})
	}
	return names
}

// codesInCalls are the codes that other packages name as gap.Code.
func codesInCalls(tr *tree) map[string]bool {
	names, codes := codeNames(tr), map[string]bool{}
	for _, f := range tr.files {
		if f.test || f.folder == "internal/gap" || !slices.Contains(f.imports, module+"/internal/gap") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "gap" && names[sel.Sel.Name] != "" {
					codes[names[sel.Sel.Name]] = true
				}
			}
			return true
		})
	}
	return codes
}

func TestEveryBoundIsAGap(t *testing.T) {
	tr := read(t, os.DirFS("../.."))
	for _, p := range checkBounds(tr, gap.Table()) {
		t.Error(p)
	}
	if n := len(bounds(tr)); n < 600 {
		t.Errorf("only %d bounds were found", n)
	}
}

// The check fails for a bound without annotation, an unknown code and one that
// nothing uses.
func TestCheckBounds(t *testing.T) {
	table := []gap.Kind{{Code: "list-pages"}}
	const head = "// Package a x.\npackage a\n"
	for _, tt := range []struct{ name, src, want string }{
		{"fine", "// gap: list-pages\nconst maxPages = 3", ""},
		{"its own comment", "const (\n\t// maxPages bounds pages.\n\t// gap: list-pages\n\tmaxPages = 3\n)", ""},
		{"a block", "// Bounds.\n// gap: list-pages\nconst (\n\tmaxPages = 3\n\tmaxMore = 4\n)", ""},
		{"no gap", "// gap: list-pages\nconst maxPages = 3\n\n// no gap: shown\nconst maxShown = 3", ""},
		{"inside a function", "// gap: list-pages\nconst maxPages = 3\nfunc f() int {\n\tconst most = 2\n\treturn most\n}", "most bounds something"},
		{"none", "// gap: list-pages\nconst maxPages = 3\n\nconst maxShown = 3", "maxShown bounds something"},
		{"one of two", "const (\n\t// gap: list-pages\n\tmaxPages = 3\n\tMaxShown = 4\n)", "MaxShown bounds something"},
		{"unknown", "// gap: list-pages, nothing\nconst maxPages = 3", `"nothing", which is not in the table`},
		{"unused", "const name = 3", `nothing uses the code "list-pages"`},
		{"a name that only begins so", "// gap: list-pages\nconst maxPages = 3\n\nconst maximal = 3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := read(t, fstest.MapFS{"internal/a/a.go": {Data: []byte(head + tt.src)}})
			expect(t, checkBounds(tr, table), tt.want)
		})
	}
}
