package staging

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// leftBehind collects the virtual environments and tool caches of a project,
// which are not copied.
type leftBehind struct {
	environments, caches []string
}

// takes reports whether an entry is left out. Compiled Python is copied,
// because the interpreter may run it in place of the source beside it.
func (l *leftBehind) takes(root *os.Root, p string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return false
	}
	switch path.Base(p) {
	case ".mypy_cache", ".pytest_cache", ".tox", ".nox":
		l.caches = append(l.caches, p)
		return true
	}
	if isEnvironment(root, p) {
		l.environments = append(l.environments, p)
		return true
	}
	return false
}

// isEnvironment recognises a Python virtual environment by its marker file and
// its interpreter.
func isEnvironment(root *os.Root, p string) bool {
	if mark, err := root.Lstat(path.Join(p, "pyvenv.cfg")); err != nil || !mark.Mode().IsRegular() {
		return false
	}
	return slices.ContainsFunc([]string{"bin/python", "bin/python3", "Scripts/python.exe"}, func(program string) bool {
		_, err := root.Lstat(path.Join(p, program))
		return err == nil
	})
}

func (l *leftBehind) note(n *usererr.Notes) {
	slices.Sort(l.environments)
	for _, p := range l.environments {
		n.Add("left out the virtual environment %s: it was made for this machine and works on no other", usererr.Quote(p))
	}
	if len(l.caches) == 0 {
		return
	}
	// no gap: a larger package, manifest or list is refused with an error
	const most = 5
	slices.Sort(l.caches)
	var names []string
	for _, p := range l.caches[:min(most, len(l.caches))] {
		names = append(names, usererr.Quote(p))
	}
	more := ""
	if n := len(l.caches) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	n.Add("left out caches of tools, which the server does not need: %s%s", strings.Join(names, ", "), more)
}
