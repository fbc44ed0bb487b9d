package launch

import (
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/assess/packagefiles"
)

// hint is how the package's author says that the server is started.
type hint struct {
	args, vars []string
	why        string
}

// hint reads the files of the package that say how to start it.
func (p *Planner) hint() hint {
	a := p.Artifact
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
		{"server.json", entry.ServerJSON(packagefiles.Read(root, "server.json"))},
		{"the README", entry.Snippets(packagefiles.Readme(root))},
		{"smithery.yaml", one(entry.Smithery(packagefiles.Read(root, "smithery.yaml")))},
		{"the Dockerfile", one(entry.Dockerfile(packagefiles.Read(root, "Dockerfile")))},
	} {
		args, vars, ok := entry.ForPackage(source.snippets, manager, a.Name, bins(a))
		if !ok {
			continue
		}
		filled, env := entry.Fill(args, vars, Places(p.Home), p.credential)
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

// bins returns the names of the installed programs.
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

// Wanted returns the names of credentials that the package's code reads.
func (p *Planner) Wanted() []string {
	if p.Artifact.Dir == "" {
		return nil
	}
	root, err := os.OpenRoot(p.Artifact.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	_, env := entry.Fill(nil, entry.Wanted(root.FS()), Places(p.Home), p.credential)
	return env
}
