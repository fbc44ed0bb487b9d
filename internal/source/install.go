package source

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// describeInstall fills in what is known before an installation. How the
// server is started is seen when it is installed: [Installed].
func (p *project) describeInstall(a *mcpsf.Artifact, target mcpsf.Target) error {
	a.Runtime = mcpsf.RuntimeNode
	if a.Install.Manager == mcpsf.ManagerPip {
		a.Runtime = mcpsf.RuntimePython
	}
	a.Env = target.Env
	p.identify(a)
	return nil
}

// install says how the project has to be installed, nil if it can be started
// as it is: because it needs nothing else, or brings everything along.
func (p *project) install() *mcpsf.Install {
	if p.file != "" || p.bundle != nil {
		return nil
	}
	node, python := p.installNode(), p.installPython()
	if node != nil && python != nil && p.server.runtime == mcpsf.RuntimePython {
		return python
	}
	if node != nil {
		return node
	}
	return python
}

func (p *project) installNode() *mcpsf.Install {
	unbuilt := p.node.build && len(nodeWays(p)) == 0
	p.missing = nil // it is not known yet what will be there
	if !p.node.depends && !unbuilt || p.tree.byPath["node_modules"] != nil {
		return nil
	}
	in := &mcpsf.Install{Manager: mcpsf.ManagerNPM, Needs: p.node.engine}
	in.Locked = p.tree.file("package-lock.json") != nil || p.tree.file("npm-shrinkwrap.json") != nil
	if unbuilt || p.node.build && p.unbuilt() {
		in.Build = "build"
	}
	return in
}

// unbuilt reports whether a file that package.json starts is not there.
func (p *project) unbuilt() bool {
	files := []string{p.node.main, p.node.exports}
	for _, file := range p.node.bin {
		files = append(files, file)
	}
	return slices.ContainsFunc(files, func(f string) bool { return f != "" && p.tree.file(f) == nil })
}

func (p *project) installPython() *mcpsf.Install {
	if p.tree.byPath[".venv"] != nil || p.tree.byPath["venv"] != nil {
		return nil
	}
	in := &mcpsf.Install{Manager: mcpsf.ManagerPip, Needs: p.python.needs}
	switch {
	case p.wheel:
		return nil // installed from its file, if at all
	case p.python.builds && (p.python.depends || len(p.python.scripts) > 0 && p.tree.file("setup.py") != nil):
		return in
	case p.tree.file("setup.py") != nil && p.tree.file("pyproject.toml") == nil:
		return in
	case p.lists("requirements.txt"):
		in.Requirements = "requirements.txt"
		return in
	}
	return nil
}

// lists reports whether a list of requirements has any.
func (p *project) lists(file string) bool {
	for line := range strings.Lines(string(p.manifest(file))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}
