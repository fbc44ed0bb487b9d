package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// What others have run: commands that came over the network, shells at the end
// of a connection, code that was fetched.

const (
	// maxTold is how many answers are remembered, leastTold how long one has to
	// be, and mostTold how much of its beginning is compared.
	maxTold, leastTold, mostTold = 64, 16, 48
)

// hear remembers how an answer of the network began.
func (r *run) hear(answer string) {
	answer = strings.TrimSpace(answer)
	if len(answer) < leastTold {
		return
	}
	answer = answer[:min(len(answer), mostTold)]
	if slices.Contains(r.told, answer) {
		return
	}
	if len(r.told) >= maxTold {
		r.told = r.told[1:]
	}
	r.told = append(r.told, answer)
}

// runsAnswer tells whether a shell or an interpreter was given as a command what
// the network had answered.
func (r *run) runsAnswer(f *fields) bool {
	if len(f.Args) < 3 || !isShell(f.Path, f.Args) && !isRuntime(path.Base(f.Path)) {
		return false
	}
	return slices.ContainsFunc(f.Args[2:], func(arg string) bool {
		return slices.ContainsFunc(r.told, func(said string) bool { return strings.Contains(arg, said) })
	})
}

// dialled finds command lines that tie a shell to a connection.
var dialled = regexp.MustCompile(`/dev/(?:tcp|udp)/[^\s/]+/\d|\b(?:nc|ncat|netcat)(?:\.\w+)?\b[^|;\n]*\s(?:-[a-z]*[ec]\b|--exec|--sh-exec)|` +
	`\bmkfifo\b[^\n]*\|[^\n]*\b(?:nc|ncat|netcat|openssl|telnet|socat)\b|\bsocat\b[^\n]*(?i:exec|system):|` +
	`\bsocket\b[^\n]*\b(?:dup2|pty\.spawn)\b|\bfsockopen\b[^\n]*\bexec\b|\bTCPSocket\b[^\n]*\bexec\b`)

// opensShell tells whether a command line ties a shell to a connection, whether
// or not it comes to that.
func (f *fields) opensShell() bool {
	name := path.Base(f.Path)
	if !isShell(f.Path, f.Args) && !isRuntime(name) && !slices.Contains([]string{"nc", "ncat", "netcat", "socat", "setsid", "nohup", "timeout"}, name) {
		return false
	}
	return dialled.MatchString(cut(strings.Join(f.Args, " "), maxPath))
}

// library is the ending of what programs load into themselves.
var library = regexp.MustCompile(`\.(?:so|node|pyd|dylib|dll)(?:\.\d+)*$`)

// loadsFetched tells whether a library is opened that came into being in this
// run, after something had been downloaded.
func (r *run) loadsFetched(f *fields) bool {
	return f.Kind == string(mcpsf.KindFileOpen) && f.Error == "" && !strings.ContainsAny(f.Flags, "wct") && f.Phase != string(mcpsf.PhaseInstall) &&
		r.downloaded && library.MatchString(f.Path) && r.written[f.Path] && !r.programs[f.pid].installer
}

// gitDestroys tells whether git is run to throw something away that cannot be
// had back, and neither the tool nor the caller speaks of it.
func (r *run) gitDestroys(f *fields) bool {
	if path.Base(f.Path) != "git" || f.Error != "" {
		return false
	}
	has := func(word string) bool { return slices.Contains(f.Args, word) }
	short := func(word string) bool {
		return slices.ContainsFunc(f.Args, func(a string) bool {
			return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, word)
		})
	}
	for _, action := range []struct {
		command string
		done    bool
	}{
		{"reset", has("--hard")},
		{"clean", short("f") || has("--force")},
		{"push", has("--force") || has("-f") || has("--mirror") || has("--delete")},
		{"reflog", has("expire") || has("delete")},
		{"gc", has("--prune=now") || has("--prune=all")},
		{"filter-branch", true},
		{"filter-repo", true},
		{"branch", has("-D")},
		{"stash", has("clear") || has("drop")},
		{"update-ref", has("-d")},
	} {
		if has(action.command) && action.done && !r.mentions(f, action.command) && !r.declaresExecution(f) {
			return true
		}
	}
	return false
}
