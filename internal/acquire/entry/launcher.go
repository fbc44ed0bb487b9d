package entry

import (
	"path"
	"slices"
	"strings"
)

// The options of the launchers that take a value.
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

// inspected is the command that the MCP inspector is given.
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
			env = append(slices.Clip(env), Var{Name: name, Value: value})
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
