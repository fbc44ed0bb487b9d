//go:build linux

package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// TestScanOnline looks a package up at a server with OSV's API, and only if
// requested.
func TestScanOnline(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
		switch r.URL.Path {
		case "/v1/querybatch":
			results := strings.Repeat(`{},`, strings.Count(string(body), `"package"`)-1)
			_, _ = io.WriteString(w, `{"results":[`+results+`{"vulns":[{"id":"TEST-1","modified":"2026-01-01T00:00:00Z"}]}]}`)
		default:
			_, _ = io.WriteString(w, `{"id":"TEST-1","modified":"2026-01-01T00:00:00Z","summary":"it goes wrong","severity":[{"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],"affected":[`+
				`{"package":{"ecosystem":"npm","name":"left-over"},"versions":["1.2.3"]}]}`)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"package.json":      `{"name":"listed","version":"0.1.0","private":true,"bin":"server.js","dependencies":{"left-over":"^1.0.0"}}`,
		"server.js":         "console.log(1);\n",
		"package-lock.json": `{"name":"listed","version":"0.1.0","lockfileVersion":3,"packages":{"":{"name":"listed","version":"0.1.0","dependencies":{"left-over":"^1.0.0"}},"node_modules/left-over":{"version":"1.2.3"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	env := map[string]string{"MCPSF_OSV_API": server.URL, "HOME": home, "PATH": os.Getenv("PATH"), "MCPSF_CACHE": filepath.Join(home, "cache")}
	scan := func(args ...string) (string, int) {
		var stdout, stderr bytes.Buffer
		args = append([]string{"scan", dir, "--no-install", "-q", "-o", filepath.Join(home, "out"), "--fail-on", "low", "--details"}, args...)
		code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr, func(name string) string { return env[name] })
		return stdout.String() + stderr.String(), code
	}
	for _, where := range []string{"database", "none"} {
		if out, code := scan("--advisories", where); code != program.ExitInconclusive || len(asked) != 0 {
			t.Errorf("%s: exit code %d, asked %q:\n%s", where, code, asked, out)
		}
	}
	out, code := scan("--advisories", "online")
	if code != program.ExitFindings || !strings.Contains(out, "TEST-1") || len(asked) != 2 || !strings.Contains(asked[0], "left-over") {
		t.Errorf("exit code %d, asked %q:\n%s", code, asked, out)
	}
	server.Close()
	if out, code := scan("--advisories", "online"); code != program.ExitInconclusive || !strings.Contains(out, "cannot be looked up") {
		t.Errorf("without the server: exit code %d:\n%s", code, out)
	}
	if out, code := scan("--advisories", "maybe"); code != program.ExitUsage {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
