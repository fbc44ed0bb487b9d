package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// NameOf returns the name of prog if it is a system program, and whether it is
// one of programs. A script counts as the program: "node /usr/bin/npm install".
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
			name = path.Base(path.Dir(script)) // a package that is run as a module
		}
	}
	return name, slices.Contains(programs, name)
}

// PointedAt tells whether the arguments name the secret's file. A program that
// stores a secret knows its path; one that is given the path reads it like any
// other file ("curl file:///home/dev/.netrc", "git diff --no-index"). Options
// that choose a key do not count.
func PointedAt(args []string, secret string) bool {
	name := path.Base(secret)
	if parent := path.Base(path.Dir(secret)); name == "config" || name == "credentials" {
		name = parent + "/" + name // the name alone is an ordinary word
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

// namesFile tells whether an argument ends in the file's name: alone, after a
// path, or after a separator ("@file", "x=file", "HEAD:file").
func namesFile(arg, name string) bool {
	before, ok := strings.CutSuffix(arg, name)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "/=@:,<"))
}

func choosesKey(option string) bool { return known().KeyOptions[option] }

// PrintsSecrets tells whether an argument makes a program print a secret: "git
// credential fill", "aws configure get", "yarn config list", "kubectl config
// view", "gh auth token", "gcloud auth print-...".
func PrintsSecrets(program, arg string) bool {
	switch arg {
	case "config":
		return program != "npm" && program != "git" // these two do not print theirs
	case "credential", "configure", "token", "auth", "export-credentials":
		return true
	}
	return strings.HasPrefix(arg, "print-")
}

// Installers are the programs that install packages.
func Installers() []string { return known().Installers }
