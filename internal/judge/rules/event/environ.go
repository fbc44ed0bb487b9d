package event

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// OwnVariables tells whether a process opens the file with its own variables,
// and does not do so because it lists all processes.
func OwnVariables(f *Fields) bool {
	if paths.IsSystem(f.Program) && programs.ListsProcesses(path.Base(f.Program)) {
		return false
	}
	rest, ok := strings.CutPrefix(f.Path, "/proc/")
	who, what, _ := strings.Cut(rest, "/")
	return ok && path.Base(what) == "environ" && (who == "self" || who == "thread-self" || who == strconv.Itoa(f.PID))
}
