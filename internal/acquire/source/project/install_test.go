package project_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// Code that an installation would run must be run: without it the project is
// not fully observed.
func TestWhatIsInstalled(t *testing.T) {
	for name, tt := range map[string]struct {
		tree string
		want mcpsf.Manager
	}{
		"plain node":          {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"start\":\"node s.js\",\"test\":\"x\"}}\n-- s.js --\n", ""},
		"plain python":        {"-- server.py --\n", ""},
		"a dependency":        {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"dependencies\":{\"a\":\"1\"}}\n-- s.js --\n", mcpsf.ManagerNPM},
		"preinstall":          {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"preinstall\":\"node a.js\"}}\n-- s.js --\n", mcpsf.ManagerNPM},
		"postinstall":         {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"postinstall\":\"node a.js\"}}\n-- s.js --\n", mcpsf.ManagerNPM},
		"prepare":             {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"prepare\":\"node a.js\"}}\n-- s.js --\n", mcpsf.ManagerNPM},
		"gyp":                 {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\"}\n-- s.js --\n-- binding.gyp --\n{}\n", mcpsf.ManagerNPM},
		"modules along":       {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"dependencies\":{\"a\":\"1\"},\"scripts\":{\"prepare\":\"x\"}}\n-- s.js --\n-- node_modules/a/index.js --\n", ""},
		"modules and scripts": {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"install\":\"x\"}}\n-- s.js --\n-- node_modules/a/index.js --\n", mcpsf.ManagerNPM},
		"build system":        {"-- pyproject.toml --\n[build-system]\nrequires = []\nbuild-backend = \"b\"\nbackend-path = [\".\"]\n[project]\nname = \"x\"\n-- server.py --\n", mcpsf.ManagerPip},
		"settings of tools":   {"-- pyproject.toml --\n[tool.ruff]\nline-length = 1\n-- server.py --\n", ""},
		"setup.py":            {"-- setup.py --\nimport setuptools as s\ns.setup(name='x')\n-- server.py --\n", mcpsf.ManagerPip},
		"another setup.py":    {"-- setup.py --\nprint('how to set it up')\n-- server.py --\n", ""},
		"requirements":        {"-- requirements.txt --\n# a\nb\n-- server.py --\n", mcpsf.ManagerPip},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range txtar.Parse([]byte(tt.tree)).Files {
				file := filepath.Join(dir, f.Name)
				sourcetest.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
				sourcetest.Must(t, os.WriteFile(file, f.Data, 0o644))
			}
			a, err := resolve(t, dir)
			sourcetest.Must(t, err)
			got := mcpsf.Manager("")
			if a.Install != nil {
				got = a.Install.Manager
			}
			if got != tt.want {
				t.Errorf("installed by %q, want %q", got, tt.want)
			}
		})
	}
}
