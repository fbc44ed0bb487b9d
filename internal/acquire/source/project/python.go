package project

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// pyproject is the part of a pyproject.toml that says how to start the package.
type pyproject struct {
	about
	scripts []pythonScript
	// depends says that it needs other packages, needs which Python it needs,
	// builds that it can be built, and backend that it names a build backend.
	depends, builds, backend bool
	needs                    string
	// noPackage says that only what it needs is to be installed.
	noPackage bool
}

// pythonScript is one entry of [Project.scripts], or its equivalent in a wheel.
type pythonScript struct {
	name, module, function string
	file                   string // the file that declares it
}

// entryPoint is "package.module:object.attribute", with extras that only matter
// to installers.
var entryPoint = lazyregexp.New(`^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*:\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*(?:\[[^\]]*\])?$`)

// parsePyproject returns what it parsed even if it also returns an error.
func parsePyproject(data []byte) (pyproject, error) {
	doc, err := document.TOML(data)
	var p pyproject
	fields := map[string]string{}
	for _, kv := range doc.Pairs() {
		table := strings.Join(kv.Path[:len(kv.Path)-1], ".")
		key := kv.Path[len(kv.Path)-1]
		switch table {
		case "project":
			fields[key] = kv.Value
			p.depends = p.depends || key == "dependencies" && len(kv.List) > 0
			p.builds = true
		case "build-system":
			p.backend = true
		case "tool.poetry.dependencies":
			p.depends = p.depends || key != "python"
			p.builds = true
		case "tool.poetry":
			if fields[key] == "" {
				fields[key] = kv.Value
			}
		case "project.scripts", "tool.poetry.scripts":
			p.add("pyproject.toml", key, kv.Value)
		}
	}
	p.noPackage = doc.Get("tool", "poetry", "package-mode").Word() == "false"
	p.about = newAbout(fields["name"], fields["version"], fields["description"])
	p.needs = safetext.Line(fields["requires-python"], 100)
	return p, err
}

// add adds a script if it is valid.
func (p *pyproject) add(file, name, value string) {
	if m := entryPoint.FindStringSubmatch(value); m != nil {
		p.scripts = append(p.scripts, pythonScript{name: name, module: m[1], function: m[2], file: file})
	}
}

// command starts the script without installing the package, like the installed
// wrapper would.
func (s pythonScript) command() []string {
	object, _, _ := strings.Cut(s.function, ".")
	return []string{"python3", "-c", "import sys; from " + s.module + " import " + object + "; sys.exit(" + s.function + "())"}
}

// pythonWays finds entry points by pyproject.toml, by package layout and by
// file name.
func pythonWays(p *Project) []way {
	var ways []way
	scripts := p.python.scripts
	if at := p.installed; at != nil && at.manager == mcpsf.ManagerPip {
		ways, scripts = p.installedScripts(), nil
	}
	for _, s := range scripts {
		if !p.hasModule(s.module) {
			p.missing = append(p.missing, s.file+" names the module "+usererr.Quote(s.module))
			continue
		}
		w := way{command: s.command(), why: "script " + usererr.Quote(s.name) + " of " + s.file, tier: tierDeclared, runtime: mcpsf.RuntimePython}
		if moduleName(s.name) != moduleName(p.python.name) {
			w.rank = 1
		}
		ways = append(ways, w)
	}
	if p.Tree.File("__main__.py") != nil {
		ways = append(ways, way{command: []string{"python3", "."}, why: "__main__.py", tier: tierPackage, runtime: mcpsf.RuntimePython})
	}
	ways = append(ways, p.mainPackages()...)
	ways = append(ways, p.namedFiles([]string{"server.py", "main.py", "app.py"})...)
	return append(ways, p.onlyScripts(mcpsf.RuntimePython)...)
}

// mainPackages finds packages that can be run with python3 -m.
func (p *Project) mainPackages() []way {
	var ways []way
	for _, e := range p.Tree.Entries {
		dir, file := path.Split(e.Path)
		name := strings.TrimPrefix(strings.TrimSuffix(dir, "/"), "src/")
		if file != "__main__.py" || !isIdentifier(name) || name == "tests" || name == "test" || !e.IsFile() {
			continue
		}
		w := way{command: []string{"python3", "-m", name}, why: e.Path, tier: tierPackage, rank: 2, runtime: mcpsf.RuntimePython}
		if name == moduleName(p.python.name) {
			w.rank = 1
		}
		ways = append(ways, w)
	}
	return ways
}

// hasModule reports whether a dotted module is in the tree.
func (p *Project) hasModule(module string) bool {
	file := strings.ReplaceAll(module, ".", "/")
	return slices.ContainsFunc([]string{file, "src/" + file}, func(at string) bool {
		to, fate := p.Tree.Follow(at, new(int))
		e := p.Tree.ByPath[to]
		return p.Tree.File(at+".py") != nil || fate == staging.Inside && e != nil && e.IsDir()
	})
}

// pythonEnv makes the packages of a wheel and those below src/ importable, as
// an installation would, unless PYTHONPATH is set.
func (p *Project) pythonEnv(given []string) []string {
	if slices.ContainsFunc(given, func(kv string) bool { return strings.HasPrefix(kv, "PYTHONPATH=") }) {
		return nil
	}
	if p.wheel {
		return []string{"PYTHONPATH=" + mcpsf.WorkDir}
	}
	inSrc := func(e *staging.Entry) bool {
		return strings.HasPrefix(e.Path, "src/") && path.Ext(e.Path) == ".py"
	}
	if !slices.ContainsFunc(p.Tree.Entries, inSrc) {
		return nil
	}
	return []string{"PYTHONPATH=" + path.Join(mcpsf.WorkDir, "src")}
}

// moduleName is the import name of a package, derived from its name in the
// index.
func moduleName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

func isIdentifier(s string) bool {
	m := entryPoint.FindStringSubmatch(s + ":x")
	return m != nil && m[1] == s && !strings.Contains(s, ".")
}
