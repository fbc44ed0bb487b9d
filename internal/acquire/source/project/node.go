package project

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// packageJSON is the part of a package.json that says how to start the package.
type packageJSON struct {
	about
	// bin maps the names of programs to files.
	bin     map[string]string
	main    string
	exports string
	// start is the start script if it is a plain call of node.
	start []string
	// depends says that it needs other packages, engine which Node.js it needs,
	// and build that it has a build script. Installs says that its installation
	// runs a script of its own, prepares that an installation in a checkout
	// does.
	depends, build     bool
	installs, prepares bool
	engine             string
	// manager is the package manager that its developers use: "pnpm@9.1.0".
	manager string
}

// parsePackageJSON reads the fields it knows; a field of the wrong type counts
// as absent.
func parsePackageJSON(fields map[string]json.RawMessage) packageJSON {
	p := packageJSON{
		about:   newAbout(document.Text(fields["name"]), document.Text(fields["version"]), document.Text(fields["description"])),
		main:    document.Text(fields["main"]),
		exports: exportedFile(fields["exports"], 4),
	}
	if file := document.Text(fields["bin"]); file != "" {
		p.bin = map[string]string{Unscoped(p.name): file}
	} else {
		var named map[string]json.RawMessage
		_ = json.Unmarshal(fields["bin"], &named) // of another shape: no bin
		p.bin = make(map[string]string, len(named))
		for name, raw := range named {
			p.bin[name] = document.Text(raw)
		}
	}
	var scripts map[string]json.RawMessage
	if json.Unmarshal(fields["scripts"], &scripts) == nil {
		p.start = nodeCall(document.Text(scripts["start"]))
		p.build = document.Text(scripts["build"]) != ""
		has := func(name string) bool { return document.Text(scripts[name]) != "" }
		p.installs = slices.ContainsFunc([]string{"preinstall", "install", "postinstall"}, has)
		p.prepares = slices.ContainsFunc([]string{"prepublish", "preprepare", "prepare", "postprepare"}, has)
	}
	p.depends = len(document.Object(fields["dependencies"]))+len(document.Object(fields["optionalDependencies"])) > 0
	p.manager = document.Text(fields["packageManager"])
	p.engine = safetext.Line(document.Text(document.Object(fields["engines"])["node"]), 100)
	return p
}

// exportedFile finds the file that importing the package by its name loads.
func exportedFile(raw json.RawMessage, depth int) string {
	if file := document.Text(raw); file != "" || depth == 0 {
		return file
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) != nil {
		return ""
	}
	for _, key := range []string{".", "node", "import", "require", "default"} {
		if file := exportedFile(named[key], depth-1); file != "" {
			return file
		}
	}
	return ""
}

// nodeCall splits a script that only calls node; it returns nil if a shell is
// needed.
func nodeCall(script string) []string {
	words := strings.Fields(script)
	if len(words) < 2 || len(words) > 32 || words[0] != "node" {
		return nil
	}
	for _, w := range words {
		if usererr.ShellWord(w) != w {
			return nil
		}
	}
	return words
}

// nodeWays finds entry points by package.json and by file name.
func nodeWays(p *Project) []way {
	var ways []way
	for _, name := range slices.Sorted(maps.Keys(p.node.bin)) {
		rank := 1
		if name == Unscoped(p.node.name) {
			rank = 0
		}
		ways = append(ways, p.declared(p.node.bin[name], way{why: "bin " + usererr.Quote(name) + " of package.json", tier: tierDeclared, rank: rank})...)
	}
	ways = append(ways, p.declared(p.node.main, way{why: "main of package.json", tier: tierPackage, rank: 0})...)
	ways = append(ways, p.declared(p.node.exports, way{why: "exports of package.json", tier: tierPackage, rank: 1})...)
	if p.startable() {
		ways = append(ways, way{
			command: p.node.start, why: "start script of package.json",
			tier: tierPackage, rank: 2, runtime: mcpsf.RuntimeNode,
		})
	}
	ways = append(ways, p.namedFiles([]string{
		"index.js", "server.js", "main.js", "index.mjs", "server.mjs",
		"dist/index.js", "build/index.js", "src/index.js",
	})...)
	return append(ways, p.onlyScripts(mcpsf.RuntimeNode)...)
}

// declared completes w with the file that package.json names; it returns no way
// if none is named. Like Node.js, it finds "lib" as lib, lib.js or
// lib/index.js.
func (p *Project) declared(file string, w way) []way {
	if file == "" {
		return nil
	}
	for _, name := range []string{file, file + ".js", path.Join(file, "index.js")} {
		e := p.Tree.File(name)
		if e == nil || path.IsAbs(name) {
			continue
		}
		if isTypeScript(e.Path) {
			return []way{typeScript(e.Path)}
		}
		if w.command = p.commandFor(e); w.command == nil {
			w.command = []string{"node", e.Path}
		}
		w.runtime = p.runtimeOf(w.command)
		return []way{w}
	}
	p.missing = append(p.missing, "package.json names "+usererr.Quote(file))
	return nil
}

// startable reports whether the start script's file exists.
func (p *Project) startable() bool {
	return slices.ContainsFunc(p.node.start, func(w string) bool {
		return w != "node" && !strings.HasPrefix(w, "-") && p.Tree.File(w) != nil
	})
}

// namedFiles finds files whose names say that they are the server.
func (p *Project) namedFiles(names []string) []way {
	var ways []way
	for rank, name := range names {
		if p.Tree.File(name) == nil {
			continue
		}
		w := way{why: "a file named " + name, tier: tierNamed, rank: rank, runtime: ScriptRuntime(name)}
		w.command = []string{"node", name}
		if w.runtime == mcpsf.RuntimePython {
			w.command = []string{"python3", name}
		}
		ways = append(ways, w)
	}
	return ways
}

// onlyScripts finds the scripts in the root of the tree, without those for
// building or testing.
func (p *Project) onlyScripts(runtime mcpsf.Runtime) []way {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 64
	var ways []way
	for _, e := range p.Tree.Entries {
		switch {
		case strings.Contains(e.Path, "/") || !e.IsFile() || isTooling(e.Path) || len(ways) == most:
		case ScriptRuntime(e.Path) == runtime:
			ways = append(ways, way{command: p.commandFor(e), why: "a script", tier: tierOnly, runtime: runtime})
		case isTypeScript(e.Path) && runtime == mcpsf.RuntimeNode:
			ways = append(ways, typeScript(e.Path))
		}
	}
	return ways
}

// typeScript is only ever a hint: whether Node.js runs it depends on its
// version, and most servers are compiled first.
func typeScript(file string) way {
	return way{
		command: []string{"node", file}, why: "TypeScript; needs Node.js 22.18 or later",
		tier: tierHint, runtime: mcpsf.RuntimeNode,
	}
}

func isTypeScript(name string) bool {
	ext := path.Ext(name)
	return ext == ".ts" || ext == ".mts" || ext == ".cts"
}

func isTooling(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return name == "setup.py" || name == "conftest.py" || name == "__init__.py" || name == "__main__.py" ||
		strings.HasPrefix(name, ".") ||
		strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".config") || strings.HasSuffix(stem, ".d")
}

// Unscoped is the name of a package without its scope.
func Unscoped(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
