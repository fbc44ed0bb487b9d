package assess

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// ourInstaller is the process that starts the package manager, in a shell of ours.
const ourInstaller = 1

// ranInstallScript tells whether the installation ran a script of a package: npm
// does so in a shell. The first process is ours. It could read the secrets, and it runs once, so that what it
// left is the same in starts with other secrets.
func ranInstallScript(events []mcpsf.Event) bool {
	return slices.ContainsFunc(events, func(e mcpsf.Event) bool {
		if e.Phase != mcpsf.PhaseInstall || e.Kind != mcpsf.KindProcessExec || e.PID == ourInstaller || e.Process == nil || len(e.Process.Args) < 3 {
			return false
		}
		shell := path.Base(e.Process.Args[0])
		return (shell == "sh" || shell == "bash") && e.Process.Args[1] == "-c"
	})
}
