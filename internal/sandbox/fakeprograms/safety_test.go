package fakeprograms

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// literals are texts in single quotes, in which the shell sees nothing.
var literals = regexp.MustCompile(`'[^']*'`)

// Nothing in a script makes code of text, and no expansion is split or matched
// against file names.
func TestScriptsAreSafe(t *testing.T) {
	m := newMachine(t, 7)
	for _, f := range m.files {
		code := literals.ReplaceAllString(strings.ReplaceAll(string(f.Content), `'\''`, ""), "''")
		for _, bad := range []string{"eval", "`", "$(", "source ", "read -p", "$@", "$*"} {
			found := strings.Count(code, bad)
			if bad == "$(" {
				found -= strings.Count(code, "$((")
			}
			if found > 0 {
				t.Errorf("%s contains %q", f.Path, bad)
			}
		}
		for i, line := range strings.Split(code, "\n") {
			if unquoted(line) {
				t.Errorf("%s:%d: an expansion that is not quoted: %s", f.Path, i+1, line)
			}
		}
	}
}

// unquoted finds expansions outside double quotes that the shell would split:
// those that are no assignment, no subject of a case and no arithmetic.
func unquoted(line string) bool {
	line = regexp.MustCompile(`"[^"]*"`).ReplaceAllString(line, `""`)
	line = regexp.MustCompile(`\bcase \$[a-zA-Z0-9_]+ in`).ReplaceAllString(line, "")
	line = regexp.MustCompile(`\b[a-zA-Z_0-9]+=(''|[^\s;])*`).ReplaceAllString(line, "")
	line = strings.NewReplacer("[ $# -gt", "", "exit $?", "", "count + 1))", "", "folders + 1))", "", "others + 1))", "").Replace(line)
	return strings.Contains(line, "$")
}

func TestShellcheck(t *testing.T) {
	program, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("no shellcheck here")
	}
	m := newMachine(t, 7)
	for _, f := range m.files {
		// A variable that no answer of a program needs is set all the same.
		out, err := exec.CommandContext(t.Context(), program, "-s", "sh", "-S", "warning", "-e", "SC2034", m.at(filepath.Base(f.Path))).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%.2000s", f.Path, err, out)
		}
	}
}

// Every shell understands every script, and answers alike.
func TestShells(t *testing.T) {
	m := newMachine(t, 7)
	m.put("in.png", "x")
	lines := []string{"kubectl get pods -o json", "docker ps", "adb exec-out screencap -p", "ffmpeg -i in.png o.docx", "gh nope", "tree", "jq . in.png", "helm -n x list"}
	for _, f := range m.files {
		lines = append(lines, filepath.Base(f.Path)+" --version", filepath.Base(f.Path)+" --nope")
	}
	want := map[string]result{}
	for _, shell := range shells() {
		m.shell = shell
		for _, line := range lines {
			r := m.line(line)
			if m.complains(r) {
				t.Errorf("%s: %s: %s", shell, line, r.err)
			}
			if first, ok := want[line]; ok && (first.out != r.out || first.code != r.code) {
				t.Errorf("%s: %s: %d %.200q, want %d %.200q", shell, line, r.code, r.out, first.code, first.out)
			} else {
				want[line] = r
			}
		}
	}
}

// complains reports whether the shell itself
// found something wrong. Its messages begin with the script; that it does not find
// grep and find is as it should be.
func (m *machine) complains(r result) bool {
	return slices.ContainsFunc(strings.Split(r.err, "\n"), func(line string) bool {
		return strings.HasPrefix(line, m.bin) && !strings.Contains(line, "find: not found") && !strings.Contains(line, "grep: not found")
	})
}

// hostile are arguments that a careless script would run, match or split. Some
// programs take them for their output: none names a place outside the folder that
// the scripts are run in.
func hostile() []string {
	return []string{
		"$(touch owned)", "`touch owned`", "; touch owned", "| touch owned", "x\ntouch owned\n", "'; touch owned; '", `"; touch owned; "`, "$((1+$(touch owned)))",
		"*", "nowhere/*", "[a-z]*", "~", "{a,b}", "-", "-n", "--=", "=", "%s%s%n", `\c`, `\`, "", " ", "\xff\xfe", "count=9", "w1=get",
	}
}

// A hostile argument is never run, wherever it stands.
func TestHostileArguments(t *testing.T) {
	m := newMachine(t, 7)
	search := t.TempDir()
	// The only program that can be found.
	if err := os.WriteFile(filepath.Join(search, "touch"), []byte("#!/bin/sh\n: >\"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range m.files {
		name := filepath.Base(f.Path)
		commands := [][]string{{name}, {name, "--"}}
		for _, bad := range hostile() {
			commands = append(commands, []string{name, bad}, []string{name, "ps", "--format", bad, "-c", bad, "-f", bad, "-o", bad})
		}
		commands[0], commands[1] = append(commands[0], hostile()...), append(commands[1], hostile()...)
		for _, c := range commands {
			if r := m.runIn(search, c...); m.complains(r) {
				t.Errorf("%q: %.300s", c, r.err)
			}
			if _, err := os.Stat(filepath.Join(m.dir, "owned")); err == nil {
				t.Fatalf("%q was run", c)
			}
		}
	}
}

// No script works long on a long argument.
func TestLongArguments(t *testing.T) {
	m := newMachine(t, 7)
	for _, f := range m.files {
		name := filepath.Base(f.Path)
		for _, part := range []string{"A", "{{", "/", "-", "'", "\n"} {
			long := strings.Repeat(part, 100_000/len(part))
			start := time.Now()
			if r := m.run(name, long, "--format", long, long); m.complains(r) {
				t.Errorf("%s %q: %.300s", name, part, r.err)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s works for %s on %q", name, took, part)
			}
		}
	}
}

// Without being told so a script writes nothing.
func TestNothingIsWritten(t *testing.T) {
	m := newMachine(t, 7)
	for _, f := range m.files {
		for _, line := range []string{"get pods", "list", "build", "apply", "--version", "run x", "-c SELECT", "install x y"} {
			m.line(filepath.Base(f.Path) + " " + line)
		}
	}
	// tesseract, ffmpeg, convert and pdftotext have their output as the last word.
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("written: %v", entries)
	}
}

// A program has one fake program, and none is for a program that every host has.
func TestProgramNames(t *testing.T) {
	m := newMachine(t, 7)
	var names []string
	for _, f := range m.files {
		names = append(names, filepath.Base(f.Path))
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a name twice: %q", names)
	}
	for _, name := range []string{"sh", "ls", "cat", "git", "node", "python3", "curl", "grep", "find", "env", "npm", "uv"} {
		if slices.Contains(names, name) {
			t.Errorf("%s is real", name)
		}
	}
	if len(names) < 40 {
		t.Errorf("only %d", len(names))
	}
}

// Nothing in a script tells what it is.
func TestNothingTells(t *testing.T) {
	m := newMachine(t, 7)
	total := 0
	for _, f := range m.files {
		total += len(f.Content)
		for _, word := range []string{"mcpsf", "fake program", "fakeprogram", "decoy", "canary", "fake", "sandbox", "mock", "dummy", "pretend"} {
			if strings.Contains(strings.ToLower(string(f.Content)), word) {
				t.Errorf("%s says %q", f.Path, word)
			}
		}
	}
	// They are unpacked into every sandbox.
	if total > 1<<20 {
		t.Errorf("%d bytes", total)
	}
	t.Logf("%d scripts, %d bytes", len(m.files), total)
}
