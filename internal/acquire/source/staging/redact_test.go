package staging_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestSecretsStayOutOfTheCopy(t *testing.T) {
	const secret = "hunter2hunter2"
	src := sourcetest.Plant(t, map[string]string{
		"server.js":                 "const password = '" + secret + "'",
		".env":                      "+xPORT=1\nTOKEN=" + secret + "\n",
		".env.example":              "TOKEN=" + secret + "\n",
		"sub/secrets.json":          `{"email": "alice.smith@corp.example"}`,
		"mail-credentials.json":     `{"plain": "words"}`,
		"settings.local":            "TOKEN=" + secret + "\n",
		"sub/.env":                  "->../settings.local",
		"code.js":                   "token='" + secret + "'",
		"sub/.env.local":            "->../code.js",
		"release.p12":               "\x30\x82",
		"id_server":                 "+x\x7fELF\x00hunter2hunter2",
		".env.windows":              "T\x00O\x00K\x00E\x00N\x00=\x00x\x00",
		"node_modules/x/.env":       "TOKEN=" + secret + "\n",
		"node_modules/x/index.js":   "",
		"node_modules/x/secret.pem": secret,
	})
	a, err := resolve(t, src)
	sourcetest.Must(t, err)
	got := sourcetest.Listing(t, a.Dir)
	for _, name := range []string{"server.js", ".env.example", "code.js", "id_server", "node_modules/x/.env", "node_modules/x/secret.pem"} {
		if !strings.Contains(got[name], secret) {
			t.Errorf("%s was changed: %q", name, got[name])
		}
	}
	var files int
	var bytes int64
	for name, content := range got {
		if strings.HasSuffix(name, "/") || strings.HasPrefix(content, "->") {
			continue
		}
		files++
		bytes += int64(len(content) - len("-rw-r--r-- "))
	}
	if a.Files != files || a.Bytes != bytes {
		t.Errorf("the artifact has %d files and %d bytes, the stage %d and %d", a.Files, a.Bytes, files, bytes)
	}
	for _, name := range []string{".env", "settings.local", "sub/secrets.json"} {
		if content := got[name]; content == "" || strings.Contains(content, "hunter") || strings.Contains(content, "alice") {
			t.Errorf("%s is %q", name, content)
		}
	}
	if !strings.HasPrefix(got[".env"], "-rwxr-xr-x PORT=1\nTOKEN=") {
		t.Errorf(".env is %q", got[".env"])
	}
	for _, name := range []string{"release.p12", ".env.windows"} {
		if _, there := got[name]; there {
			t.Errorf("%s was copied", name)
		}
	}
	wantNotes := []string{
		`".env": 1 value was replaced by a fake of the same shape: TOKEN`,
		`left out ".env.windows": it may hold secrets and is not a text`,
		`left out "release.p12": it holds keys and cannot be looked into`,
		`"settings.local": 1 value was replaced by a fake of the same shape: TOKEN`,
		`"sub/secrets.json": 1 value was replaced by a fake of the same shape: email`,
	}
	if diff := cmp.Diff(wantNotes, a.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
}

func TestTooLargeToLookInto(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{"server.js": ""})
	sourcetest.Sparse(t, filepath.Join(src, ".env"), redact.MaxFile+1)
	a, err := resolve(t, src)
	sourcetest.Must(t, err)
	if want := []string{`left out ".env": it may hold secrets and is larger than 4.0 MiB`}; !cmp.Equal(a.Notes, want) || a.Files != 1 || a.Bytes != 0 {
		t.Errorf("notes %q, %d files, %d bytes", a.Notes, a.Files, a.Bytes)
	}
}

func TestMadeForThisMachine(t *testing.T) {
	src := sourcetest.Plant(t, map[string]string{
		"server.py":                 "",
		"requirements.txt":          "mcp\n",
		".venv/pyvenv.cfg":          "home = /usr/bin",
		".venv/bin/python3":         "->/usr/bin/python3",
		".venv/bin/python":          "->python3",
		".venv/lib/x.py":            "",
		"tools/env/pyvenv.cfg":      "",
		"tools/env/bin/python":      "",
		"venv/pyvenv.cfg":           "a directory of the server's own: it has no interpreter",
		"venv/code.py":              "",
		".tox/py/x":                 "",
		"a/.mypy_cache/x":           "",
		"a/.pytest_cache/x":         "",
		"b/.nox":                    "a file",
		"a/__pycache__/x.pyc":       "",
		"sub/.tox/.env":             "TOKEN=hunter2",
		"sub/other/.pytest_cache/x": "",
		"sub/z/.pytest_cache/x":     "",
	})
	a, err := resolve(t, src)
	sourcetest.Must(t, err)
	got := sourcetest.Listing(t, a.Dir)
	for name := range got {
		if strings.HasPrefix(name, ".venv") || strings.HasPrefix(name, "tools/env") || strings.Contains(name, ".tox") || strings.Contains(name, "_cache/") {
			if !strings.Contains(name, "__pycache__") {
				t.Errorf("%s was copied", name)
			}
		}
	}
	for _, name := range []string{"venv/code.py", "b/.nox", "a/__pycache__/x.pyc"} {
		if _, there := got[name]; !there {
			t.Errorf("%s was left out", name)
		}
	}
	wantNotes := []string{
		`left out the virtual environment ".venv": it was made for this machine and works on no other`,
		`left out the virtual environment "tools/env": it was made for this machine and works on no other`,
		`left out caches of tools, which the server does not need: ".tox", "a/.mypy_cache", "a/.pytest_cache", "sub/.tox", "sub/other/.pytest_cache" and 1 more`,
	}
	if diff := cmp.Diff(wantNotes, a.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
	if want := (&mcpsf.Install{Manager: mcpsf.ManagerPip, Requirements: "requirements.txt"}); !cmp.Equal(a.Install, want) {
		t.Errorf("install is %+v", a.Install)
	}
}

// TestRedactionTellsNothing has two owners with secrets of the same shape,
// which give the same result.
func TestRedactionTellsNothing(t *testing.T) {
	files := func(secret string) map[string]string {
		return map[string]string{"server.js": "x", ".env": "TOKEN=" + secret + "\n", ".mcp.json": `{"env":{"TOKEN":"` + secret + `"}}`}
	}
	one, err := resolve(t, sourcetest.Plant(t, files("abcDEF123ghi")))
	sourcetest.Must(t, err)
	other, err := resolve(t, sourcetest.Plant(t, files("zyxWVU987tsr")))
	sourcetest.Must(t, err)
	if one.Digest != other.Digest {
		t.Error("the digest tells of the secret")
	}
	env, err := os.ReadFile(one.Dir + "/.env")
	sourcetest.Must(t, err)
	config, err := os.ReadFile(one.Dir + "/.mcp.json")
	sourcetest.Must(t, err)
	if fake := strings.TrimSpace(strings.TrimPrefix(string(env), "TOKEN=")); strings.Contains(string(config), fake) {
		t.Error("two files have the same fake")
	}
}
