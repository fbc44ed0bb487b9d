package rules

import (
	"path"
	"strconv"
	"strings"
)

// ownVariables tells whether a process opens the list of its own variables,
// and not because it lists those of all.
func ownVariables(f *fields) bool {
	if isSystem(f.Program) && listsProcesses(path.Base(f.Program)) {
		return false
	}
	rest, ok := strings.CutPrefix(f.Path, "/proc/")
	who, what, _ := strings.Cut(rest, "/")
	return ok && path.Base(what) == "environ" && (who == "self" || who == "thread-self" || who == strconv.Itoa(f.pid))
}
