package programs

import (
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Program is what a process executed last.
type Program struct {
	Path string
	Args []string
	// Installer is set for the system's package managers, because the files they
	// write are packages and not dropped programs.
	Installer bool
	// Script is the script whose #! line started the interpreter.
	Script string
}

// EntryOf returns the server's own file that prog runs.
func EntryOf(prog Program, workdir string) string {
	if !paths.IsSystem(prog.Path) {
		return prog.Path
	}
	if script := ScriptOf(prog.Args, []string{"-c", "-e", "-p", "-m", "--eval", "--print"}); script != "" {
		return paths.Absolute(script, workdir)
	}
	return ""
}
