package browser

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// host makes a root folder with these files.
func host(t *testing.T, files map[string]os.FileMode) string {
	t.Helper()
	root := t.TempDir()
	for name, mode := range files {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFind(t *testing.T) {
	if b := Find(host(t, map[string]os.FileMode{"/usr/bin/chromium": 0o755, "/usr/lib/chromium/chromium": 0o644})); b != nil {
		t.Errorf("found %+v: a script, and a program that cannot be executed", b)
	}
	root := host(t, map[string]os.FileMode{"/usr/lib/chromium/chromium": 0o755, "/etc/fonts/fonts.conf": 0o644})
	if b := Find(root); b == nil || b.Program != "/usr/lib/chromium/chromium" || !slices.Equal(b.Mounts, []box.Mount{{Source: root + "/etc/fonts", Target: "/etc/fonts"}}) {
		t.Errorf("of Debian: %+v", b)
	}
	root = host(t, map[string]os.FileMode{"/opt/google/chrome/chrome": 0o755})
	if b := Find(root); b == nil || b.Program != "/opt/google/chrome-linux/chrome" || !slices.Equal(b.Mounts, []box.Mount{{Source: root + "/opt/google/chrome", Target: "/opt/google/chrome-linux"}}) {
		t.Errorf("of Google: %+v", b)
	}
}

func TestFiles(t *testing.T) {
	root := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("certificate")})
	b := &Browser{Program: "/usr/lib/chromium/chromium"}
	files, err := b.Files(root, &Libraries{Playwright: []string{"1255"}})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]box.File{}
	for _, f := range files {
		at[f.Path] = f
		if f.Link != "" && f.Link != mcpsf.BrowserScript {
			t.Errorf("%s leads to %s", f.Path, f.Link)
		}
	}
	script := string(at[mcpsf.BrowserScript].Content)
	if !strings.HasPrefix(script, "#!/bin/sh\n") || !strings.Contains(script, "\nexec /usr/lib/chromium/chromium --headless=new ") || !strings.HasSuffix(script, " \"$@\"\n") {
		t.Errorf("the script is %s", script)
	}
	for _, name := range []string{
		"/opt/google/chrome/chrome", "/usr/bin/google-chrome", "/usr/bin/chromium",
		"/home/dev/.cache/ms-playwright/chromium-1255/chrome-linux64/chrome",
		"/home/dev/.cache/ms-playwright/chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell",
	} {
		if at[name].Link == "" {
			t.Errorf("nothing at %s", name)
		}
	}
	var policy struct{ CACertificates []string }
	if err := json.Unmarshal(at["/etc/chromium/policies/managed/company.json"].Content, &policy); err != nil {
		t.Fatal(err)
	}
	if want := base64.StdEncoding.EncodeToString([]byte("certificate")); !slices.Equal(policy.CACertificates, []string{want}) {
		t.Errorf("it trusts %q", policy.CACertificates)
	}
}

func TestLook(t *testing.T) {
	list := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	l := Look(fstest.MapFS{
		"node_modules/playwright-core/browsers.json":   list(`{"browsers":[{"name":"chromium","revision":"1255"},{"name":"firefox","revision":"1572"}]}`),
		"venv/playwright/driver/package/browsers.json": list(`{"browsers":[{"name":"chromium-headless-shell","revision":"1187"},{"name":"chromium","revision":"../../.ssh"}]}`),
		"other/browsers.json":                          list(`["chrome"]`),
		"node_modules/puppeteer/package.json":          list(`{}`),
	})
	if !slices.Equal(l.Playwright, []string{"1255", "1187"}) || !l.Puppeteer {
		t.Errorf("found %+v", l)
	}
	if got := l.Variables(); !slices.Equal(got, []string{"PUPPETEER_EXECUTABLE_PATH=/opt/google/chrome/chrome"}) {
		t.Errorf("variables %q", got)
	}
	if l := Look(fstest.MapFS{"puppeteer/package.json": list(`{}`)}); l.Puppeteer || len(l.paths()) > 0 || len(l.Variables()) > 0 {
		t.Errorf("found %+v in a server without them", l)
	}
}
