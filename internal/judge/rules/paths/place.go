package paths

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Places classifies paths in the sandbox: what belongs to the server, to all
// programs, and what runs by itself later.
type Places struct {
	Home, Workdir string
	// Words of the server's declared name.
	Words map[string]bool
}

// Own reports whether a server may write to p without being asked: its work
// directory, its settings, data and caches, temporary files, and pipes or
// sockets.
func (l Places) Own(p string) bool {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "/memfd:") {
		return true // pipes, sockets and the like
	}
	if p == l.Workdir || Under(p, l.Workdir) || Temporary(p) || device(p) || ownProc(p) {
		return true
	}
	rel, ok := strings.CutPrefix(p, l.Home+"/")
	return ok && (toolPlace(rel) || l.named(rel))
}

// Temporary reports whether p is in a folder that everybody may write to.
func Temporary(p string) bool {
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run/user"} {
		if p == dir || Under(p, dir) {
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

// ownProc allows the few files in /proc that a process writes to set itself up.
// The memory of a process does not count.
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

// toolPlace tells whether package managers and common libraries write at rel in
// every home directory, whatever the server's name.
func toolPlace(rel string) bool {
	return slices.ContainsFunc(known().ToolPlaces, func(s string) bool { return rel == s || Under(rel, s) })
}

// Shared reports whether p is a folder of the home in which every program has a
// subfolder, such as ~/.config. Creating it harms nobody.
func (l Places) Shared(p string) bool {
	switch strings.TrimPrefix(p, l.Home+"/") {
	case ".config", ".cache", ".local", ".local/share", ".local/state":
		return true
	}
	return false
}

// named reports whether rel is in a folder with the server's name: ~/.NAME,
// ~/.config/NAME, ~/.local/share/NAME, ~/.local/state/NAME. The server chose its
// name, so the names of other programs do not count.
func (l Places) named(rel string) bool {
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

// isName reports whether dir has significant words, and all are words of the
// server's name.
func (l Places) isName(dir string) bool {
	words := lex.NameWords(dir)
	if len(words) == 0 {
		return false
	}
	for w := range words {
		if !l.Words[w] || belongsToOthers(w) {
			return false
		}
	}
	return true
}

// CarriesName reports whether dir is the server's name, or a part of it that no
// other program uses.
func (l Places) CarriesName(dir string) bool {
	own := false
	for w := range lex.NameWords(dir) {
		if !l.Words[w] {
			return false
		}
		own = own || !belongsToOthers(w)
	}
	return own
}

// belongsToOthers tells whether a word is the folder name of another program,
// which a server must not claim by taking that name.
func belongsToOthers(word string) bool { return known().OthersNames[word] }
