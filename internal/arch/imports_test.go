package arch

import (
	"fmt"
	"slices"
	"strings"
)

// checkImports compares every import with the table.
func checkImports(tr *tree, table map[string]row) []string {
	var problems []string
	for _, folder := range tr.folders {
		if _, ok := table[folder]; !ok {
			problems = append(problems, folder+": no row in internal/arch/table_test.go; say there what it may import")
		}
	}
	for _, f := range tr.files {
		row, ok := table[f.folder]
		if !ok {
			continue
		}
		for _, p := range f.imports {
			if why := refused(f, row, p); why != "" {
				problems = append(problems, fmt.Sprintf("%s: imports %s: %s", f.name, p, why))
			}
		}
	}
	return problems
}

// refused says why a file may not import p, "" if it may.
func refused(f *file, r row, p string) string {
	folder, ours := own(p)
	switch {
	case ours && folder == f.folder: // an external test of the folder itself
		return ""
	case ours && (r.everything || slices.Contains(r.imports, folder) || f.test && slices.Contains(r.tests, folder)):
		return ""
	case ours:
		return "not in the row of " + f.folder
	case strings.HasPrefix(p, "gvisor.dev/gvisor") && !r.gvisor:
		return "only the sandbox knows its engine"
	case r.stdlib && !f.test && !standard(p):
		return "only the standard library here"
	}
	return ""
}

func standard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// checkTable finds what is wrong with the table itself.
func checkTable(table map[string]row, stages []string) []string {
	var problems []string
	for _, stage := range stages {
		for _, to := range table[stage].imports {
			if slices.Contains(stages, to) {
				problems = append(problems, stage+": a stage may not import the stage "+to)
			}
		}
	}
	graph := make(map[string][]string)
	for folder, r := range table {
		graph[folder] = r.imports
		for _, to := range append(r.imports, r.tests...) {
			if _, ok := table[to]; !ok {
				problems = append(problems, folder+": allowed to import "+to+", which has no row")
			}
		}
	}
	for folder := range graph {
		for _, to := range graph[folder] {
			if reaches(graph, to, func(at string) bool { return at == folder }) {
				problems = append(problems, folder+": in a cycle with "+to)
			}
		}
	}
	return problems
}

// checkFences follows the imports that are there, tests left out.
func checkFences(tr *tree, fences []fence) []string {
	graph := make(map[string][]string)
	for _, f := range tr.files {
		for _, p := range f.imports {
			if to, ok := own(p); ok && !f.test {
				graph[f.folder] = append(graph[f.folder], to)
			}
		}
	}
	var problems []string
	for _, fence := range fences {
		below := func(at string) bool { return at == fence.never || strings.HasPrefix(at, fence.never+"/") }
		if reaches(graph, fence.from, below) {
			problems = append(problems, fmt.Sprintf("%s: reaches %s: %s", fence.from, fence.never, fence.why))
		}
	}
	return problems
}

// reaches reports whether a chain of imports leads from a folder to one that
// is meant.
func reaches(graph map[string][]string, from string, meant func(folder string) bool) bool {
	seen := make(map[string]bool)
	queue := []string{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if meant(at) {
			return true
		}
		if !seen[at] {
			seen[at] = true
			queue = append(queue, graph[at]...)
		}
	}
	return false
}
