package entry

import (
	"path"
	"strings"
)

// means says what a command line names to be started.
type means uint8

const (
	meansNothing means = iota
	meansPackage       // a published package: npx NAME, uvx NAME
	meansTool          // a program the package brings: mcp-server-git
	meansModule        // python -m NAME
	meansScript        // a file: node dist/index.js
	meansImage         // a container image
)

// launch is a command line taken apart: what is started, and what of the rest
// is the server's own.
type launch struct {
	by      means
	manager string // "npm", "pip", or "" if any
	// names are what is started; several for "uvx --from PACKAGE TOOL".
	names []string
	args  []string
	env   []Var
}

// unwrap takes a snippet apart. Commands around commands are looked through,
// a few deep.
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

// unknownLauncher is for a list of arguments without a command: the package
// is in it, or it is of no use.
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

// options steps over the launcher's own options. It returns the first word
// that is none, the words after it, and the values of the options named in
// keep. valued lists the options that take a value.
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

const (
	npxValueOptions  = " -p --package -c --call --registry --node-options -w --workspace --prefix "
	uvValueOptions   = " --from --with --with-editable --python -p --index --index-url --default-index --extra-index-url --index-strategy --prerelease --resolution --directory --project --env-file --cache-dir --refresh-package --exclude-newer --link-mode --group --extra "
	nodeValueOptions = " -r --require --import --loader --experimental-loader --env-file "
)

func (l launch) npx(depth int) launch {
	spec, rest, packages := options(l.args, npxValueOptions, " -p --package ")
	if spec == "" {
		return launch{}
	}
	if npmName(spec) == "@modelcontextprotocol/inspector" {
		return inspected(rest, l.env, depth)
	}
	l.by, l.manager, l.args = meansPackage, "npm", rest
	if len(packages) > 0 {
		l.names = []string{npmName(packages[0]), spec}
		return l
	}
	l.names = []string{npmName(spec)}
	return l
}

// inspected is the command that the MCP inspector is asked to look at.
func inspected(args []string, env []Var, depth int) launch {
	command, rest, vars := options(args, " -e --config --server --transport ", " -e ")
	for _, text := range vars {
		if v, ok := assignment(text); ok {
			env = append(env, v)
		}
	}
	l := again(append([]string{command}, rest...), env, depth)
	if l.by == meansNothing || command == "" {
		return launch{by: meansPackage, manager: "npm", names: []string{"@modelcontextprotocol/inspector"}, args: args, env: env}
	}
	return l
}

func (l launch) npmRun(program string, depth int) launch {
	if len(l.args) == 0 {
		return launch{}
	}
	verb := l.args[0]
	l.args = l.args[1:]
	switch {
	case verb == "dlx" || verb == "exec" || verb == "x":
		l = l.npx(depth)
		if program == "npm" && len(l.args) > 0 && l.args[0] == "--" {
			l.args = l.args[1:]
		}
		return l
	case program == "bun" && (verb == "run" || strings.HasSuffix(verb, ".js") || strings.HasSuffix(verb, ".ts")):
		if verb != "run" {
			l.args = append([]string{verb}, l.args...)
		}
		return l.script("npm", "")
	}
	return launch{}
}

func (l launch) deno() launch {
	if len(l.args) == 0 || l.args[0] != "run" {
		return launch{}
	}
	spec, rest, _ := options(l.args[1:], "", "")
	spec, ok := strings.CutPrefix(spec, "npm:")
	if !ok {
		return launch{}
	}
	l.by, l.manager, l.names, l.args = meansPackage, "npm", []string{npmName(spec)}, rest
	return l
}

func (l launch) uvx() launch {
	tool, rest, from := options(l.args, uvValueOptions, " --from ")
	if tool == "" {
		return launch{}
	}
	l.by, l.manager, l.args = meansPackage, "pip", rest
	l.names = []string{pipName(tool)}
	if len(from) > 0 {
		l.names = []string{pipName(from[0]), tool}
	}
	return l
}

func (l launch) uv() launch {
	verb, rest, _ := options(l.args, uvValueOptions, "")
	l.args = rest
	switch {
	case verb == "tool" && len(rest) > 0 && rest[0] == "run":
		l.args = rest[1:]
		return l.uvx()
	case verb != "run":
		return launch{}
	}
	for i, arg := range rest {
		if arg == "-m" || arg == "--module" {
			l.args = rest[i:]
			return l.python()
		}
		if !strings.HasPrefix(arg, "-") {
			break
		}
	}
	name, rest, _ := options(rest, uvValueOptions, "")
	switch {
	case programName(name) == "python" || programName(name) == "python3":
		l.args = rest
		return l.python()
	case strings.HasSuffix(name, ".py"):
		l.args = append([]string{name}, rest...)
		return l.script("pip", "")
	}
	l.by, l.manager, l.names, l.args = meansTool, "pip", []string{name}, rest
	return l
}

func (l launch) pipx() launch {
	if len(l.args) == 0 || l.args[0] != "run" {
		return launch{}
	}
	tool, rest, spec := options(l.args[1:], " --spec --python --index-url --pip-args ", " --spec ")
	l.by, l.manager, l.args, l.names = meansPackage, "pip", rest, []string{pipName(tool)}
	if len(spec) > 0 {
		l.names = []string{pipName(spec[0]), tool}
	}
	return l
}

func (l launch) python() launch {
	for i, arg := range l.args {
		if arg == "-m" || arg == "--module" {
			if i+1 == len(l.args) {
				return launch{}
			}
			module, _, _ := strings.Cut(l.args[i+1], ".")
			l.by, l.manager, l.names, l.args = meansModule, "pip", []string{module}, l.args[i+2:]
			return l
		}
		if !strings.HasPrefix(arg, "-") {
			break
		}
	}
	return l.script("pip", " -X -W ")
}

func (l launch) script(manager, valued string) launch {
	file, rest, _ := options(l.args, valued, "")
	if file == "" {
		return launch{}
	}
	l.by, l.manager, l.args = meansScript, manager, rest
	l.names = []string{strings.ReplaceAll(file, `\`, "/")}
	return l
}

const dockerValueOptions = " -e --env -v --volume --mount -p --publish --name --network --net -w --workdir -u --user --entrypoint --platform --add-host --env-file --pull -l --label -m --memory --cpus --restart -h --hostname --gpus --device --tmpfs --cap-add --cap-drop --security-opt --shm-size --log-driver --stop-timeout "

func (l launch) docker() launch {
	if len(l.args) == 0 || l.args[0] != "run" {
		return launch{}
	}
	image, rest, vars := options(l.args[1:], dockerValueOptions, " -e --env ")
	if image == "" {
		return launch{}
	}
	known := map[string]bool{}
	for _, v := range l.env {
		known[v.Name] = true
	}
	env := l.env
	for _, text := range vars {
		name, value, _ := strings.Cut(text, "=")
		if isVarName(name) && !known[name] {
			env = append(env[:len(env):len(env)], Var{Name: name, Value: value})
		}
	}
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	l.by, l.names, l.args, l.env = meansImage, []string{path.Base(image)}, rest, env
	return l
}

// npmName is the package in "name@1.2.3", "npm:name", "github:owner/name".
func npmName(spec string) string {
	spec = strings.TrimPrefix(spec, "npm:")
	if rest, ok := strings.CutPrefix(spec, "github:"); ok {
		spec = path.Base(rest)
	}
	if i := strings.LastIndexByte(spec, '@'); i > 0 {
		spec = spec[:i]
	}
	return spec
}

// pipName is the package in "name[extra]>=1.0", "name@latest" and
// "git+https://host/owner/name.git@ref".
func pipName(spec string) string {
	if strings.Contains(spec, "://") {
		_, rest, _ := strings.Cut(spec, "://")
		rest, _, _ = strings.Cut(rest, "#")
		base := path.Base(rest)
		base, _, _ = strings.Cut(base, "@")
		return strings.TrimSuffix(base, ".git")
	}
	if i := strings.IndexAny(spec, "[=<>!~@; "); i >= 0 {
		spec = spec[:i]
	}
	return spec
}
