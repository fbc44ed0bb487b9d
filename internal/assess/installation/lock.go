package installation

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// noteLock records whether the author's lock file was obeyed, and if not, why.
func noteLock(a *mcpsf.Installation, in *mcpsf.Install, unlocked bool) {
	lock := in.Lock
	switch {
	case lock == nil:
		return
	case lock.Problem != "":
		a.Unlocked = lock.File + " was not obeyed: " + lock.Problem
	case !in.Locked:
		return // of a published package, which nobody installs by it
	case unlocked:
		a.Unlocked = lock.File + " was not obeyed" + because(a.Output)
	case len(lock.Elsewhere) > 0:
		a.Lock = lock.File
		a.Unlocked = fmt.Sprintf("%s was obeyed except for what comes from no registry: %s", lock.File, firstNames(lock.Elsewhere))
	default:
		a.Lock = lock.File
	}
	if a.Unlocked != "" {
		a.Notes = append(a.Notes, a.Unlocked)
	}
}

// because is what the package manager said about the lock file.
func because(output string) string {
	said, _, ok := strings.Cut(output, install.Separator)
	if reason := listener.Reason(said); ok && reason != "" {
		return ": " + reason
	}
	return ", because an installation by it failed"
}

// firstNames lists the first names and counts the others.
func firstNames(names []string) string {
	// no gap: bounds a message
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += " and " + wording.Count(more, "other package")
	}
	return text
}
