package source

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// scriptFacts tells what of the package runs without being called: while it
// is built, or whenever Python starts.
func (p *project) scriptFacts(wheel bool) []mcpsf.Fact {
	const kind, most = "manifest.script", 50
	var facts []mcpsf.Fact
	if wheel {
		for _, e := range p.tree.entries {
			if startsWithPython(e) && len(facts) < most {
				facts = append(facts, mcpsf.Fact{Kind: kind, Path: clean(e.path, maxPath), Text: clean(path.Base(e.path), maxShown) + " takes effect whenever Python starts"})
			}
		}
		return facts
	}
	if p.tree.file("setup.py") != nil {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "setup.py", Text: "setup.py runs when the package is installed"})
	}
	if backend := p.customBackend(); backend != "" {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "pyproject.toml", Text: "build-backend " + quote(backend) + " runs when the package is installed"})
	}
	return facts
}

// startsWithPython reports whether a file of a wheel ends up where Python
// reads it when it starts. Below a package the same names mean nothing.
func startsWithPython(e *entry) bool {
	dir, name := path.Split(e.path)
	top, _, _ := strings.Cut(e.path, "/")
	if !e.isFile() && !e.isLink() || dir != "" && path.Ext(top) != ".data" {
		return false
	}
	return path.Ext(name) == ".pth" || name == "sitecustomize.py" || name == "usercustomize.py"
}

// customBackend is the build backend of pyproject.toml, "" if there is none
// or if it is one that many packages use.
func (p *project) customBackend() string {
	pairs, _ := parseTOML(p.manifest("pyproject.toml")) // what was understood
	backend, inside := "", false
	for _, kv := range pairs {
		switch strings.Join(kv.path, ".") {
		case "build-system.build-backend":
			backend = kv.value
		case "build-system.backend-path":
			inside = true // it comes with the package, whatever its name
		}
	}
	known := []string{
		"setuptools.build_meta", "setuptools.build_meta:__legacy__", "hatchling.build", "poetry.core.masonry.api",
		"poetry.masonry.api", "flit_core.buildapi", "flit.buildapi", "pdm.backend", "pdm.pep517.api",
		"uv_build", "maturin", "mesonpy", "scikit_build_core.build",
	}
	if slices.Contains(known, backend) && !inside {
		return ""
	}
	return backend
}
