// Package stubprograms finds the programs that a server looked for and did not
// find, and makes programs of these names that do nothing. Without them the
// server would give up before it does its work.
package stubprograms

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// gap: stub-programs
const (
	// Dir is where stub programs are. It is last in the PATH, so that a stub
	// never hides a real program.
	Dir = "/usr/local/games"
	// maxStubs bounds the number of stubs.
	maxStubs = 16
	// version is what a stub prints: many callers ask for it first.
	version = "1.0.0\n"
	// notFound is the exit code of a shell that did not find the program.
	notFound = 127
)

// SearchPath returns the PATH of an environment.
func SearchPath(env []string) string {
	search := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = value
		}
	}
	return search
}

// Missing returns the programs that the server's processes looked for and did
// not find: those they tried to execute, and those a shell did not find.
func Missing(events []mcpsf.Event) []string {
	var missing []string
	found := map[string]bool{}
	shells := map[int]string{}
	for i := range events {
		e := &events[i]
		if e.Process == nil || e.Phase == mcpsf.PhaseInstall || e.Phase == mcpsf.PhaseAttack {
			continue
		}
		args := e.Process.Args
		switch {
		case e.Kind == mcpsf.KindProcessExit:
			if e.Process.Code == notFound {
				missing = append(missing, commandWords(shells[e.PID])...)
			}
			delete(shells, e.PID)
		case e.Kind != mcpsf.KindProcessExec || len(args) == 0:
		case e.Process.Error == "ENOENT":
			missing = append(missing, args[0])
		case e.Process.Error == "":
			found[path.Base(args[0])] = true
			delete(shells, e.PID)
			if at := slices.Index(args, "-c"); at > 0 && at+1 < len(args) {
				shells[e.PID] = args[at+1]
			}
		}
	}
	missing = slices.DeleteFunc(missing, func(name string) bool { return found[name] || !programName.MatchString(name) })
	slices.Sort(missing)
	missing = slices.Compact(missing)
	return missing[:min(len(missing), maxStubs)]
}

// programName matches the name of a program, and none that could come from one
// of our payloads or a trick of the server.
var programName = lazyregexp.New(`^[a-zA-Z][a-zA-Z0-9_.+-]{0,31}$`)

// separators separate the commands of a line.
var separators = lazyregexp.New(`&&|\|\||[;|&\n(]`)

// maxLine bounds how much of a command line is read.
// gap: stub-programs
const maxLine = 4 << 10

// commandWords returns the words of a shell line that are in the position of a
// program.
func commandWords(line string) []string {
	var words []string
	for _, part := range separators.Split(line[:min(len(line), maxLine)], maxStubs) {
		fields := strings.Fields(part)
		for len(fields) > 0 && (strings.Contains(fields[0], "=") || before(fields[0])) {
			fields = fields[1:]
		}
		if len(fields) > 0 && !builtin(fields[0]) {
			words = append(words, strings.Trim(fields[0], `"'`))
		}
	}
	return words
}

// before reports whether the name of a program follows a word.
func before(word string) bool {
	return slices.Contains([]string{"env", "exec", "nohup", "time", "sudo", "command", "then", "do", "else", "if", "!", "{"}, word)
}

// builtin reports whether a word is a shell builtin.
func builtin(word string) bool {
	return slices.Contains([]string{
		"cd", "echo", "printf", "test", "[", "exit", "export", "set", "true", "false", "read", "eval", "source", ".", "return",
		"type", "hash", "which", "-v", "fi", "done", "}", "wait", "trap", "ulimit", "umask", "unset", "shift", "pwd", "for", "while",
	}, word)
}

// Files returns programs that accept any argument and do nothing. They are no
// scripts, because a shell would look like one that the server started.
func Files(names []string) []box.File {
	files := make([]box.File, 0, len(names))
	for _, name := range names {
		files = append(files, box.File{Path: path.Join(Dir, name), Mode: 0o755, Content: program(version, runtime.GOARCH), System: true})
	}
	return files
}
