package saved

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func config() *Config {
	return &Config{
		Format: 1, ID: "weather", Saved: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Source: "npm:weather@1.0.0",
		Args: []string{"--port", "1\n2"}, Flags: map[string][]string{"profile": {"safe"}, "rules": {"a", "b: c"}},
		Secrets: append(Secrets("env", []string{"TOKEN=s3cret=x", "EMPTY="}, false), Secrets("header", []string{"Authorization=Bearer x"}, true)...),
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "configs")
	s := New(dir)
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("an empty store: %v, %v", list, err)
	}
	if err := s.Save(config()); err != nil {
		t.Fatal(err)
	}
	got, err := s.Load("weather")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	file := filepath.Join(dir, "weather.yaml")
	data, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(data), "s3cret") {
		t.Errorf("the secret was kept: %s, %v", data, err)
	}
	for name, mode := range map[string]os.FileMode{file: 0o600, dir: 0o700 | os.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if err := s.Delete("weather"); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"load": loadError(s, "weather"), "delete": s.Delete("weather")} {
		if mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "mcpsf list") {
			t.Errorf("%s what is not there: %v", what, err)
		}
	}
}

func loadError(s *Store, id string) error {
	_, err := s.Load(id)
	return err
}

func TestValues(t *testing.T) {
	pairs, missing := config().Values("env", []string{"EMPTY=now"})
	if diff := cmp.Diff([]string{"TOKEN"}, missing); diff != "" || len(pairs) > 0 {
		t.Errorf("pairs %q, missing (-want +got):\n%s", pairs, diff)
	}
	pairs, missing = config().Values("header", nil)
	if diff := cmp.Diff([]string{"Authorization=Bearer x"}, pairs); diff != "" || len(missing) > 0 {
		t.Errorf("missing %q, pairs (-want +got):\n%s", missing, diff)
	}
}

func TestNames(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.yaml")
	if err := os.WriteFile(outside, []byte("format: 1\nsource: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(filepath.Join(dir, "configs"))
	for _, id := range []string{"", ".", "..", "../outside", "a/b", "/etc/passwd", "A", "-x", ".x", "a\nb", "a\x00", "é", strings.Repeat("a", 65), `a\b`} {
		c := config()
		c.ID = id
		for what, err := range map[string]error{"save": s.Save(c), "load": loadError(s, id), "delete": s.Delete(id)} {
			if mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
				t.Errorf("%s %q: %v, want an error of the user's", what, id, err)
			}
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

// Foreign files in the directory are not followed, and do not prevent the
// listing of the others.
func TestListWithBrokenOnes(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	if err := s.Save(config()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"broken.yaml": "source: [", "later.yaml": "format: 2\nsource: x\n", "odd.yaml": "format: 1\nsource: x\nsources: y\n", "UPPER.yaml": "x", "note.txt": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range list {
		got[c.ID] = c.Source
	}
	want := map[string]string{"weather": "npm:weather@1.0.0", "broken": "", "later": "", "odd": "", "link": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := s.Delete("link"); err != nil {
		t.Errorf("a link can be deleted: %v", err)
	}
}

func TestDir(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/mcpsf/configs"},
		{"", "/h", "/h/.config/mcpsf/configs"},
		{"relative", "/h", "/h/.config/mcpsf/configs"},
		{"", "", ""},
	} {
		got, err := Dir(func(name string) string {
			return map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home}[name]
		})
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v", tt, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("format: 1\nsource: ./x\nflags: {profile: [safe]}\nsecrets: [{flag: env, name: A}]\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data)
		if err != nil {
			return
		}
		if c.Source == "" {
			t.Error("no source")
		}
		c.Values("env", nil)
	})
}
