package rules

// program is what a process executed last.
type program struct {
	path string
	args []string
	// installer is set for the system's package managers: what they write is
	// a package and not a drop.
	installer bool
	// script is what an interpreter was started for by the script itself.
	script string
}

// entryOf is the file of the server's own that prog runs.
func entryOf(prog program, workdir string) string {
	if !isSystem(prog.path) {
		return prog.path
	}
	if script := scriptOf(prog.args, []string{"-c", "-e", "-p", "-m", "--eval", "--print"}); script != "" {
		return absolute(script, workdir)
	}
	return ""
}
