package entry

import "strings"

// means is what a command line starts.
type means uint8

const (
	meansNothing means = iota
	meansPackage       // a published package: npx NAME, uvx NAME
	meansTool          // a program of the package: mcp-server-git
	meansModule        // python -m NAME
	meansScript        // a file: node dist/index.js
	meansImage         // a container image
)

// launch is a parsed command line: what is started, and which of the rest are
// the server's own arguments.
type launch struct {
	by      means
	manager string // "npm", "pip", or "" if any
	// names are what is started; several for "uvx --from PACKAGE TOOL".
	names []string
	args  []string
	env   []Var
}

// unwrap parses a snippet. It unwraps commands inside commands, a few levels
// deep.
func unwrap(s Snippet) launch { return unwrapDeep(s, 4) }

func unwrapDeep(s Snippet, depth int) launch {
	l := launch{args: s.Args, env: s.Env}
	name := programName(s.Command)
	if depth == 0 {
		return launch{}
	}
	switch name {
	case "":
		return unknownLauncher(s, depth)
	case "cmd", "sh", "bash", "zsh", "powershell", "pwsh":
		return inShell(s, depth)
	case "env", "sudo", "wsl", "command", "exec":
		vars, words := leadingVars(s.Args)
		return again(words, append(vars, s.Env...), depth)
	case "npx", "bunx", "pnpx":
		return l.npx(depth)
	case "npm", "pnpm", "yarn", "bun":
		return l.npmRun(name, depth)
	case "deno":
		return l.deno()
	case "uvx":
		return l.uvx()
	case "uv":
		return l.uv()
	case "pipx":
		return l.pipx()
	case "docker", "podman", "nerdctl":
		return l.docker()
	case "node", "nodejs", "tsx", "ts-node":
		return l.script("npm", nodeValueOptions)
	case "python", "python3", "py":
		return l.python()
	}
	if strings.HasPrefix(name, "python3.") {
		return l.python()
	}
	l.by, l.names = meansTool, []string{name}
	return l
}

// again unwraps the command inside a command.
func again(words []string, env []Var, depth int) launch {
	if len(words) == 0 {
		return launch{}
	}
	return unwrapDeep(Snippet{Command: words[0], Args: words[1:], Env: env}, depth-1)
}

// unknownLauncher handles a list of arguments without a command: it is useful
// only if the package is in it.
func unknownLauncher(s Snippet, depth int) launch {
	s.Command = "uvx"
	if len(s.Args) > 0 && (s.Args[0] == "-y" || strings.HasPrefix(s.Args[0], "@")) {
		s.Command = "npx"
	}
	return unwrapDeep(s, depth)
}

// inShell reads cmd /c COMMAND... and sh -c "COMMAND...".
func inShell(s Snippet, depth int) launch {
	for i, arg := range s.Args {
		switch {
		case strings.EqualFold(arg, "/c") || strings.EqualFold(arg, "/k"):
			return again(s.Args[i+1:], s.Env, depth)
		case strings.HasPrefix(arg, "-") && strings.HasSuffix(strings.ToLower(arg), "c") || strings.EqualFold(arg, "-Command"):
			if i+1 == len(s.Args) {
				return launch{}
			}
			commands := shellCommands(s.Args[i+1])
			if len(commands) == 0 {
				return launch{}
			}
			vars, words := leadingVars(commands[len(commands)-1])
			return again(words, append(vars, s.Env...), depth)
		}
	}
	return launch{}
}

// options skips the launcher's own options. It returns the first word that is
// none, the words after it, and the values of the options in keep. valued lists
// the options that take a value.
func options(args []string, valued, keep string) (word string, rest, kept []string) {
	is := func(list, name string) bool { return strings.Contains(list, " "+name+" ") }
	for i := 0; i < len(args); i++ {
		name, option, hasValue := cutOption(args[i])
		switch {
		case args[i] == "--":
			if i+1 < len(args) {
				return args[i+1], args[i+2:], kept
			}
			return "", nil, kept
		case !option:
			return args[i], args[i+1:], kept
		case hasValue:
			if is(keep, name) {
				kept = append(kept, args[i][len(name)+1:])
			}
		case is(valued, name) && i+1 < len(args):
			i++
			if is(keep, name) {
				kept = append(kept, args[i])
			}
		}
	}
	return "", nil, kept
}
