package assesscmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestWorldFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("world/Documents/a.txt", "a")
	write("world/.config/tool/settings.json", "{}")
	write("secret/key", "private")
	for link, to := range map[string]string{"world/out": "../secret/key", "world/dir": "../secret", "linked": "/etc"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"world", filepath.Join(dir, "world")} {
		files, err := worldFiles(name)
		if err != nil || len(files) != 2 {
			t.Fatalf("%s: %v, %v", name, files, err)
		}
		if f := files[1]; f.Path != mcpsf.Home+"/Documents/a.txt" || string(f.Content) != "a" || f.Mode != 0o600 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linked", "missing", "empty", "world/Documents/a.txt"} {
		if files, err := worldFiles(name); err == nil {
			t.Errorf("%s: %d files", name, len(files))
		}
	}
}
