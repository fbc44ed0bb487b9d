package interpreter

import (
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// runner is the part of pip that makes only pip importable. Started by its
// directory's name, pip would take the packages beside it for installed.
const runner = "__pip-runner__.py"

// Pip finds the pip of this machine that belongs to python: the installed one,
// which is compiled and fastest, or else a wheel for new environments.
func Pip(python Interpreter) (Tool, bool) { return thisMachine().pip(python) }

func (m *machine) pip(python Interpreter) (Tool, bool) {
	minor := minorOf(python.Version)
	if python.From != machineFrom || minor == "" {
		return Tool{}, false
	}
	prefix := hostPrefix(python)
	if t, ok := m.installedPip(python, prefix, minor); ok {
		return t, true
	}
	return m.pipWheel(python, prefix, minor)
}

var pipVersion = lazyregexp.New(`(?m)^__version__ = "([0-9][0-9A-Za-z.]{0,31})"`)

func (m *machine) installedPip(python Interpreter, prefix, minor string) (Tool, bool) {
	for _, libraries := range []string{
		"local/lib/python" + minor + "/dist-packages", // Debian's
		"lib/python" + minor + "/site-packages", "lib64/python" + minor + "/site-packages",
		"lib/python3/dist-packages",
	} {
		dir := filepath.Join(prefix, libraries, "pip")
		found := pipVersion.FindSubmatch(readHead(filepath.Join(dir, "__init__.py"), maxHeader))
		program := filepath.Join(dir, runner)
		if found == nil || !m.readable(program) {
			continue
		}
		if path, ok := m.inside(python, program); ok {
			return Tool{Args: []string{path}, Version: string(found[1]), From: machineFrom}, true
		}
	}
	return Tool{}, false
}

var pipWheelName = lazyregexp.New(`^pip-(\d+(\.\d+)*)-(py2\.)?py3-none-any\.whl$`)

func (m *machine) pipWheel(python Interpreter, prefix, minor string) (Tool, bool) {
	for _, dir := range []string{"lib/python" + minor + "/ensurepip/_bundled", "lib64/python" + minor + "/ensurepip/_bundled", "share/python-wheels"} {
		for _, wheel := range newestFirst(filepath.Join(prefix, dir), "pip-*.whl") {
			found := pipWheelName.FindStringSubmatch(filepath.Base(wheel))
			if found == nil || !m.readable(wheel) {
				continue
			}
			if path, ok := m.inside(python, wheel); ok {
				return Tool{Args: []string{path + "/pip"}, Version: found[1], From: machineFrom}, true
			}
		}
	}
	return Tool{}, false
}

// minorOf cuts "3.11.2" down to "3.11".
func minorOf(version string) string {
	parts := strings.SplitN(release(version), ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return parts[0] + "." + parts[1]
}
