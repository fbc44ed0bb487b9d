//go:build linux

package install

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// publishLib publishes versions 1.0.0 and 1.1.0 of case-lib, of both kinds.
func publishLib(t *testing.T, r *assesstest.Registry) {
	t.Helper()
	for _, version := range []string{"1.0.0", "1.1.0"} {
		r.PublishNPM(t, map[string]any{"name": "case-lib", "version": version}, assesstest.Files{"index.js": "module.exports = 1;\n"})
		r.PublishPyPI("case-lib", "case_lib-"+version+"-py3-none-any.whl", assesstest.WheelOf(t, "case_lib", version, assesstest.Files{"case_lib.py": "x = 1\n"}))
	}
}

// lockedNode is a project whose server needs case-lib, with a lock file.
func lockedNode(t *testing.T, lock, content string) assesstest.Files {
	t.Helper()
	return assesstest.Files{
		"package.json": `{"name":"case-server","version":"1.0.0","bin":{"case-server":"server.js"},"dependencies":{"case-lib":"^1.0.0"}}`,
		"server.js":    assesstest.NodeServer(t) + "\nrequire('case-lib');\n", lock: content,
	}
}

// lockedPython is a project that is no package, as uv makes them. Its server needs
// case-lib, which the system's Python does not have.
func lockedPython(t *testing.T, version string) assesstest.Files {
	t.Helper()
	return assesstest.Files{
		"pyproject.toml": "[project]\nname = \"case-server\"\nversion = \"1.0.0\"\ndependencies = [\"case-lib\"]\n",
		"server.py":      "import case_lib\n" + assesstest.PythonPackage(t)["case_server/__init__.py"] + "\nmain()\n",
		"another.py":     "",
		"uv.lock": "version = 1\n[[package]]\nname = \"case-lib\"\nversion = \"" + version + "\"\nsource = { registry = \"https://index.example/simple\" }\n" +
			"[[package]]\nname = \"case-server\"\nversion = \"1.0.0\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"case-lib\" }]\n",
	}
}

func packageLockOf(version string) string {
	return `{"name":"case-server","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
 "":{"name":"case-server","version":"1.0.0","dependencies":{"case-lib":"^1.0.0"},"bin":{"case-server":"server.js"}},
 "node_modules/case-lib":{"version":"` + version + `","resolved":"https://registry.example/case-lib/-/case-lib-` + version + `.tgz"}}}`
}

// The versions that the author locked are installed. A lock file that cannot be
// obeyed does not keep the server from being assessed, and that is told.
func installLocked(t *testing.T, h *assesstest.HostCheck) {
	for _, tt := range []struct {
		name          string
		project       assesstest.Files
		command       string
		version, lock string
	}{
		{"npm", lockedNode(t, "package-lock.json", packageLockOf("1.0.0")), "npx case-server", "1.0.0", "package-lock.json"},
		{"npm, gone", lockedNode(t, "package-lock.json", packageLockOf("1.0.9")), "", "1.1.0", ""},
		{"pnpm", lockedNode(t, "pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  case-lib@1.0.0:\n    resolution: {}\n"), "", "1.0.0", "pnpm-lock.yaml"},
		{"uv", lockedPython(t, "1.0.0"), "python3 server.py", "1.0.0", "uv.lock"},
		{"uv, gone", lockedPython(t, "1.0.9"), "uv run server.py", "1.1.0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assesstest.Sometimes(t, tt.name, "npm", "uv")
			r := assesstest.NewRegistry(t)
			publishLib(t, r)
			if tt.name == "uv, gone" {
				r.NeedsReal(t, "setuptools")
				delete(tt.project, "another.py") // with it the project cannot be built
			}
			result := install(t, h, r, assesstest.Directory(t, tt.project), assesstest.NewCache(t), func(o *assess.Options) { o.Target.Command = strings.Fields(tt.command) })
			worked(t, result)
			in := result.Report.Installation
			has := func(line string) bool {
				return strings.Contains(line, "case-lib") || strings.Contains(line, "case_lib")
			}
			if i := slices.IndexFunc(in.Packages, has); i < 0 || !strings.Contains(in.Packages[i], tt.version) {
				t.Errorf("installed %q, want version %s", in.Packages, tt.version)
			}
			told := slices.ContainsFunc(result.Report.Coverage.Gaps, func(g mcpsf.Gap) bool { return g.Code == gap.LockNotHonoured })
			if in.Lock != tt.lock || told != (tt.lock == "") {
				t.Errorf("lock %q, %q, notes %q, gap %v\n%s", in.Lock, in.Unlocked, in.Notes, told, in.Output)
			}
		})
	}
}

// A project that pins a package gets what there was when that came out, if the server
// does not start, or none of its tools works, with what the package needs today.
func installAsOfItsPins(t *testing.T, h *assesstest.HostCheck) {
	server := assesstest.NodeServer(t)
	for name, code := range map[string]string{
		"does not start":     strings.Replace(server, "\n", "\nrequire('frame')();\n", 1),
		"all its tools fail": strings.Replace(server, `"tools/call": callTool`, `"tools/call": (params) => { try { require('frame')(); } catch (e) { return { isError: true, content: [{ type: "text", text: e.message }] }; } return callTool(params); }`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			r := assesstest.NewRegistry(t)
			r.PublishNPM(t, map[string]any{"name": "frame", "dependencies": map[string]any{"part": ">=1.0.0"}}, assesstest.Files{
				"index.js": "module.exports = () => require('part').begin();\n",
			})
			r.PublishNPM(t, map[string]any{"name": "part", "version": "1.0.0"}, assesstest.Files{"index.js": "exports.begin = () => {};\n"})
			r.PublishNPM(t, map[string]any{"name": "part", "version": "2.0.0"}, assesstest.Files{"index.js": "exports.start = () => {};\n"}) // the latest
			r.Date("frame", "1.0.0", "2025-03-02")
			r.Date("part", "1.0.0", "2025-01-01")
			r.Date("part", "2.0.0", "2026-01-01")
			dir := assesstest.Directory(t, assesstest.Files{
				"package.json": `{"name":"case-project","version":"1.0.0","main":"server.js","dependencies":{"frame":"1.0.0"}}`, "server.js": code,
			})
			result := install(t, h, r, dir, assesstest.NewCache(t))
			worked(t, result)
			if got := result.Report.Installation.Before.Format(time.DateOnly); got != "2025-03-09" {
				t.Errorf("it was installed as of %s; %q", got, result.Report.Installation.Notes)
			}
			failed := func(e *mcpsf.Event) bool {
				return e.Kind == mcpsf.KindMCPResponse && strings.Contains(string(e.MCP.Body), "is not a function")
			}
			if found := len(assesstest.EventsOf(result, failed)) > 0; found != (name == "all its tools fail") {
				t.Errorf("what the first start answered is in the record: %v", found)
			}
			if c := result.Report.Coverage; c.Calls.OK == 0 || !slices.ContainsFunc(c.Gaps, func(g mcpsf.Gap) bool { return g.Code == gap.OlderReleases }) {
				t.Errorf("%+v; gaps %v", c.Calls, c.Gaps)
			}
		})
	}
}
