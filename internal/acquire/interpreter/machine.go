package interpreter

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// machine is where runtimes are searched.
type machine struct {
	// common are the program directories that every user can reach.
	common []string
	// system are the directories that the sandbox shows anyway.
	system []string
	// superuser says that the sandbox runs as another user than the caller.
	superuser bool
}

func thisMachine() *machine {
	m := &machine{
		common:    []string{"/usr/local/bin", "/usr/bin"},
		system:    []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"},
		superuser: os.Geteuid() == 0,
	}
	for _, pattern := range []string{"*/bin", "*/*/bin", "hostedtoolcache/*/*/*/bin"} {
		m.common = append(m.common, newestFirst("/opt", pattern)...)
	}
	return m
}

// search returns the usable runtimes and those that only the caller, not the
// sandbox, could use.
func (m *machine) search(rt mcpsf.Runtime, hostPath string) (usable, closed []Interpreter) {
	seen := map[string]bool{}
	for _, candidate := range m.candidates(rt, hostPath) {
		file, err := filepath.EvalSymlinks(candidate)
		if err != nil || seen[file] {
			continue
		}
		seen[file] = true
		i, ok := m.shown(rt, candidate, file)
		switch {
		case !ok:
		case m.superuser && !everybodyReaches(file, 0o005):
			closed = append(closed, i)
		default:
			usable = append(usable, i)
		}
	}
	return usable, closed
}

// candidates lists possible programs of a runtime, best first.
func (m *machine) candidates(rt mcpsf.Runtime, hostPath string) []string {
	var list []string
	for _, dir := range append(slices.Clone(m.common), filepath.SplitList(hostPath)...) {
		// A relative entry depends on the current directory, which may be that
		// of the assessed package.
		if !filepath.IsAbs(dir) {
			continue
		}
		list = append(list, programs(rt, dir)...)
		for _, other := range managed(dir) {
			list = append(list, programs(rt, other)...)
		}
	}
	return list
}

// programs lists the names of a runtime in a directory: the plain one, then
// those with a version, newest first.
func programs(rt mcpsf.Runtime, dir string) []string {
	plain, pattern := "node", "node*"
	if rt == mcpsf.RuntimePython {
		plain, pattern = "python3", "python3.*"
	}
	list := []string{filepath.Join(dir, plain)}
	for _, path := range newestFirst(dir, pattern) {
		if programName(rt, path) && filepath.Base(path) != plain {
			list = append(list, path)
		}
	}
	return list
}

var (
	nodeName   = lazyregexp.New(`^node(js)?(-?\d+)?$`)
	pythonName = lazyregexp.New(`^python(3(\.\d+)?)?$`)
)

// programName distinguishes a runtime from other programs of the same name: the
// shims of some version managers are links to the manager itself.
func programName(rt mcpsf.Runtime, file string) bool {
	if rt == mcpsf.RuntimePython {
		return pythonName.MatchString(filepath.Base(file))
	}
	return nodeName.MatchString(filepath.Base(file))
}

var versionName = lazyregexp.New(`^(v|cpython-|node-v?)?\d+(\.\d+)*`)

// managed lists the program directories of all versions in a version manager,
// if dir belongs to one: a directory of shims, or the programs of the active
// version.
func managed(dir string) []string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	root := filepath.Dir(dir)
	switch filepath.Base(dir) {
	case "shims": // pyenv, asdf, mise
		return append(newestFirst(root, "versions/*/bin"), newestFirst(root, "installs/*/*/bin")...)
	case "bin":
	default:
		return nil
	}
	above := filepath.Dir(root)
	switch name := filepath.Base(root); {
	case versionName.MatchString(name): // nvm, n, uv and the above
		return newestFirst(above, "*/bin")
	case name == "installation" && versionName.MatchString(filepath.Base(above)): // fnm
		return newestFirst(filepath.Dir(above), "*/installation/bin")
	}
	return newestFirst(root, "tools/image/node/*/bin") // volta
}

// newestFirst lists what matches a pattern below a directory, the highest
// numbers first.
func newestFirst(dir, pattern string) []string {
	// A file system of its own keeps the directory's name out of the pattern.
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	slices.SortStableFunc(found, func(a, b string) int { return natural(b, a) })
	for i := range found {
		found[i] = filepath.Join(dir, found[i])
	}
	return found
}

// natural compares strings with the digits in them as numbers: 3.9 before 3.11.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na != "" && nb != "" {
			x, y := strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			a, b = a[len(na):], b[len(nb):]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// digits returns the digits that text begins with.
func digits(text string) string {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n]
}
