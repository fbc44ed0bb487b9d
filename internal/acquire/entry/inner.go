package entry

import (
	"slices"
	"strings"
)

// Inner returns what a launcher starts, as it is started once it is installed: the
// command inside of npx, uvx, uv run and the like. pkg is the package that the
// launcher would fetch, "" if it runs something in the project's own environment. The
// first word is "" for the package's own program. ok is false for everything else.
func Inner(command []string) (pkg string, words []string, ok bool) {
	if len(command) < 2 {
		return "", nil, false
	}
	args := command[1:]
	switch programName(command[0]) {
	case "npx", "bunx", "pnpx":
		return innerNPX(args)
	case "npm", "pnpm", "yarn", "bun":
		if verb := args[0]; verb == "exec" || verb == "dlx" || verb == "x" {
			return innerNPX(args[1:])
		}
	case "uvx":
		return innerUVX(args, " --from ")
	case "pipx":
		if args[0] == "run" {
			return innerUVX(args[1:], " --spec ")
		}
	case "uv":
		verb, rest, _ := options(args, uvValueOptions, "")
		switch {
		case verb == "tool" && len(rest) > 0 && rest[0] == "run":
			return innerUVX(rest[1:], " --from ")
		case verb == "run":
			words = innerUVRun(rest)
			return "", words, len(words) > 0
		}
	case "poetry", "pdm", "pipenv", "hatch":
		if args[0] == "run" && len(args) > 1 {
			return "", args[1:], true
		}
	}
	return "", nil, false
}

func innerNPX(args []string) (pkg string, words []string, ok bool) {
	program, rest, packages := options(args, npxValueOptions, " -p --package ")
	if program == "" {
		return "", nil, false
	}
	if len(packages) > 0 {
		return npmName(packages[0]), append([]string{program}, rest...), true
	}
	return npmName(program), append([]string{""}, rest...), true
}

func innerUVX(args []string, from string) (pkg string, words []string, ok bool) {
	program, rest, packages := options(args, uvValueOptions+"--spec --pip-args ", from)
	if program == "" {
		return "", nil, false
	}
	program = pipName(program)
	pkg = program
	if len(packages) > 0 {
		pkg = pipName(packages[0])
	}
	return pkg, append([]string{program}, rest...), true
}

// innerUVRun reads what follows uv run: a program, a script, or -m and a module.
func innerUVRun(args []string) []string {
	if i := slices.IndexFunc(args, func(a string) bool { return a == "-m" || a == "--module" }); i >= 0 && i+1 < len(args) {
		if word, _, _ := options(args[:i], uvValueOptions, ""); word == "" {
			return append([]string{"python3", "-m"}, args[i+1:]...)
		}
	}
	program, rest, _ := options(args, uvValueOptions, "")
	switch {
	case program == "":
		return nil
	case strings.HasSuffix(program, ".py"):
		return append([]string{"python3", program}, rest...)
	}
	return append([]string{program}, rest...)
}
