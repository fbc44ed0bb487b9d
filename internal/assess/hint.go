package assess

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
)

// hint is how the author says the server is started.
type hint struct {
	args, vars []string
	why        string
}

// hint reads what the package brings along about starting it.
func (st *stage) hint() hint {
	a := st.artifact
	if a.Dir == "" {
		return hint{}
	}
	root, err := os.OpenRoot(a.Dir)
	if err != nil {
		return hint{}
	}
	defer root.Close()
	manager := mcpsf.ManagerNPM
	if a.Runtime == mcpsf.RuntimePython {
		manager = mcpsf.ManagerPip
	}
	for _, source := range []struct {
		why      string
		snippets []entry.Snippet
	}{
		{"server.json", entry.ServerJSON(read(root, "server.json"))},
		{"the README", entry.Snippets(readme(root))},
		{"smithery.yaml", one(entry.Smithery(read(root, "smithery.yaml")))},
		{"the Dockerfile", one(entry.Dockerfile(read(root, "Dockerfile")))},
	} {
		args, vars, ok := entry.ForPackage(source.snippets, manager, a.Name, bins(a))
		if !ok {
			continue
		}
		filled, env := entry.Fill(args, vars, places(st.home), st.credential)
		return hint{args: filled, vars: env, why: "as " + source.why + " says"}
	}
	return hint{}
}

func one(s entry.Snippet, ok bool) []entry.Snippet {
	if !ok {
		return nil
	}
	return []entry.Snippet{s}
}

// bins are the names of the programs that were installed.
func bins(a *mcpsf.Artifact) []string {
	var names []string
	for _, c := range a.Candidates {
		if _, rest, ok := strings.Cut(c.Why, ` "`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
	}
	return names
}

// maxReadme bounds what is read of a text.
const maxReadme = 1 << 20

func read(root *os.Root, name string) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxReadme)) //nolint:forbidigo // limited
	if err != nil {
		return nil
	}
	return data
}

// readme finds the README of a package, which a wheel has in its metadata.
func readme(root *os.Root) []byte {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if name := strings.ToLower(e.Name()); strings.HasPrefix(name, "readme") && e.Type().IsRegular() {
			return read(root, e.Name())
		}
	}
	for _, e := range entries {
		if e.IsDir() && path.Ext(e.Name()) == ".dist-info" {
			return read(root, path.Join(e.Name(), "METADATA"))
		}
	}
	return read(root, "PKG-INFO")
}

// maxCompared is how many words are said to a server.
const maxCompared = 64

// compared are the words that the package's code compares texts with: those
// that its parts were understood to, then those that only look like it.
func (st *stage) compared() []string {
	if st.artifact.Dir == "" {
		return nil
	}
	root, err := os.OpenRoot(st.artifact.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	words := st.reading.words()
	for _, w := range entry.Compared(root.FS()) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words[:min(len(words), maxCompared)]
}

// wanted are the credentials that the package's code reads.
func (st *stage) wanted() []string {
	if st.artifact.Dir == "" {
		return nil
	}
	root, err := os.OpenRoot(st.artifact.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	_, env := entry.Fill(nil, entry.Wanted(root.FS()), places(st.home), st.credential)
	return env
}
