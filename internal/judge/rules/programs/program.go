package programs

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Program is what a process executed last.
type Program struct {
	Path string
	Args []string
	// Installer is set for the system's package managers: what they write is
	// a package and not a drop.
	Installer bool
	// Script is what an interpreter was started for by the script itself.
	Script string
}

// EntryOf is the file of the server's own that prog runs.
func EntryOf(prog Program, workdir string) string {
	if !paths.IsSystem(prog.Path) {
		return prog.Path
	}
	if script := ScriptOf(prog.Args, []string{"-c", "-e", "-p", "-m", "--eval", "--print"}); script != "" {
		return paths.Absolute(script, workdir)
	}
	return ""
}
