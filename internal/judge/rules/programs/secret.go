package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// NameOf returns the name under which prog is one of the programs, if it
// is the system's. A script counts as its interpreter's first argument:
// "node /usr/bin/npm install".
func NameOf(prog Program, programs []string) (string, bool) {
	if !paths.IsSystem(prog.Path) {
		return "", false
	}
	name := path.Base(prog.Path)
	if IsRuntime(name) && len(prog.Args) > 1 {
		script := path.Clean(prog.Args[1])
		if !paths.IsSystem(script) {
			return "", false
		}
		name = strings.TrimSuffix(strings.TrimSuffix(path.Base(script), ".js"), "-cli")
		if name == "__pip-runner__.py" || name == "__main__.py" {
			name = path.Base(path.Dir(script)) // a package that is started as a whole
		}
	}
	return name, slices.Contains(programs, name)
}

// PointedAt tells whether the arguments name the secret's file. The program
// that keeps a secret knows where it is; one that is pointed at the file reads
// it as it would any other ("curl file:///home/dev/.netrc", "git diff
// --no-index"). Options that say which key to use are the exception.
func PointedAt(args []string, secret string) bool {
	name := path.Base(secret)
	if parent := path.Base(path.Dir(secret)); name == "config" || name == "credentials" {
		name = parent + "/" + name // alone it is a word like any other
	}
	for i, arg := range args {
		if i == 0 || !namesFile(arg, name) {
			continue
		}
		option, _, inOne := strings.Cut(arg, "=")
		if !inOne {
			option = args[i-1]
		}
		if !choosesKey(option) {
			return true
		}
	}
	return false
}

// namesFile finds the file's name in an argument: alone, at the end of a
// path, or behind the signs that lead to one ("@file", "x=file", "HEAD:file").
func namesFile(arg, name string) bool {
	before, ok := strings.CutSuffix(arg, name)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "/=@:,<"))
}

func choosesKey(option string) bool { return known().KeyOptions[option] }

// PrintsSecrets knows the arguments that make these programs hand a secret
// to whoever asks: "git credential fill", "aws configure get", "yarn config
// list", "kubectl config view", "gh auth token", "gcloud auth print-...".
func PrintsSecrets(program, arg string) bool {
	switch arg {
	case "config":
		return program != "npm" && program != "git" // these two keep theirs back
	case "credential", "configure", "token", "auth", "export-credentials":
		return true
	}
	return strings.HasPrefix(arg, "print-")
}

// Installers are the programs that put packages in place.
func Installers() []string { return known().Installers }
