package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/waiver"
)

var now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const good = `# what we know
ignore:
  - rule: decoy-read
    fingerprint: 6659b8a63851ef45
    reason: it is a backup tool
    expires: 2026-06-30
    tool: save
assess:
  profile: safe
  timeout: 30s
  quiet: true
  rules: [a, b]
  env:
    TOKEN: x=y
    EMPTY: ""
`

func TestParse(t *testing.T) {
	got, err := Parse("mcpsf.yaml", []byte(good), now)
	if err != nil {
		t.Fatal(err)
	}
	want := &Settings{
		File: "mcpsf.yaml",
		Ignore: []waiver.Ignore{{
			Rule: "decoy-read", Fingerprint: "6659b8a63851ef45", Reason: "it is a backup tool", Expires: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC),
			Tool: "save", File: "mcpsf.yaml", Line: 3,
		}},
		Assess: []Default{
			{"profile", []string{"safe"}, 9},
			{"timeout", []string{"30s"}, 10},
			{"quiet", []string{"true"}, 11},
			{"rules", []string{"a", "b"}, 12},
			{"env", []string{"TOKEN=x=y", "EMPTY="}, 13},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseMistakes(t *testing.T) {
	entry := "ignore:\n  - {rule: a, fingerprint: 6659b8a63851ef45, reason: r, expires: 2026-06-30}\n"
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"comment only", "# nothing\n", ""},
		{"a key that is none", "ignored: []\n", `m:1: there is no setting "ignored"`},
		{"a list", "- a\n", "m:1: mcpsf.yaml is a mapping"},
		{"broken", "ignore:\n  - rule: [a\n", "m:1: not YAML"},
		{"tab", "ignore:\n\t- rule: a\n", "m:2: not YAML"},
		{"twice", "ignore: []\nignore: []\n", `m:2: "ignore" is there twice`},
		{"second document", "ignore: []\n---\nignore: []\n", "m:1: there is a second document"},
		{"alias", "assess:\n  profile: &a safe\n  memory: *a\n", "m:3: memory is a single value"},
		{"ignore is no list", "ignore: {}\n", "m:1: ignore is a list"},
		{"entry is no mapping", "ignore:\n  - decoy-read\n", "m:2: an ignore is a mapping"},
		{"entry with another key", "ignore:\n  - rule: a\n    rules: b\n", `m:3: an ignore has no "rules"`},
		{"no fingerprint", "ignore:\n  - rule: a\n", "m:2: an ignore needs the fingerprint"},
		{"no date", strings.ReplaceAll(entry, "2026-06-30", "soon"), `m:2: expires is a day such as 2026-12-31, not "soon"`},
		{"too far", strings.ReplaceAll(entry, "2026-06-30", "2028-06-30"), "m:2: expires is more than a year ahead"},
		{"null", strings.ReplaceAll(entry, "reason: r", "reason: ~"), "m:2: reason is a single value"},
		{"the same twice", entry + strings.TrimPrefix(entry, "ignore:\n"), "m:3: the same as the ignore in line 2"},
		{"default that is none", "assess:\n  yes: true\n", `m:2: assess has no default "yes"`},
		{"world elsewhere", "assess:\n  world: /home\n", `m:2: world is a directory below that of this file`},
		{"world above", "assess:\n  world: a/../../b\n", `m:2: world is a directory below that of this file`},
		{"attack is no default", "assess: {yes-i-may-attack-this: true}\n", `m:1: assess has no default "yes-i-may-attack-this"`},
		{"a list for one", "assess:\n  profile: [a]\n", "m:2: profile is a single value"},
		{"env is no mapping", "assess:\n  env: [A=B]\n", "m:2: env is a mapping"},
		{"no name", "assess:\n  env: {A=B: c}\n", `m:2: "A=B" is no name of a variable`},
	} {
		_, err := Parse("m", []byte(tt.in), now)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestFill(t *testing.T) {
	file, err := Parse("m", []byte("assess:\n  profile: safe\n  memory: 2g\n  timeout: 30s\n  env: {A: file, B: file}\n"), now)
	if err != nil {
		t.Fatal(err)
	}
	set := (&cobra.Command{}).Flags()
	profile := set.String("profile", "balanced", "")
	memory := set.String("memory", "1g", "")
	timeout := set.Duration("timeout", time.Minute, "")
	env := set.StringArray("env", nil, "")
	for name := range flags() {
		if set.Lookup(name) == nil {
			set.String(name, "", "")
		}
	}
	if err := set.Parse([]string{"--profile", "aggressive", "--env", "A=flag"}); err != nil {
		t.Fatal(err)
	}
	environ := map[string]string{"MCPSF_PROFILE": "env", "MCPSF_MEMORY": "3g", "MCPSF_ENV": "C=environ"}
	if err := file.Fill(set, func(name string) string { return environ[name] }); err != nil {
		t.Fatal(err)
	}
	if *profile != "aggressive" || *memory != "3g" || *timeout != 30*time.Second {
		t.Errorf("profile %s, memory %s, timeout %s", *profile, *memory, *timeout)
	}
	if diff := cmp.Diff([]string{"A=flag", "B=file"}, *env); diff != "" {
		t.Errorf("env (-want +got):\n%s", diff)
	}
}

func TestFillMistakes(t *testing.T) {
	file, err := Parse("m", []byte("assess:\n  timeout: soon\n"), now)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		from    *Settings
		environ string
		want    string
	}{
		{"file", file, "", "m:2: timeout: "},
		{"environment", nil, "later", "MCPSF_TIMEOUT: "},
	} {
		set := (&cobra.Command{}).Flags()
		set.Duration("timeout", time.Minute, "")
		err := tt.from.Fill(set, func(name string) string {
			if name == "MCPSF_TIMEOUT" {
				return tt.environ
			}
			return ""
		})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// The target cannot say which findings are ignored.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "server")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(inner, "up")); err != nil {
		t.Fatal(err)
	}
	if file, foreign, err := Find(dir, dir); file != "" || foreign || err != nil {
		t.Errorf("nothing there: %q %t %v", file, foreign, err)
	}
	file := filepath.Join(dir, FileName)
	if err := os.WriteFile(file, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, source string
		foreign      bool
	}{
		{"a package", "@scope/name", false},
		{"a folder beside it", inner, false},
		{"the folder itself", dir, true},
		{"the folder by another name", filepath.Join(inner, "up"), true},
		{"a folder above it", filepath.Dir(dir), true},
	} {
		got, foreign, err := Find(dir, tt.source)
		if got != file || foreign != tt.foreign || err != nil {
			t.Errorf("%s: %q %t %v", tt.name, got, foreign, err)
		}
	}
}

func TestRead(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none"), now); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(t.TempDir(), now); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("a directory: %v", err)
	}
	file := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(file, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(file, now); err != nil || len(s.Ignore) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("ignore: [{rule: a, fingerprint: 6659b8a63851ef45}]")
	f.Add("a: &a [*a]")
	f.Add("assess: {env: {? [a] : b}}")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Parse("m", []byte(in), now)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m:") {
				t.Errorf("no line in %q", err)
			}
			return
		}
		for _, i := range s.Ignore {
			if i.Rule == "" || i.Fingerprint == "" || i.Reason == "" || i.Expires.IsZero() {
				t.Errorf("an ignore of everything: %+v", i)
			}
		}
	})
}
