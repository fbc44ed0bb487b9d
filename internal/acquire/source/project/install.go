package project

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// describeInstall fills in what is known before an installation. [Installed]
// finds the start command afterwards.
func (p *Project) describeInstall(a *mcpsf.Artifact, target mcpsf.Target) error {
	a.Runtime = mcpsf.RuntimeNode
	if a.Install.Manager == mcpsf.ManagerPip {
		a.Runtime = mcpsf.RuntimePython
	}
	a.Env = target.Env
	p.identify(a)
	if a.Install.Lock == nil {
		p.obey(a.Install)
	}
	return nil
}

// install says how the project has to be installed, nil if it can be started as
// it is: because it needs no packages or contains all of them, and an
// installation would run none of its code.
func (p *Project) install() *mcpsf.Install {
	if p.File != "" || p.bundle != nil {
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

func (p *Project) installNode() *mcpsf.Install {
	unbuilt := p.node.build && len(nodeWays(p)) == 0
	p.missing = nil // unknown before the installation
	runs := p.node.installs || p.node.name != "" && p.Tree.File("binding.gyp") != nil
	if p.Tree.ByPath["node_modules"] != nil && !runs {
		return nil
	}
	if !p.node.depends && !unbuilt && !runs && !p.node.prepares {
		return nil
	}
	in := &mcpsf.Install{Manager: mcpsf.ManagerNPM, Needs: p.node.engine}
	if unbuilt || p.node.build && p.unbuilt() {
		in.Build = "build"
	}
	return in
}

// unbuilt reports whether a file that package.json starts is missing.
func (p *Project) unbuilt() bool {
	files := []string{p.node.main, p.node.exports}
	for _, file := range p.node.bin {
		files = append(files, file)
	}
	return slices.ContainsFunc(files, func(f string) bool { return f != "" && p.Tree.File(f) == nil })
}

// installPython decides by the manifests alone, because an included virtual
// environment was made for another machine. A package with a build system or a
// setup.py runs its own code at installation.
func (p *Project) installPython() *mcpsf.Install {
	in := &mcpsf.Install{Manager: mcpsf.ManagerPip, Needs: p.python.needs}
	switch {
	case p.wheel:
		return nil // installed from its file, if at all
	case p.python.backend, p.python.builds && p.python.depends, p.mentions("setup.cfg", "install_requires"),
		p.mentions("setup.py", "setuptools"), p.mentions("setup.py", "distutils"), p.mentions("setup.py", "setup("):
		return in
	case p.lists("requirements.txt"):
		in.Requirements = "requirements.txt"
		return in
	}
	return lockOnly(p)
}

// mentions reports whether a file contains a word, because the requirements of
// a setup.py are known only by running it.
func (p *Project) mentions(file, word string) bool {
	return strings.Contains(string(p.Manifest(file)), word)
}

// lists reports whether a list of requirements is not empty.
func (p *Project) lists(file string) bool {
	for line := range strings.Lines(string(p.Manifest(file))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// Published says how an archive in published form is installed, nil if it is
// none: a wheel, or what npm packs. Such a package is installed from its file,
// as users do: only then do its scripts run and its start files lie where the
// interpreter looks for them.
func (p *Project) Published(top string) *mcpsf.Install {
	switch {
	case p.wheel:
		return &mcpsf.Install{Manager: mcpsf.ManagerPip, Needs: p.python.needs}
	case top == "package" && p.node.name != "":
		return &mcpsf.Install{Manager: mcpsf.ManagerNPM, Needs: p.node.engine}
	}
	return nil
}
