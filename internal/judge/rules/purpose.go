package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxDescription bounds how much of a tool's description is read as its
// declared purpose.
const maxDescription = 16 << 10

// execution finds in a tool's description that it runs commands for its
// caller.
var execution = regexp.MustCompile(`(?i)\b(?:run|runs|running|execute|executes|executing|invoke|invokes|launch|launches)` +
	`\s+(?:an?\s+|the\s+|any\s+|some\s+|given\s+|arbitrary\s+|supplied\s+|user\s+)*` +
	`(?:shell|bash|terminal|system|command|commands|script|scripts|program|programs|process|processes|code|python|javascript)\b` +
	`|\b(?:shell|bash|terminal)\s+(?:command|commands|session|script)\b`)

// declaresExecution tells whether the tool, or the name of the prompt, says of
// itself that it runs programs. Whoever lets an agent use it can read that.
func (r *run) declaresExecution(f *fields) bool {
	return r.says(f.Tool).executes || f.prompt != "" && slices.ContainsFunc(toolWords(f.prompt), meansExecution)
}

func meansExecution(word string) bool {
	switch word {
	case "shell", "terminal", "bash", "command", "commands", "cmd", "exec", "execute", "subprocess", "repl":
		return true
	}
	return false
}

// saying is what a tool says of itself, as far as words go.
type saying struct {
	executes bool
	// name are the words of its name, described those of its description.
	name      []string
	described map[string]bool
}

// says reads a tool's name and description once.
func (r *run) says(tool string) *saying {
	s := r.sayings[tool]
	if s == nil {
		about := r.description(tool)
		s = &saying{name: toolWords(tool), described: map[string]bool{}}
		s.executes = slices.ContainsFunc(s.name, meansExecution) || execution.MatchString(about)
		for word := range strings.FieldsFuncSeq(strings.ToLower(about), notWord) {
			s.described[word] = true
		}
		r.sayings[tool] = s
	}
	return s
}

// mentions tells whether the tool or the package's name names the program.
func (r *run) mentions(f *fields, word string) bool {
	word = strings.ToLower(word)
	if word == "" {
		return false
	}
	if r.purpose[word] || r.toolMentions(f, word) {
		return true
	}
	// A server for Kubernetes runs kubectl.
	for _, o := range r.owners {
		if slices.Contains(o.programs, word) && r.serves(o) {
			return true
		}
	}
	return false
}

// toolMentions tells whether the tool itself, by its name or its description,
// has the word.
func (r *run) toolMentions(f *fields, word string) bool {
	word, said := strings.ToLower(word), r.says(f.Tool)
	return said.described[word] || slices.Contains(said.name, word)
}

// showsVariables tells whether the tool says that it shows variables, or runs
// what may print them.
func (r *run) showsVariables(f *fields) bool {
	for _, word := range []string{"env", "environment", "environ", "getenv", "printenv"} {
		if r.mentions(f, word) {
			return true
		}
	}
	return r.declaresExecution(f)
}

func (r *run) description(tool string) string {
	d := r.scope.Tools[tool].Description
	return d[:min(len(d), maxDescription)]
}

// toolWords splits a tool's name: run_command, runCommand, run-command.
func toolWords(tool string) []string {
	if len(tool) > maxPath {
		tool = tool[:maxPath]
	}
	var spaced strings.Builder
	var last rune
	for _, c := range tool {
		if c >= 'A' && c <= 'Z' && last >= 'a' && last <= 'z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(c)
		last = c
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), notWord)
}

func notWord(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// isShell reports whether executing p with args starts a command shell.
func isShell(p string, args []string) bool {
	switch path.Base(p) {
	case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "csh", "tcsh", "fish", "rbash":
		return true
	case "busybox":
		return slices.ContainsFunc(args[:min(len(args), 2)], func(a string) bool {
			b := path.Base(a)
			return b == "sh" || b == "ash"
		})
	}
	return false
}

// isRuntime reports whether a program of that name runs the code of another
// file, its first argument.
func isRuntime(name string) bool {
	for _, prefix := range []string{"node", "python", "perl", "ruby", "bun", "deno", "php"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && strings.Trim(rest, ".0123456789") == "" {
			return true
		}
	}
	return false
}

// dropped reports whether the program, or the script an interpreter was
// started for, was written during this run outside the work directory.
func (r *run) dropped(f *fields) bool {
	return r.runs(f, func(p string) bool {
		if f.Phase == string(mcpsf.PhaseInstall) {
			manager, written := r.history.temporary[temporaryEntry(p)]
			return written && !manager || r.written[p] && !under(p, r.scope.WorkDir) && !temporary(p)
		}
		return r.written[p] && !under(p, r.scope.WorkDir)
	})
}

// fetched reports whether the program, or the script an interpreter was
// started for, came into being in the work directory after something had been
// downloaded.
func (r *run) fetched(f *fields) bool {
	return r.downloaded && f.Phase != string(mcpsf.PhaseInstall) && r.runs(f, func(p string) bool {
		return r.written[p] && r.history.created[p] && under(p, r.scope.WorkDir)
	})
}

// runs asks about the file that a program was started from, and about the
// script that an interpreter was started for.
func (r *run) runs(f *fields, foreign func(string) bool) bool {
	if foreign(f.Path) {
		return true
	}
	if script := r.programs[f.pid].script; script != "" {
		return foreign(script)
	}
	var inline []string // options that make the rest of the line the code
	switch {
	case isShell(f.Path, f.Args):
		inline = []string{"-c"}
	case isRuntime(path.Base(f.Path)):
		inline = []string{"-c", "-e", "-p", "-m", "--eval", "--print"}
	default:
		return false
	}
	script := scriptOf(f.Args, inline)
	return script != "" && foreign(absolute(script, r.scope.WorkDir))
}

// scriptOf is the file an interpreter was told to run, "" if the code stands
// on the command line.
func scriptOf(args, inline []string) string {
	for _, arg := range args[min(1, len(args)):] {
		switch {
		case slices.Contains(inline, arg):
			return ""
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}

func absolute(p, base string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return path.Join(base, p)
}
