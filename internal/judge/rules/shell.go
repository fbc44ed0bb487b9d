package rules

import (
	"path"
	"slices"
	"strings"
)

// minText is the length from which a text of the caller's is recognised
// anywhere in a command line. Shorter ones have to be a word of it.
const minText = 4

// callerText tells whether a string that the caller gave stands in the
// arguments of the program that was started: with a shell that is where a
// command can be put in.
func (r *run) callerText(f *fields) bool {
	c := r.calls[f.Call]
	if c == nil || len(f.Args) < 2 {
		return false
	}
	line := unquoted(strings.Join(f.Args[1:], "\n"))
	words := strings.FieldsFunc(line, betweenWords)
	return slices.ContainsFunc(c.values(), func(text string) bool {
		if len(text) >= minText && strings.Contains(line, text) || slices.Contains(words, text) {
			return true
		}
		// "cd DIR && tool FILE" takes a path apart.
		base := path.Base(text)
		return base != text && len(base) >= minText && slices.Contains(words, base)
	})
}

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\", r) {
			return -1
		}
		return r
	}, s)
}

func betweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n;|&<>()=,`", r) }

// startedByProgram tells whether a program of the system started the event's
// process on its own account, as tar does with gzip and make with every line.
// The server itself, whatever runs its code, and programs that merely run what
// they are given are no such programs.
func (r *run) startedByProgram(f *fields) bool {
	parent := r.parents[f.pid]
	if parent == 0 || parent == r.server {
		return false
	}
	prog := r.programs[parent]
	if !isSystem(prog.path) || isShell(prog.path, prog.args) || passesOn(path.Base(prog.path)) {
		return false
	}
	if isRuntime(path.Base(prog.path)) {
		return len(prog.args) > 1 && isSystem(path.Clean(prog.args[1]))
	}
	return true
}

// passesOn knows the programs whose arguments are the command to run.
func passesOn(name string) bool {
	switch name {
	case "env", "xargs", "find", "timeout", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "watch", "script",
		"parallel", "flock", "unshare", "nsenter", "chroot", "sudo", "su", "doas", "pkexec", "runuser", "setpriv",
		"start-stop-daemon", "systemd-run", "taskset", "chrt", "prlimit", "expect", "socat", "nc", "ncat", "busybox",
		"awk", "gawk", "mawk", "ld.so":
		return true
	}
	return strings.HasPrefix(name, "ld-linux")
}
