package lockfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func read(t *testing.T, name, file string) *mcpsf.Lock {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	lock, err := Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestPython(t *testing.T) {
	for name, want := range map[string]mcpsf.Lock{
		"uv.lock": {
			Constraints: []string{
				"anyio==4.9.0", "idna==3.10", "mcp==1.9.0",
				"numpy==2.2.6 ; python_full_version < '3.11'",
				"numpy==2.3.0 ; (python_full_version >= '3.12') or (python_full_version == '3.11.*')",
				"pywin32==310", "torch==2.7.0", "typing-extensions==4.13.2",
			},
			Requires: []string{"mcp[cli]", "pywin32 ; sys_platform == 'win32'"}, Alone: true,
			Members: []string{"packages/core"}, Elsewhere: []string{"fork"},
		},
		"poetry.lock": {
			Constraints: []string{
				"colorama==0.4.6", "mcp==1.9.0", `numpy==1.26.4 ; python_version < "3.11"`, `numpy==2.1.0 ; python_version >= "3.11"`,
				"pytest==8.3.5", "typer==0.15.2",
			},
			Requires: []string{
				`colorama ; platform_system == "Windows"`, "mcp", `numpy ; python_version < "3.11"`, `numpy ; python_version >= "3.11"`,
			},
			Elsewhere: []string{"sdk"},
		},
		"pdm.lock": {Constraints: []string{"exceptiongroup==1.2.2", "mcp==1.9.0", "pytest==8.0.0"}, Elsewhere: []string{"sdk"}},
		"pylock.toml": {
			Constraints: []string{"attrs==25.1.0", "cattrs==24.1.2 ; python_version < '3.13'", "cattrs==25.0.0 ; python_version >= '3.13'", "docs==1.0"},
			Requires:    []string{"attrs", "cattrs ; python_version < '3.13'", "cattrs ; python_version >= '3.13'"},
			Elsewhere:   []string{"sdk"},
		},
		"Pipfile.lock": {
			Constraints: []string{"anyio==4.9.0", "mcp==1.9.0", "pytest==8.3.5"},
			Requires:    []string{"anyio ; python_version >= '3.9'", "mcp"}, Elsewhere: []string{"sdk"},
		},
		"requirements.txt": {Constraints: []string{
			"anyio==4.9.0", "exceptiongroup==1.2.2", "mcp==1.9.0", `numpy==1.26.4 ; python_version < "3.11"`, `numpy==2.1.0 ; python_version >= "3.11"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			want.File = name
			if diff := cmp.Diff(&want, read(t, name, name)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNode(t *testing.T) {
	ms := map[string]string{"2.0.0": "", "2.1.3": "sha512-BBBB"}
	for name, tt := range map[string]struct {
		file string
		want map[string]map[string]string
	}{
		"package-lock.json": {"package-lock.json", map[string]map[string]string{
			"zod": {"3.22.0": "sha512-AAAA+/=="}, "ms": ms, "a-long-name": {"1.2.3-beta.1": ""},
		}},
		"npm-shrinkwrap.json": {"old-package-lock.json", map[string]map[string]string{"ms": ms, "debug": {"4.0.0": ""}, "@a/long": {"1.0.0": ""}}},
		"pnpm-lock.yaml": {"pnpm-lock.yaml", map[string]map[string]string{
			"zod": {"3.22.0": "sha512-AAAA+/=="}, "ms": {"2.0.0": "sha512-CCCC", "2.1.3": "sha512-BBBB"}, "@scope/with-peers": {"1.0.0": "sha512-DDDD"},
		}},
		"yarn.lock": {"yarn.lock", map[string]map[string]string{
			"ms": ms, "@scope/core": {"1.0.4": "sha512-DDDD"}, "a-long-name": {"1.2.3": ""},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			want := &mcpsf.Lock{File: name, Versions: tt.want, Elsewhere: []string{"fork"}}
			if diff := cmp.Diff(want, read(t, name, tt.file)); diff != "" {
				t.Error(diff)
			}
		})
	}
	berry := read(t, "yarn.lock", "berry.lock")
	if diff := cmp.Diff(map[string]map[string]string{"ms": {"2.0.0": "", "2.1.3": ""}, "typescript": {"5.4.5": ""}}, berry.Versions); diff != "" {
		t.Error(diff)
	}
	old := read(t, "pnpm-lock.yaml", "pnpm5-lock.yaml")
	if diff := cmp.Diff(map[string]map[string]string{"zod": {"3.22.0": "sha512-AAAA+/=="}, "@scope/with-peers": {"1.0.0": "sha512-DDDD"}}, old.Versions); diff != "" {
		t.Error(diff)
	}
}

// Versions that differ by platform, without saying how, leave the choice among them.
func TestSeveralVersionsWithoutMarkers(t *testing.T) {
	lock, err := Read("uv.lock", []byte(`version = 1
[[package]]
name = "a"
version = "1.10.0"
[[package]]
name = "a"
version = "1.9.0"
[[package]]
name = "b"
version = "1"
resolution-markers = ["extra == 'x'"]
[[package]]
name = "b"
version = "2"
resolution-markers = ["extra != 'x'"]
`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a>=1.9.0,<=1.10.0", "b>=1,<=2"}, lock.Constraints); diff != "" {
		t.Error(diff)
	}
}

// uvOf is a uv.lock with one package.
func uvOf(fields string) string { return "version = 1\n[[package]]\n" + fields + "\n" }

// A hostile lock file is refused, or what is hostile in it is left out.
func TestHostile(t *testing.T) {
	for name, tt := range map[string]struct{ file, data string }{
		"a line in a name":       {"uv.lock", uvOf(`name = "a\n--index-url https://evil.example/"` + "\nversion = \"1\"")},
		"a line in a version":    {"uv.lock", uvOf("name = \"a\"\nversion = \"1\\n-r /etc/passwd\"")},
		"an address as version":  {"poetry.lock", "[[package]]\nname = \"a\"\nversion = \" @ https://evil.example/a.whl\"\n[metadata]\nlock-version = \"2.1\"\n"},
		"an escape sequence":     {"Pipfile.lock", `{"_meta":{"pipfile-spec":6},"default":{"a\u001b[2J":{"version":"==1"}}}`},
		"an option as a name":    {"pylock.toml", "lock-version = \"1.0\"\n[[packages]]\nname = \"--pre\"\nversion = \"1\"\n"},
		"an extra":               {"uv.lock", "version = 1\n[[package]]\nname=\"x\"\nversion=\"1\"\n[[package]]\nname = \"r\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"x\", extra = [\"a] @ file:///etc/passwd\"] }]\n"},
		"a path as a name":       {"package-lock.json", `{"lockfileVersion":3,"packages":{"node_modules/../../../etc/cron.d/x":{"version":"1.0.0"}}}`},
		"a tag as a version":     {"pnpm-lock.yaml", "lockfileVersion: '9.0'\npackages:\n  a@latest:\n    resolution: {integrity: x}\n"},
		"an escape in elsewhere": {"yarn.lock", "\"\x1b[2J@https://evil.example/x\":\n  version \"1.0.0\"\n"},
		"deep JSON":              {"package-lock.json", strings.Repeat(`{"dependencies":`, 100_000)},
		"deep TOML":              {"uv.lock", "version = 1\na = " + strings.Repeat("[", 1_000_000)},
		"deep YAML":              {"pnpm-lock.yaml", "lockfileVersion: '9.0'\na: " + strings.Repeat("[", 100_000)},
		"YAML aliases":           {"pnpm-lock.yaml", "lockfileVersion: '9.0'\na: &a [x, x]\nb: [*a, *a]\n"},
		"no lock file":           {"poetry.lock", "hello"},
		"nothing in it":          {"uv.lock", "version = 1\n"},
		"half of one":            {"uv.lock", uvOf("name = \"a\"\nversion = \"1\"") + "[[pack"},
		"another version":        {"uv.lock", "version = 99\n[[package]]\nname = \"a\"\nversion = \"1\"\n"},
		"not yarn":               {"yarn.lock", "<<<<<<< HEAD\n"},
		"large":                  {"uv.lock", strings.Repeat("\n", MaxSize+1)},
		"many":                   {"requirements.txt", strings.Repeat("a==1\n", maxPins+1)},
		"unknown":                {"Gemfile.lock", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			if lock, err := Read(tt.file, []byte(tt.data)); err == nil {
				t.Errorf("it was read: %+v", lock)
			} else if len(err.Error()) > 200 || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("the error repeats the file: %q", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Folders lead nowhere else, and markers into no other line.
func TestLeftOut(t *testing.T) {
	for _, dir := range []string{"../other", "/etc", "a/../../b", "..", `..\secrets`, "a:b", "a\nb"} {
		if got := inside(dir); got != "" {
			t.Errorf("%q is inside: %q", dir, got)
		}
	}
	for _, marker := range []string{"python_version < '3'\n--index-url https://evil.example", "a # b", "os_name == 'x' ; y", strings.Repeat("(", 3000)} {
		if got := usableMarker(marker); got != "" {
			t.Errorf("%q is used: %q", marker, got)
		}
	}
	lock, err := Read("uv.lock", []byte(uvOf("name = \"a\"\nversion = \"1\"")+`[[package]]
name = "r"
source = { editable = "." }
dependencies = [{ name = "out" }, { name = "in" }]
[[package]]
name = "out"
source = { editable = "../../etc" }
[[package]]
name = "in"
source = { directory = "./libs/in" }
`))
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(lock.Members, []string{"libs/in"}) || !cmp.Equal(lock.Elsewhere, []string{"out"}) || lock.Alone {
		t.Errorf("%+v", lock)
	}
}

// FuzzRead wants no panic, and nothing in pip's files that pip could take for an
// option, an address or a path.
func FuzzRead(f *testing.F) {
	names := append(Node(), Python()...)
	for i, name := range names {
		if data, err := os.ReadFile(filepath.Join("testdata", name)); err == nil {
			f.Add(i, data)
		} else if !errors.Is(err, os.ErrNotExist) {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		if i < 0 || i >= len(names) || bytes.Count(data, []byte("\n")) > 5000 {
			t.Skip()
		}
		lock, err := Read(names[i], data)
		if err != nil {
			return
		}
		for _, line := range append(lock.Constraints, lock.Requires...) {
			text, _, _ := strings.Cut(line, " ; ")
			if strings.HasPrefix(line, "-") || strings.ContainsAny(line, "\n\r\x1b#\\") || strings.ContainsAny(text, "@:/ ") {
				t.Errorf("%q", line)
			}
		}
		for _, dir := range lock.Members {
			if !filepath.IsLocal(dir) {
				t.Errorf("%q", dir)
			}
		}
	})
}
