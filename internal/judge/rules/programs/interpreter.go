package programs

import (
	"path"
	"slices"
	"strings"
)

// IsShell reports whether executing p with args starts a command shell.
func IsShell(p string, args []string) bool {
	name := path.Base(p)
	if name == "busybox" {
		return slices.ContainsFunc(args[:min(len(args), 2)], func(a string) bool {
			b := path.Base(a)
			return b == "sh" || b == "ash"
		})
	}
	return known().Shells[name]
}

// IsRuntime reports whether a program of that name runs the code in the file
// that is its first argument.
func IsRuntime(name string) bool {
	for _, prefix := range known().Runtimes {
		if rest, ok := strings.CutPrefix(name, prefix); ok && strings.Trim(rest, ".0123456789") == "" {
			return true
		}
	}
	return false
}

// ScriptOf returns the file an interpreter runs, "" if the code is on the
// command line.
func ScriptOf(args, inline []string) string {
	for _, arg := range args[min(1, len(args)):] {
		switch {
		case slices.Contains(inline, arg):
			return ""
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}
