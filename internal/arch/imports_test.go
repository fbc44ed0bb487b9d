package arch

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// below tells whether a folder is another, or inside it.
func below(folder, of string) bool { return folder == of || strings.HasPrefix(folder, of+"/") }

// roomOf is the longest room that a folder is below; "." is itself only.
func roomOf(folder string, rooms map[string]room) string {
	best := ""
	for name := range rooms {
		if (folder == name || name != "." && below(folder, name)) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// checkImports compares every import with the rooms.
func checkImports(tr *tree, rooms map[string]room) []string {
	var problems []string
	for _, folder := range tr.folders {
		if roomOf(folder, rooms) == "" {
			problems = append(problems, folder+": in no room of internal/arch/table_test.go; put it into one")
		}
	}
	for _, f := range tr.files {
		name := roomOf(f.folder, rooms)
		if name == "" {
			continue
		}
		for _, p := range f.imports {
			if why := refused(f, name, rooms, p); why != "" {
				problems = append(problems, fmt.Sprintf("%s: imports %s: %s", f.name, p, why))
			}
		}
	}
	return problems
}

// refused says why a file may not import p, "" if it may.
func refused(f *file, name string, rooms map[string]room, p string) string {
	r := rooms[name]
	in := func(list []string, folder string) bool {
		return slices.ContainsFunc(list, func(of string) bool { return folder == of || of != "." && below(folder, of) })
	}
	folder, ours := own(p)
	test := f.test || strings.HasSuffix(path.Base(f.folder), "test")
	switch {
	case ours && (r.everything || roomOf(folder, rooms) == name || in(base(), folder) && name != "."):
		return ""
	case ours && (in(r.imports, folder) || test && in(r.tests, folder)):
		return ""
	case ours:
		return "the room " + name + " may not"
	case strings.HasPrefix(p, "gvisor.dev/gvisor") && !in(r.gvisor, f.folder):
		return "only the sandbox knows its engine"
	}
	return ""
}

// checkStdlib holds the folders that rest on nothing to it.
func checkStdlib(tr *tree, folders []string) []string {
	var problems []string
	for _, f := range tr.files {
		if f.test || !slices.Contains(folders, f.folder) {
			continue
		}
		for _, p := range f.imports {
			if to, ours := own(p); !(ours && (below(to, path.Dir(f.folder)) || slices.Contains(folders, to))) && !standard(p) {
				problems = append(problems, fmt.Sprintf("%s: imports %s: only the standard library here", f.name, p))
			}
		}
	}
	return problems
}

func standard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// checkRooms finds what is wrong with the table itself.
func checkRooms(rooms map[string]room) []string {
	var problems []string
	graph := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(rooms)) {
		for _, to := range rooms[name].imports {
			other := roomOf(to, rooms)
			if other == "" {
				problems = append(problems, name+": allowed to import "+to+", which is in no room")
			}
			graph[name] = append(graph[name], other)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(graph)) {
		for _, to := range graph[name] {
			if reaches(graph, to, func(at string) bool { return at == name }) {
				problems = append(problems, name+": in a cycle with "+to)
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
		if reaches(graph, fence.from, func(at string) bool { return below(at, fence.never) }) {
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
