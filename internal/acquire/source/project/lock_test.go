package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// installOf resolves a tree and returns how it is installed.
func installOf(t *testing.T, tree string) *mcpsf.Install {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(tree)).Files {
		file := filepath.Join(dir, f.Name)
		sourcetest.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		sourcetest.Must(t, os.WriteFile(file, f.Data, 0o644))
	}
	a, err := resolve(t, dir)
	sourcetest.Must(t, err)
	return a.Install
}

const (
	nodeProject   = "-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"dependencies\":{\"a\":\"1\"}}\n-- s.js --\n"
	yarnProject   = "-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"packageManager\":\"yarn@1.22.0\",\"dependencies\":{\"a\":\"1\"}}\n-- s.js --\n"
	pythonProject = "-- pyproject.toml --\n[project]\nname = \"x\"\ndependencies = [\"a\"]\n-- server.py --\n"
	builtProject  = "-- pyproject.toml --\n[build-system]\nrequires = []\n[project]\nname = \"x\"\ndependencies = [\"a\"]\n-- server.py --\n"
	packageLock   = "-- package-lock.json --\n{\"lockfileVersion\":3,\"packages\":{\"node_modules/a\":{\"version\":\"1.0.0\"}}}\n"
	pnpmLock      = "-- pnpm-lock.yaml --\nlockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {}\n"
	yarnLock      = "-- yarn.lock --\na@1:\n  version \"1.0.0\"\n"
	uvLock        = "-- uv.lock --\nversion = 1\n[[package]]\nname = \"a\"\nversion = \"1\"\n[[package]]\nname = \"x\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"a\" }, { name = \"m\" }, { name = \"n\" }]\n" +
		"[[package]]\nname = \"m\"\nsource = { editable = \"libs/m\" }\n[[package]]\nname = \"n\"\nsource = { editable = \"libs/missing\" }\n-- libs/m/pyproject.toml --\n[project]\nname = \"m\"\n"
	poetryLock  = "-- poetry.lock --\n[[package]]\nname = \"a\"\nversion = \"2\"\n[metadata]\nlock-version = \"2.1\"\n"
	pipfileLock = "-- Pipfile.lock --\n{\"_meta\":{\"pipfile-spec\":6},\"default\":{\"a\":{\"version\":\"==3\"}}}\n"
	pinnedList  = "-- requirements.txt --\na==4\nb\n"
)

func TestLockFile(t *testing.T) {
	for name, tt := range map[string]struct {
		tree   string
		file   string
		locked bool
		alone  bool
	}{
		"npm":                          {nodeProject + packageLock, "package-lock.json", true, false},
		"npm before pnpm":              {nodeProject + packageLock + pnpmLock, "package-lock.json", true, false},
		"the manager that is named":    {yarnProject + packageLock + yarnLock, "yarn.lock", true, false},
		"pnpm":                         {nodeProject + pnpmLock, "pnpm-lock.yaml", true, false},
		"no lock":                      {nodeProject, "", false, false},
		"an empty lock of npm":         {nodeProject + "-- package-lock.json --\n{\"lockfileVersion\":3,\"packages\":{}}\n", "", true, false},
		"no package":                   {pythonProject + uvLock, "uv.lock", true, true},
		"a package":                    {builtProject + uvLock, "uv.lock", true, false},
		"with code to run":             {pythonProject + "-- setup.py --\nimport setuptools\n" + uvLock, "uv.lock", true, false},
		"uv before poetry":             {builtProject + poetryLock + uvLock, "uv.lock", true, false},
		"poetry":                       {builtProject + poetryLock + pinnedList, "poetry.lock", true, false},
		"poetry without a package":     {"-- pyproject.toml --\n[tool.poetry]\npackage-mode = false\n[tool.poetry.dependencies]\na = \"2\"\n-- server.py --\n" + poetryLock, "poetry.lock", true, true},
		"pinned requirements":          {builtProject + pinnedList, "requirements.txt", true, false},
		"pip obeys its own list":       {"-- server.py --\n" + pinnedList, "", false, false},
		"a list and a lock":            {"-- server.py --\n" + pinnedList + uvLock, "uv.lock", true, true},
		"the lock alone":               {"-- server.py --\n" + pipfileLock, "Pipfile.lock", true, true},
		"a hostile lock":               {builtProject + "-- uv.lock --\nversion = 1\n[[package]]\nname = \"\\u001b[2J\"\nversion = \"1\"\n", "uv.lock", false, false},
		"a hostile lock of npm":        {nodeProject + "-- package-lock.json --\n" + strings.Repeat("[", 9999) + "\n", "package-lock.json", false, false},
		"another language's lock file": {"-- package.json --\n{\"name\":\"x\",\"bin\":\"s.js\",\"scripts\":{\"install\":\"x\"}}\n-- s.js --\n" + pipfileLock, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := installOf(t, tt.tree)
			lock := in.Lock
			if lock == nil {
				lock = &mcpsf.Lock{}
			}
			if lock.File != tt.file || in.Locked != tt.locked || lock.Alone != tt.alone || (lock.Problem != "") != (tt.file != "" && !tt.locked) {
				t.Errorf("%+v with %+v", in, lock)
			}
			if lock.File == "uv.lock" && tt.locked && (len(lock.Members) != 1 || lock.Members[0] != "libs/m") {
				t.Errorf("members %v", lock.Members)
			}
			if strings.ContainsAny(lock.Problem, "\x1b\n") {
				t.Errorf("%q", lock.Problem)
			}
		})
	}
}

// A lock file that is too large, or leads elsewhere, is not read.
func TestLockFileThatIsNotRead(t *testing.T) {
	in := installOf(t, builtProject+"-- uv.lock --\n"+strings.Repeat("#\n", 9<<20))
	if in.Locked || in.Lock == nil || in.Lock.Problem == "" {
		t.Errorf("%+v", in)
	}
	dir := t.TempDir()
	sourcetest.Must(t, os.WriteFile(filepath.Join(dir, "pyproject.toml"), []byte("[build-system]\nrequires = []\n[project]\nname = \"x\"\n"), 0o644))
	sourcetest.Must(t, os.WriteFile(filepath.Join(dir, "server.py"), nil, 0o644))
	sourcetest.Must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "requirements.txt")))
	if a, err := resolve(t, dir); err != nil || a.Install.Lock != nil {
		t.Errorf("%+v %v", a, err)
	}
}
