package pypi

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// scriptFacts reports which of the package's code runs without being called:
// during the build, or whenever Python starts.
func scriptFacts(p *project.Project, wheel bool) []mcpsf.Fact {
	// no gap: a larger package, manifest or list is refused with an error
	const kind, most = "manifest.script", 50
	var facts []mcpsf.Fact
	if wheel {
		for _, e := range p.Tree.Entries {
			if startsWithPython(e) && len(facts) < most {
				facts = append(facts, mcpsf.Fact{Kind: kind, Path: safetext.Line(e.Path, usererr.MaxPath), Text: safetext.Line(path.Base(e.Path), usererr.MaxShown) + " takes effect whenever Python starts"})
			}
		}
		return facts
	}
	if p.Tree.File("setup.py") != nil {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "setup.py", Text: "setup.py runs when the package is installed"})
	}
	if backend := customBackend(p); backend != "" {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "pyproject.toml", Text: "build-backend " + usererr.Quote(backend) + " runs when the package is installed"})
	}
	return facts
}

// startsWithPython reports whether a file of a wheel is installed where Python
// reads it at its start. Below a package the same names mean nothing.
func startsWithPython(e *staging.Entry) bool {
	dir, name := path.Split(e.Path)
	top, _, _ := strings.Cut(e.Path, "/")
	if !e.IsFile() && !e.IsLink() || dir != "" && path.Ext(top) != ".data" {
		return false
	}
	return path.Ext(name) == ".pth" || name == "sitecustomize.py" || name == "usercustomize.py"
}

// customBackend is the build backend of pyproject.toml, "" if there is none or
// if many packages use it.
func customBackend(p *project.Project) string {
	doc, _ := document.TOML(p.Manifest("pyproject.toml")) // the part that could be parsed
	backend, inside := "", false
	for _, kv := range doc.Pairs() {
		switch strings.Join(kv.Path, ".") {
		case "build-system.build-backend":
			backend = kv.Value
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
