//go:build linux

package install

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// Installations that fail.

// publishBackend publishes a source package whose build runs code.
func publishBackend(t *testing.T, r *assesstest.Registry, code string) {
	t.Helper()
	r.PublishPyPI("case-server", "case_server-1.0.0.tar.gz", backendServer(t, code))
}

func installWithin(wall time.Duration) assesstest.Setting {
	return func(o *assess.Options) { o.Sandbox.Install.Wall = wall }
}

// wantFailed fails the test unless the installation failed with those words and
// the verdict is inconclusive.
func wantFailed(t *testing.T, r *assess.Result, words string) {
	t.Helper()
	assesstest.Complete(t, r)
	in := r.Report.Installation
	if in == nil || in.Failed == "" {
		t.Fatalf("the installation worked: %+v", in)
	}
	if !strings.Contains(in.Failed+in.Output, words) {
		t.Errorf("failed %q, which does not say %q; its output:\n%s", in.Failed, words, in.Output)
	}
	if in.Cached {
		t.Error("a failed installation was taken from the cache")
	}
	if v := r.Report.Verdict; v.Band != mcpsf.BandInconclusive || !strings.Contains(strings.Join(v.Reasons, "\n"), "could not be installed") {
		t.Errorf("verdict %+v", v)
	}
	if len(assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Phase == mcpsf.PhaseInstall && e.Kind == mcpsf.KindProcessExec })) == 0 {
		t.Error("what the installation did is not among the events")
	}
}

func installFailsAndIsNotKept(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	publishBackend(t, r, `
import sys
print("the left wing is missing", file=sys.stderr)
sys.exit(3)
`)
	kept := assesstest.NewCache(t)
	for range 2 {
		result := install(t, h, r, "pypi:case-server==1.0.0", kept)
		wantFailed(t, result, "the left wing is missing")
		if n := len(assesstest.EventsOf(result, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindSandboxStart })); n != 1 {
			t.Errorf("%d sandboxes, want that of the installation alone", n)
		}
	}
	if n := r.Downloads("case_server-1.0.0.tar.gz"); n != 1 {
		t.Errorf("the package was fetched %d times; only its installation is to be done again", n)
	}
}

// A failed script does not end the assessment of an npm package: its actions are
// reported, and the server is started without the script's results.
func installScriptOfNPMFails(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	publishNode(t, r, evilNode+`setTimeout(() => { console.error("the left wing is missing"); process.exit(3) }, 2000);`, nil)
	result := install(t, h, r, "npm:case-server", assesstest.NewCache(t))
	worked(t, result)
	wantFindings(t, result, thefts...)
	if !strings.Contains(result.Report.Installation.Output, "the left wing is missing") {
		t.Errorf("the words of the script are not told: %+v", result.Report.Installation)
	}
}

func installNeverEnds(t *testing.T, h *assesstest.HostCheck) {
	for name, publish := range map[string]func(*testing.T, *assesstest.Registry) string{
		"npm": func(t *testing.T, r *assesstest.Registry) string {
			publishNode(t, r, `setInterval(() => {}, 1000);`, nil)
			return "npm:case-server"
		},
		"a build that ignores signals": func(t *testing.T, r *assesstest.Registry) string {
			publishBackend(t, r, "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(100000)\n")
			return "pypi:case-server"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assesstest.NewRegistry(t)
			result := install(t, h, r, publish(t, r), assesstest.NewCache(t), installWithin(8*time.Second))
			wantFailed(t, result, "did not finish within 8s")
			if hit := assesstest.LimitsHit(result)[mcpsf.LimitWall]; hit.Action != "killed" || hit.Limit != 8 {
				t.Errorf("limit %+v", hit)
			}
		})
	}
}

// Bombs that go off during installation end within their limits.
func installContainment(t *testing.T, h *assesstest.HostCheck) {
	for name, tt := range map[string]struct {
		node, python  string
		limit, action string
	}{
		"output": {node: `
const line = "x".repeat(1 << 16);
const more = () => { while (process.stdout.write(line)); process.stdout.once("drain", more); };
more();
`, limit: mcpsf.LimitWall, action: "killed"},
		"disk": {node: `
const fs = require("fs"), os = require("os"), block = Buffer.alloc(64 << 20);
for (let i = 0; ; i++) fs.writeFileSync(os.homedir() + "/fill" + i, block);
`, limit: mcpsf.LimitDisk, action: "refused"},
		"tasks": {python: `
import os, threading, time
try:
    while True: threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
except RuntimeError: os._exit(1)
`, limit: mcpsf.LimitPIDs, action: "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assesstest.NewRegistry(t)
			source := "npm:case-server"
			if tt.node != "" {
				publishNode(t, r, tt.node, nil)
			} else {
				source = "pypi:case-server"
				publishBackend(t, r, tt.python)
			}
			wall := 2 * time.Minute
			if tt.limit == mcpsf.LimitWall {
				wall = 6 * time.Second // the limit that ends it
			}
			// The test machine may have little disk space.
			small := func(o *assess.Options) { o.Sandbox.Install.Disk = 512 << 20 }
			result := install(t, h, r, source, assesstest.NewCache(t), installWithin(wall), small)
			if hit, ok := assesstest.LimitsHit(result)[tt.limit]; !ok || hit.Action != tt.action {
				t.Errorf("want the limit %q to be hit (%s), got %+v; %s", tt.limit, tt.action, assesstest.LimitsHit(result), assesstest.Explain(result))
			}
			if v := result.Report.Verdict; v.Band == mcpsf.BandPass {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}

func installIsNoServer(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	r.PublishNPM(t, map[string]any{"name": "case-tool", "bin": map[string]any{"case-tool": "tool.js"}}, assesstest.Files{
		"tool.js": "#!/usr/bin/env node\nconsole.log('converts apples into pears'); console.error('no apples were given');\n",
	})
	result := install(t, h, r, "npm:case-tool", assesstest.NewCache(t))
	assesstest.Complete(t, result)
	if v := result.Report.Verdict; v.Band != mcpsf.BandInconclusive {
		t.Errorf("verdict %+v", v)
	}
	var outcomes []string
	for _, c := range result.Report.Artifact.Candidates {
		outcomes = append(outcomes, c.Outcome)
	}
	text := strings.Join(outcomes, "\n") + strings.Join(result.Report.Verdict.Reasons, "\n") + result.Report.Session.Ending
	for _, words := range []string{"did not answer initialize", "no apples were given"} {
		if !strings.Contains(text, words) {
			t.Errorf("it is not told that %q:\n%s", words, text)
		}
	}
}

// npm stops at the first script that fails. A malicious script must not be able
// to hide behind one: a package with nothing but a failing script can be any
// dependency.
func installHidesBehindAFailure(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	r.PublishNPM(t, map[string]any{"name": "case-broken", "scripts": map[string]any{"preinstall": "exit 1"}}, assesstest.Files{"index.js": ""})
	publishNode(t, r, evilNode, map[string]any{"dependencies": map[string]any{"case-broken": "1.0.0"}})
	result := install(t, h, r, "npm:case-server", assesstest.NewCache(t))
	worked(t, result)
	wantFindings(t, result, thefts...)
}

// A process that an install script leaves running is ended with the
// installation, and reported.
func installLeavesAProcess(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	publishNode(t, r, `
require("child_process").spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
`, nil)
	result := install(t, h, r, "npm:case-server", assesstest.NewCache(t))
	worked(t, result)
	wantFindings(t, result, "install-background-process install")
}
