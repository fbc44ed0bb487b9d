package arch

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
)

// maxLines is the length of a file beyond which nobody reads it.
const maxLines = 500

// maxFiles is how many Go files of code a folder has before nobody finds
// anything in it. More needs a reason behind "Files:" in its package comment.
const maxFiles = 40

func checkFolders(tr *tree) []string {
	count, reason := make(map[string]int), make(map[string]bool)
	for _, f := range tr.files {
		if f.test {
			continue
		}
		count[f.folder]++
		if f.syntax.Doc != nil && strings.Contains(f.syntax.Doc.Text(), "\nFiles: ") {
			reason[f.folder] = true
		}
	}
	var problems []string
	for _, folder := range tr.folders {
		if count[folder] > maxFiles && !reason[folder] {
			problems = append(problems, fmt.Sprintf("%s: %d Go files, at most %d; divide it, or say why behind Files: in its doc.go", folder, count[folder], maxFiles))
		}
	}
	return problems
}

// checkRoomDocs wants a doc.go in every room of internal that says what comes
// in, what goes out, and what it must never do.
func checkRoomDocs(tr *tree, rooms map[string]room) []string {
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(rooms)) {
		if !strings.HasPrefix(name, "internal/") {
			continue
		}
		i := slices.IndexFunc(tr.files, func(f *file) bool { return f.name == name+"/doc.go" })
		if i < 0 || tr.files[i].syntax.Doc == nil {
			problems = append(problems, name+": has no doc.go")
			continue
		}
		for _, word := range []string{"In:", "Out:", "Never:"} {
			if !strings.Contains(tr.files[i].syntax.Doc.Text(), word) {
				problems = append(problems, fmt.Sprintf("%s/doc.go: does not say %q", name, word))
			}
		}
	}
	return problems
}

// checkNames finds folders whose name says nothing.
func checkNames(tr *tree) []string {
	var problems []string
	for _, folder := range tr.all {
		switch path.Base(folder) {
		case "util", "utils", "common", "types", "pkg", "helper", "helpers", "misc", "shared":
			problems = append(problems, folder+": name it for what it does")
		}
	}
	return problems
}

func checkLengths(tr *tree) []string {
	var problems []string
	for _, f := range tr.files {
		if !f.test && f.lines > maxLines {
			problems = append(problems, fmt.Sprintf("%s: %d lines, at most %d", f.name, f.lines, maxLines))
		}
	}
	return problems
}

// checkComments finds packages that do not say what they are.
func checkComments(tr *tree) []string {
	said := make(map[string]bool)
	code := make(map[string]bool)
	for _, f := range tr.files {
		if f.test {
			continue
		}
		code[f.folder] = true
		want := "Package " + f.syntax.Name.Name + " "
		if f.syntax.Name.Name == "main" {
			want = ""
		}
		if f.syntax.Doc != nil && strings.HasPrefix(f.syntax.Doc.Text(), want) {
			said[f.folder] = true
		}
	}
	var problems []string
	for _, folder := range tr.folders {
		if code[folder] && !said[folder] {
			problems = append(problems, folder+": no package comment")
		}
	}
	return problems
}

// checkInit finds code that runs because it was imported.
func checkInit(tr *tree) []string {
	var problems []string
	for _, f := range tr.files {
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				problems = append(problems, f.name+": has an init function")
			}
		}
	}
	return problems
}

// checkProcess finds what only cmd may do: end the process, read its
// environment.
func checkProcess(tr *tree, exempt map[string]string) []string {
	calls := map[string][]string{
		"os":  {"Exit", "Getenv", "LookupEnv", "Environ", "ExpandEnv"},
		"log": {"Fatal", "Fatalf", "Fatalln"},
	}
	var problems []string
	for _, f := range tr.files {
		if f.test || below(f.folder, "cmd") || below(f.folder, "bench") || exempt[f.name] != "" {
			continue
		}
		names := localNames(f)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if ok && slices.Contains(calls[names[x.Name]], sel.Sel.Name) {
				problems = append(problems, fmt.Sprintf("%s: %s.%s belongs in cmd",
					tr.fset.Position(sel.Pos()), names[x.Name], sel.Sel.Name))
			}
			return true
		})
	}
	return problems
}

// checkExempt finds exemptions that nothing needs any more.
func checkExempt(tr *tree, exempt map[string]string) []string {
	var problems []string
	for name := range exempt {
		i := slices.IndexFunc(tr.files, func(f *file) bool { return f.name == name })
		if i < 0 {
			problems = append(problems, name+": exempt, but there is no such file")
			continue
		}
		one := &tree{fset: tr.fset, files: tr.files[i : i+1]}
		if len(checkProcess(one, nil)) == 0 {
			problems = append(problems, name+": exempt without need")
		}
	}
	return problems
}

// localNames maps the names a file uses for its imports to their paths.
func localNames(f *file) map[string]string {
	names := make(map[string]string)
	for i, spec := range f.syntax.Imports {
		name := path.Base(f.imports[i])
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = f.imports[i]
	}
	return names
}
