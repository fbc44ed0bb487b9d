package envhook

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const followedPython = `import os, threading
def never(path):
    return open(path).read()
def some(x):
    with open(__file__) as f:
        if x: return f.read()
    return os.getpid()
def part(x):
    return os.getpid() if x else os.getppid()
async def later(): return [str(i) for i in range(3)]
def raises():
    try:
        with open(__file__) as f: int("x")
    except ValueError: os.getpid()
some(1); some(0)
part(1)
raises()
worker = threading.Thread(target=lambda: os.getpid()); worker.start(); worker.join()
try: later().send(None)
except StopIteration: pass
`

// Every Python of this machine reports the lines in which each call ran, and
// only those.
func TestPythonCode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.py")
	if err := os.WriteFile(file, []byte(followedPython), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `
import posix, runpy, sys
asked, real = [], posix.access
posix.access = lambda path, mode: asked.append(path[3:].decode())
exec(sys.argv[1], {})
posix.access = real
runpy.run_path(sys.argv[2])
sys.settrace(None)
print("\n".join(asked))
`
	hook := (&Code{Prefix: "/p/", Own: Own{Roots: []string{filepath.Dir(file) + "/"}}}).Python()
	for _, program := range pythons(t) {
		got := reported(t, exec.CommandContext(t.Context(), program, "-I", "-S", "-c", script, hook, file))
		if !slices.Contains(got, "s python") {
			t.Fatalf("%s reports %q", program, got)
		}
		if exec.CommandContext(t.Context(), program, "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run() != nil {
			continue // it counts lines
		}
		var lines, functions []string
		for _, report := range got {
			numbers, name, _ := strings.Cut(report[1:], "\t")
			switch {
			case name != "" && name != file:
				t.Errorf("%s reports about %s", program, name)
			case report[0] == 'l':
				lines = append(lines, strings.Fields(numbers)...)
			case report[0] == 'r':
				functions = append(functions, strings.Fields(numbers)...)
			}
		}
		for n, want := range map[string]bool{"1": true, "3": false, "5": true, "6": true, "7": true, "9": false, "10": true, "13": true, "14": true, "15": true, "18": true} {
			if slices.Contains(lines, n) != want {
				t.Errorf("%s: line %s ran: %v; %q", program, n, !want, got)
			}
		}
		for n, want := range map[string]bool{"2": false, "4": true, "8": true, "10": true, "11": true, "18": true} {
			if slices.Contains(functions, n) != want {
				t.Errorf("%s: function %s ran: %v; %q", program, n, !want, got)
			}
		}
	}
}

// Node reports the stretches that ran, also those of a timer, and nothing of
// dependencies.
func TestNodeCode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	const own = "const fs = require('fs'); require('other');\n" +
		"function some(x) { return x ? fs.existsSync('/') : NEVER(); }\n" +
		"function never() { return fetch('x'); }\n" +
		"setTimeout(() => { LATER = some(1); }, 250);\n"
	hook := (&Code{Prefix: "/p/", Own: Own{Roots: []string{dir + "/"}, Names: []string{"mine"}}}).Node()
	for name, content := range map[string]string{
		"own.js": own, "hook.cjs": hook, "node_modules/other/index.js": "1;", "node_modules/mine/index.js": "2;",
		"listen.cjs": "const fs = require('fs'), real = fs.existsSync; fs.existsSync = (p) => String(p).startsWith('/p/') ? fs.writeSync(1, p.slice(3) + '\\n') : real(p);",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "own.js")
	got := reported(t, exec.CommandContext(t.Context(), node, "-r", filepath.Join(dir, "listen.cjs"), "-r", filepath.Join(dir, "hook.cjs"), file))
	ran := make([]bool, len(own))
	for _, report := range got {
		numbers, name, _ := strings.Cut(report[2:], "\t")
		if name != "" && name != file {
			t.Errorf("it reports about %s", name)
		}
		if report[0] != 'o' {
			continue
		}
		for stretch := range strings.FieldsSeq(numbers) {
			from, to := stretchOf(t, stretch)
			for i := from; i < to; i++ {
				ran[i] = true
			}
		}
	}
	for part, want := range map[string]bool{"existsSync": true, "NEVER": false, "fetch": false, "LATER": true} {
		if ran[strings.Index(own, part)] != want {
			t.Errorf("%s ran: %v; %q", part, !want, got)
		}
	}
}

func stretchOf(t *testing.T, text string) (from, to int) {
	t.Helper()
	first, last, _ := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	if to, err = strconv.Atoi(last); err != nil {
		t.Fatal(err)
	}
	return from, to
}

// reported runs a program and returns the lines it prints.
func reported(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%s: %v: %s", cmd.Path, err, complaints.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
