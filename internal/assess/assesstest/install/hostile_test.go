//go:build linux

package install

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// What a package did during installation is reported, whatever it left behind.
func installIsToldWithoutAServer(t *testing.T, h *assesstest.HostCheck) {
	const thief = `
const fs = require("fs"), os = require("os"), path = require("path");
fs.readFileSync(path.join(os.homedir(), ".npmrc"));
`
	for name, tt := range map[string]struct{ script, reason string }{
		"nothing is left to start": {thief + `
for (const name of fs.readdirSync(__dirname)) fs.rmSync(path.join(__dirname, name));
`, "no entry point"},
		"what is left cannot be unpacked": {thief + `
fs.mkdirSync(path.join(__dirname, "d/".repeat(100)), { recursive: true });
`, "nested deeper"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assesstest.Sometimes(t, name, "nothing is left to start")
			r := assesstest.NewRegistry(t)
			publishNode(t, r, tt.script, nil)
			result := install(t, h, r, "npm:case-server", assesstest.NewCache(t))
			assesstest.Complete(t, result)
			if !assesstest.HasFinding(result, "decoy-read-at-install") {
				t.Errorf("the theft is not told: %+v", result.Report.Findings)
			}
			reasons := strings.Join(result.Report.Verdict.Reasons, "\n")
			if !strings.Contains(reasons, "could not be started") || !strings.Contains(reasons, tt.reason) {
				t.Errorf("reasons %q", reasons)
			}
		})
	}
}

// A package without a server does not pass, even if its installation was
// harmless.
func installWithoutAServerDoesNotPass(t *testing.T, h *assesstest.HostCheck) {
	assesstest.Sometimes(t, "no server, no pass")
	r := assesstest.NewRegistry(t)
	publishNode(t, r, `
const fs = require("fs"), path = require("path");
for (const name of fs.readdirSync(__dirname)) fs.rmSync(path.join(__dirname, name));
`, nil)
	result := install(t, h, r, "npm:case-server", assesstest.NewCache(t))
	if v := result.Report.Verdict; v.Band != mcpsf.BandInconclusive {
		t.Errorf("verdict %+v", v)
	}
}

// Small files take more space in the sandbox than in the archive.
func installedSmallFilesFit(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	publishNode(t, r, `
const fs = require("fs"), path = require("path"), dir = path.join(__dirname, "../many");
fs.mkdirSync(dir);
for (let i = 0; i < 4000; i++) fs.writeFileSync(path.join(dir, "" + i), "x");
`, nil)
	result := install(t, h, r, "npm:case-server", assesstest.NewCache(t), func(o *assess.Options) { o.Sandbox.Limits.Disk = 4 << 20 })
	worked(t, result)
}
