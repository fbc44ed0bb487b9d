package rules

import (
	"path"
	"slices"
	"strings"
)

// places knows the file system of the sandbox: what belongs to the server,
// what to everybody, and what runs by itself later.
type places struct {
	home, workdir string
	// words of the server's declared name.
	words map[string]bool
}

// own reports whether a server may write to p without being asked to: its
// work directory, its own settings, data and caches, temporary files, and
// what is no file at all.
func (l places) own(p string) bool {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "/memfd:") {
		return true // pipes, sockets and the like
	}
	if p == l.workdir || under(p, l.workdir) || temporary(p) || device(p) || ownProc(p) {
		return true
	}
	rel, ok := strings.CutPrefix(p, l.home+"/")
	return ok && (toolPlace(rel) || l.named(rel))
}

// temporary reports whether p lies where everybody may write.
func temporary(p string) bool {
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run/user"} {
		if p == dir || under(p, dir) {
			return true
		}
	}
	return false
}

func device(p string) bool {
	rest, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	switch rest {
	case "null", "zero", "full", "random", "urandom", "tty", "ptmx", "stdin", "stdout", "stderr":
		return true
	}
	return strings.HasPrefix(rest, "pts/") || strings.HasPrefix(rest, "fd/")
}

// ownProc allows the few files in /proc that a process writes to set itself
// up. The memory of a process is not among them.
func ownProc(p string) bool {
	if !strings.HasPrefix(p, "/proc/") {
		return false
	}
	switch path.Base(p) {
	case "comm", "oom_score_adj", "coredump_filter", "timerslack_ns":
		return true
	}
	return strings.Contains(p, "/fd/")
}

// toolPlace knows what package managers and common libraries write in every
// home directory, whatever the server is called.
func toolPlace(rel string) bool {
	return slices.ContainsFunc([]string{
		".cache", ".npm", ".yarn", ".pnpm-store", ".local/share/pnpm", ".local/share/uv",
		".config/configstore", ".config/matplotlib", ".node_repl_history", ".python_history",
	}, func(s string) bool { return rel == s || under(rel, s) })
}

// shared reports whether p is a directory of the home in which every program
// has its own: making it takes nothing from anybody.
func (l places) shared(p string) bool {
	switch strings.TrimPrefix(p, l.home+"/") {
	case ".config", ".cache", ".local", ".local/share", ".local/state":
		return true
	}
	return false
}

// named reports whether rel lies in a directory that carries the server's
// name: ~/.NAME, ~/.config/NAME, ~/.local/share/NAME, ~/.local/state/NAME.
// The server chose its name, so names that belong to others do not count.
func (l places) named(rel string) bool {
	for _, parent := range []string{".config/", ".local/share/", ".local/state/"} {
		if rest, ok := strings.CutPrefix(rel, parent); ok {
			dir, _, _ := strings.Cut(rest, "/")
			return l.isName(dir)
		}
	}
	dir, _, _ := strings.Cut(rel, "/")
	rest, ok := strings.CutPrefix(dir, ".")
	return ok && l.isName(rest)
}

// isName reports whether every telling word of dir is one of the server's
// name, and there is at least one.
func (l places) isName(dir string) bool {
	words := wordsOf(dir)
	if len(words) == 0 {
		return false
	}
	for w := range words {
		if !l.words[w] || belongsToOthers(w) {
			return false
		}
	}
	return true
}

// carriesName reports whether dir is the server's name or a part of it that
// nobody else has.
func (l places) carriesName(dir string) bool {
	own := false
	for w := range wordsOf(dir) {
		if !l.words[w] {
			return false
		}
		own = own || !belongsToOthers(w)
	}
	return own
}

// belongsToOthers are the names of directories that a server must not claim
// by calling itself so.
func belongsToOthers(word string) bool {
	switch word {
	case "ssh", "aws", "azure", "gcloud", "gh", "gnupg", "kube", "docker", "git", "gitconfig", "npmrc", "netrc", "env",
		"config", "local", "profile", "bashrc", "zshrc", "mozilla", "google", "chrome", "chromium", "thunderbird",
		"claude", "cursor", "code", "vscode", "windsurf", "codeium", "zed", "systemd", "autostart", "fish", "pip":
		return true
	}
	return false
}

// isSystem reports whether a program or script at p belongs to the system,
// which the server's user cannot write to.
func isSystem(p string) bool {
	for _, dir := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"} {
		if under(p, dir) {
			return true
		}
	}
	return false
}

// wordsOf splits a name into its telling words, in lower case.
func wordsOf(name string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		switch w {
		case "mcp", "server", "servers", "the", "a", "app", "node", "python", "js", "py", "tool", "tools":
			continue // say nothing
		}
		words[w] = true
	}
	return words
}
