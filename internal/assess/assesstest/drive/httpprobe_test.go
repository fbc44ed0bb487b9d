//go:build linux

package drive

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
)

// launcher speaks no MCP. It runs the command in a request; with an argument it
// requires a token.
const launcher = `
import http.server, subprocess, sys, urllib.parse
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        at = urllib.parse.urlsplit(self.path)
        asked = urllib.parse.parse_qs(at.query)
        if at.path == "/":
            return self.say(200, b"<a href='/desk/begin'>begin</a>")
        if at.path != "/desk/begin":
            return self.say(404, b"nothing")
        if len(sys.argv) > 1 and self.headers.get("X-Token") != "b1946ac9":
            return self.say(401, b"who is it?")
        try:
            subprocess.run([asked["with"][0]])
        except (KeyError, OSError):
            return self.say(500, b"no")
        self.say(200, b"done")
    def say(self, status, text):
        self.send_response(status); self.end_headers(); self.wfile.write(text)
http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler).serve_forever()
`

// visitCase assesses a server that only listens.
func visitCase(t *testing.T, source string, args ...string) *assess.Result {
	t.Helper()
	return webCaseWith(t, source, 12*time.Second, func(o *assess.Options) { o.Profile = plan.Balanced }, args...)
}

// A program that speaks no MCP is judged by what it does for any client, and
// each event names its request.
func TestVisitsProveAnOpenEndpoint(t *testing.T) {
	t.Parallel() // mostly waits
	r := visitCase(t, launcher)
	i := slices.IndexFunc(r.Report.Findings, func(f mcpsf.Finding) bool { return f.ID == "csrf-command-execution" })
	if i < 0 {
		t.Fatalf("findings %+v", r.Report.Findings)
	}
	f := &r.Report.Findings[i]
	if !strings.Contains(f.Reproduce, "/desk/begin?with=mc") || strings.Contains(f.Reproduce, "&") {
		t.Errorf("it is repeated by %q", f.Reproduce)
	}
	if e := r.Events[f.Evidence[0]-1]; e.Kind != mcpsf.KindProcessExec || e.Call != f.Call {
		t.Errorf("the evidence is %+v", e)
	}
	if r.Report.Verdict.Band != mcpsf.BandCritical {
		t.Errorf("verdict %+v", r.Report.Verdict)
	}
}

func TestVisitsLetWhoAsksForATokenPass(t *testing.T) {
	t.Parallel() // mostly waits
	r := visitCase(t, launcher, "guarded")
	for _, f := range r.Report.Findings {
		if strings.HasPrefix(f.ID, "attack-") {
			t.Errorf("found %s: %s", f.ID, f.Message)
		}
	}
	if v := r.Report.Verdict; v.Band != mcpsf.BandInconclusive {
		t.Errorf("verdict %+v", v)
	}
}

// A server that exits at the first request ends the probes, and nothing else.
func TestVisitsOfWhoEnds(t *testing.T) {
	t.Parallel() // mostly waits
	r := visitCase(t, `
import os, socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(8)
s.accept()[0].recv(100); os._exit(3)
`)
	if v := r.Report.Verdict; v.Band != mcpsf.BandInconclusive {
		t.Errorf("verdict %+v", v)
	}
}
