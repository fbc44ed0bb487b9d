package samples

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// documentDir holds one file of every format, below the home directory.
const documentDir = "Documents/projects/samples"

// Files returns everything, sorted by path.
func Files() ([]File, error) {
	var entries []entry
	for _, part := range []func() ([]entry, error){documentFiles, projectFiles, pictures} {
		more, err := part()
		if err != nil {
			return nil, err
		}
		entries = append(entries, more...)
	}
	files := make([]File, len(entries))
	for i, e := range entries {
		files[i] = File{Path: path.Join(mcpsf.Home, e.name), Mode: mode(e.name), Content: e.content}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// ByEnding returns the absolute path of a valid file for each ending: ".xlsx",
// ".tar.gz". Files that are known by their whole name have it as the key:
// "Dockerfile", "openapi.yaml".
func ByEnding() map[string]string {
	return firstOfEach(func(e entry) string { return path.Join(mcpsf.Home, documentDir, e.name) })
}

// Contents returns what is in the files of [ByEnding].
func Contents() map[string][]byte {
	return firstOfEach(func(e entry) []byte { return e.content })
}

// firstOfEach returns what is wanted of the first document with each ending.
func firstOfEach[T any](want func(entry) T) map[string]T {
	all, err := documents()
	if err != nil {
		return nil // only if the stored files are broken, which Files tells
	}
	found := make(map[string]T)
	for _, e := range all {
		for _, key := range keys(e.name) {
			if _, there := found[key]; !there {
				found[key] = want(e)
			}
		}
	}
	return found
}

// keys are every ending of a name: of "till.log.gz" also ".gz".
func keys(name string) []string {
	var list []string
	if slices.Contains(knownNames(), name) {
		list = append(list, name)
	}
	for at, c := range name {
		if c == '.' {
			list = append(list, name[at:])
		}
	}
	return list
}

// knownNames are those that say more than their ending.
func knownNames() []string {
	return []string{
		"Dockerfile", "Makefile", "docker-compose.yml", "deployment.yaml", "workflow.yml",
		"openapi.yaml", "openapi.json", "asyncapi.yaml", "package.json", "requirements.txt",
	}
}

// documents are the files of single formats. Of several with the same ending the
// first one is the most ordinary.
func documents() ([]entry, error) {
	var all []entry
	for _, part := range []func() ([]entry, error){texts, generated, officeFiles, binaries} {
		more, err := part()
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func documentFiles() ([]entry, error) {
	all, err := documents()
	return below(documentDir, all), err
}

func below(dir string, entries []entry) []entry {
	placed := make([]entry, len(entries))
	for i, e := range entries {
		placed[i] = entry{path.Join(dir, e.name), e.content}
	}
	return placed
}

func texts() ([]entry, error) {
	list, err := archives("text")
	var all []entry
	for _, a := range list {
		all = append(all, a.files...)
	}
	for i, e := range all {
		if slices.Contains([]string{".ics", ".vcf", ".eml"}, path.Ext(e.name)) {
			// The standards want these line ends.
			all[i].content = bytes.ReplaceAll(e.content, []byte("\n"), []byte("\r\n"))
		}
	}
	return all, err
}

// mode lets scripts be started.
func mode(name string) uint32 {
	if strings.HasSuffix(name, ".sh") || path.Base(name) == "manage.py" {
		return 0o755
	}
	return 0o644
}
