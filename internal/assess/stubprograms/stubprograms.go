// Package stubprograms finds the programs that a server looked for and did not find, and makes
// programs of these names that do nothing: without them the server gives up before it does
// what it does.
package stubprograms

import (
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const (
	// Dir is where stub programs are. It is the last place of the PATH, so that no program
	// that is there is hidden by one.
	Dir = "/usr/local/games"
	// maxStubs bounds how many there are.
	maxStubs = 16
	// notFound is how a shell ends that did not find the program.
	notFound = 127
)

// SearchPath is the PATH of an environment.
func SearchPath(env []string) string {
	search := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = value
		}
	}
	return search
}

// Missing are what the server's own processes looked for and did not
// find: programs they wanted to execute, and those a shell did not know.
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

// programName matches the name of a program, and none that a payload of ours or
// a trick of the server's could be.
var programName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_.+-]{0,31}$`)

// separators end one command of a line and begin another.
var separators = regexp.MustCompile(`&&|\|\||[;|&\n(]`)

// maxLine bounds how much of a command line is looked at.
const maxLine = 4 << 10

// commandWords are the words of a shell's line that stand where a program
// does.
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

// builtin reports whether a shell does that itself.
func builtin(word string) bool {
	return slices.Contains([]string{
		"cd", "echo", "printf", "test", "[", "exit", "export", "set", "true", "false", "read", "eval", "source", ".", "return",
		"type", "hash", "which", "-v", "fi", "done", "}", "wait", "trap", "ulimit", "umask", "unset", "shift", "pwd", "for", "while",
	}, word)
}

// Files are programs that take any argument and do nothing. They are no scripts: a shell
// would look like one of the server's.
func Files(names []string) []box.File {
	files := make([]box.File, 0, len(names))
	for _, name := range names {
		files = append(files, box.File{Path: path.Join(Dir, name), Mode: 0o755, Content: program(answer(name), runtime.GOARCH), System: true})
	}
	return files
}

// answer is what programs say whose callers go no further without one: that
// there is a device. Whatever they are asked, it is the same.
func answer(name string) string {
	switch name {
	case "adb":
		return "List of devices attached\nemulator-5554\tdevice\n"
	case "kubectl", "helm", "docker", "podman", "aws", "gh", "az", "gcloud", "terraform", "oc":
		return "{\"items\":[]}\n"
	}
	return "1.0.0\n"
}
