package arch

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// What a type may have before it does too much.
const (
	maxMethods = 40
	maxFields  = 20
	maxOptions = 12 // of a struct whose name ends in Options
)

// checkTypes finds types that do everything.
func checkTypes(tr *tree) []string {
	methods, fields := make(map[string]int), make(map[string]int)
	for _, f := range tr.files {
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if name := receiver(d); name != "" {
					methods[f.folder+"."+name]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						fields[f.folder+"."+s.Name.Name] = fieldsOf(s)
					}
				}
			}
		}
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		if n := methods[name]; n > maxMethods {
			problems = append(problems, fmt.Sprintf("%s: %d methods, at most %d", name, n, maxMethods))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		most := maxFields
		if strings.HasSuffix(name, "Options") {
			most = maxOptions
		}
		if n := fields[name]; n > most {
			problems = append(problems, fmt.Sprintf("%s: %d fields, at most %d", name, n, most))
		}
	}
	return problems
}

// receiver is the type that a method belongs to, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func fieldsOf(s *ast.TypeSpec) int {
	t, ok := s.Type.(*ast.StructType)
	if !ok {
		return 0
	}
	n := 0
	for _, f := range t.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

// ratchet lets pass what is listed, and nothing that is listed without need.
func ratchet(problems []string, listed map[string]string) []string {
	var left []string
	used := make(map[string]bool)
	for _, p := range problems {
		name, _, _ := strings.Cut(p, ":")
		if listed[name] != "" {
			used[name] = true
			continue
		}
		left = append(left, p)
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !used[name] {
			left = append(left, name+": in the list of what is too large, but it is not any more; take it out")
		}
	}
	return left
}
