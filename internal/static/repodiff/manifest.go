package repodiff

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

const manifestName = "package.json"

// manifest holds the relevant parts of a package.json.
type manifest struct {
	Name    string
	Scripts map[string]string
	// words are the names of the build tools.
	words []string
}

// readManifest reads what it can, nil if the text is no manifest.
func readManifest(text string) *manifest {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil || fields == nil {
		return nil
	}
	m := &manifest{Scripts: map[string]string{}}
	_ = json.Unmarshal(fields["name"], &m.Name)
	var scripts map[string]json.RawMessage
	_ = json.Unmarshal(fields["scripts"], &scripts)
	for name, raw := range scripts {
		var line string
		if json.Unmarshal(raw, &line) == nil {
			m.Scripts[name] = line
			m.words = append(m.words, words(line)...)
		}
	}
	for _, key := range []string{"devDependencies", "dependencies"} {
		var needs map[string]json.RawMessage
		_ = json.Unmarshal(fields[key], &needs)
		for name := range needs {
			m.words = append(m.words, name)
		}
	}
	return m
}

// words splits a command line into words; paths stay whole.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n&|;()\"'`=", r) })
}

// mostManifests is how many are looked at to find the one of a package.
// gap: repository
const mostManifests = 2000

// home finds the package in the repository: the directory it names, the one
// with a manifest of its name, or the top.
func home(in *Input, repository *listing) (dir string, found *manifest) {
	at := func(dir string) *manifest { return readManifest(repository.text(path.Join(dir, manifestName))) }
	if m := at(in.Dir); m != nil && (in.Dir != "" || m.Name == in.Name) {
		return in.Dir, m
	}
	var dirs []string
	for name := range repository.all {
		if path.Base(name) == manifestName && !strings.Contains("/"+name, "/node_modules/") {
			dirs = append(dirs, path.Dir(name))
		}
	}
	slices.SortFunc(dirs, func(a, b string) int {
		if c := strings.Count(a, "/") - strings.Count(b, "/"); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	for _, dir := range dirs[:min(len(dirs), mostManifests)] {
		if m := at(dir); m != nil && m.Name == in.Name {
			return strings.TrimPrefix(dir, "."), m
		}
	}
	return in.Dir, nil
}
