package interpreter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoader(t *testing.T) {
	root := host(t, "lib/ld.so", "nix/ld.so", "lib/away>../nix/ld.so")
	m := &machine{system: []string{root + "/lib"}}
	foreign := []byte(program("", ""))
	foreign[18] = 8 // another processor
	small := []byte(program("", ""))
	small[4] = 1
	for name, c := range map[string]struct {
		content string
		want    bool
	}{
		"static":                    {program("", ""), true},
		"of the system":             {program(root+"/lib/ld.so", ""), true},
		"of another system":         {program(root+"/nix/ld.so", ""), false},
		"a link out of the system":  {program(root+"/lib/away", ""), false},
		"not there":                 {program(root+"/lib/ld-musl.so", ""), false},
		"relative":                  {program("ld.so", ""), false},
		"too long":                  {program("/"+strings.Repeat("x", 5000), ""), false},
		"another processor":         {string(foreign), false},
		"32 bits":                   {string(small), false},
		"cut short":                 {program(root+"/lib/ld.so", "")[:100], false},
		"only its first four bytes": {"\x7fELF", false},
		"empty":                     {"", false},
	} {
		path := filepath.Join(root, "program")
		if err := os.WriteFile(path, []byte(c.content), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := m.runs(path); got != c.want {
			t.Errorf("%s: runs is %v", name, got)
		}
	}
}

func FuzzLoader(f *testing.F) {
	f.Add([]byte(program("/lib/ld.so", "")))
	f.Add([]byte(program("", "")))
	f.Add([]byte("\x7fELF\x02\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		loader, ok := elfLoader(strings.NewReader(string(b)))
		if ok && loader != "" && (!filepath.IsAbs(loader) || strings.ContainsRune(loader, 0)) {
			t.Errorf("loader %q", loader)
		}
	})
}
