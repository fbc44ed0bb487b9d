package entry

import (
	"slices"
	"strings"
)

// ServerJSON reads the packages of an MCP registry's server.json that use
// standard streams, each as the command that a client would run.
func ServerJSON(data []byte) []Snippet {
	budget := maxNodes
	var all []Snippet
	for _, top := range readLoose(capped(data), 1, &budget) {
		for _, server := range top.kids {
			all = append(all, registryPackages(server)...)
		}
	}
	return all[:min(len(all), maxSnippets)]
}

func registryPackages(server *node) []Snippet {
	list := server.field("packages")
	if list == nil {
		return nil
	}
	var all []Snippet
	for _, p := range list.kids {
		transport := p.field("transport")
		if transport != nil && transport.string("type") != "" && transport.string("type") != "stdio" {
			continue
		}
		if s, ok := registryPackage(p); ok {
			all = append(all, s)
		}
	}
	return all
}

func registryPackage(p *node) (Snippet, bool) {
	name := p.string("identifier", "name")
	s := Snippet{Line: p.line, config: true}
	switch p.string("registryType", "registry_type", "registry_name") {
	case "npm":
		s.Command, s.Args = "npx", []string{name}
	case "pypi":
		s.Command, s.Args = "uvx", []string{name}
	case "oci", "docker":
		s.Command, s.Args = "docker", []string{"run", name}
	default:
		return s, false
	}
	if list := p.field("packageArguments", "package_arguments"); list != nil {
		for _, arg := range list.kids[:min(len(list.kids), maxArgs)] {
			s.Args = append(s.Args, registryArgument(arg)...)
		}
	}
	if list := p.field("environmentVariables", "environment_variables"); list != nil {
		for _, v := range list.kids[:min(len(list.kids), maxVars)] {
			s.Env = append(s.Env, registryVariable(v)...)
		}
	}
	return s, name != "" && len(s.Args) <= maxArgs
}

// registryArgument leaves out optional arguments.
func registryArgument(arg *node) []string {
	name := arg.string("name")
	named := arg.string("type") == "named" || strings.HasPrefix(name, "-")
	value, given := registryValue(arg)
	if !given && arg.string("isRequired", "is_required") != "true" {
		return nil
	}
	if !named {
		return []string{value}
	}
	if name == "" {
		return nil
	}
	if !strings.HasPrefix(name, "-") {
		name = "--" + name
	}
	if arg.string("format") == "boolean" && value != "false" || value == "" {
		return []string{name}
	}
	return []string{name, value}
}

// registryVariable takes a secret for required unless its author says that it
// is not, because many forget to mark it.
func registryVariable(v *node) []Var {
	value, given := registryValue(v)
	secret := v.string("isSecret", "is_secret") == "true"
	required := v.string("isRequired", "is_required")
	if !isVarName(v.string("name")) || !given && required != "true" && (!secret || required == "false") {
		return nil
	}
	return []Var{{Name: v.string("name"), Value: value, Secret: secret && !given}}
}

// registryValue is the value of an argument or variable, or a placeholder that
// describes it. given is set if the author fixed it.
func registryValue(n *node) (value string, given bool) {
	if value := n.string("value"); value != "" {
		return registryVariables(value, n.field("variables")), true
	}
	if value := n.string("default"); value != "" {
		return value, false
	}
	if choices := n.field("choices"); choices != nil && len(scalars(choices)) > 0 {
		return choose(scalars(choices)), false
	}
	hint := n.string("placeholder", "valueHint", "value_hint", "name")
	hint = strings.Trim(hint, "<>{}[]-")
	switch n.string("format") {
	case "filepath":
		hint = "path " + hint
	case "number":
		hint = "number " + hint
	case "boolean":
		return "true", false
	}
	if strings.Contains(hint, "://") || isPath(hint) {
		return hint, false
	}
	return "<" + hint + ">", false
}

// registryVariables puts the values of {variables} into an argument.
func registryVariables(value string, vars *node) string {
	if vars == nil {
		return value
	}
	var pairs []string
	for i, name := range vars.keys[:min(len(vars.keys), maxVars)] {
		inner, _ := registryValue(vars.kids[i])
		if inner == "<>" {
			inner = "<" + name + ">"
		}
		pairs = append(pairs, "{"+name+"}", inner)
	}
	return strings.NewReplacer(pairs...).Replace(value)
}

// string returns a scalar field's value, "" if there is none.
func (n *node) string(names ...string) string {
	if f := n.field(names...); f != nil && f.kind <= kindWord {
		return f.value()
	}
	return ""
}

// Dockerfile reads how the last stage of an image is started.
func Dockerfile(data []byte) (Snippet, bool) {
	var entrypoint, cmd []string
	var env []Var
	line, n := "", 0
	start := 0
	for raw := range strings.SplitSeq(capped(data), "\n") {
		n++
		part := strings.TrimSpace(raw)
		if strings.HasPrefix(part, "#") || line != "" && len(line) > maxValue {
			continue
		}
		if rest, ok := strings.CutSuffix(part, `\`); ok {
			line += rest + " "
			continue
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line+part), " ")
		line = ""
		switch strings.ToUpper(verb) {
		case "FROM":
			entrypoint, cmd, env = nil, nil, nil
		case "ENTRYPOINT":
			entrypoint, cmd, start = dockerCommand(rest), nil, n
		case "CMD":
			cmd = dockerCommand(rest)
			if entrypoint == nil {
				start = n
			}
		case "ENV":
			env = append(env, dockerVariables(rest)...)
		}
	}
	command := slices.Concat(entrypoint, cmd)
	if len(command) == 0 || len(command) > maxArgs {
		return Snippet{}, false
	}
	return Snippet{Command: command[0], Args: command[1:], Env: env[:min(len(env), maxVars)], Line: start, config: true}, true
}

// dockerCommand reads both forms of a command.
func dockerCommand(text string) []string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") {
		return shellWords(text)
	}
	budget := maxArgs * 2
	for _, top := range readLoose(text, 1, &budget) {
		for _, list := range top.kids {
			return scalars(list)
		}
	}
	return nil
}

// dockerVariables reads ENV K=V... and the older ENV K V.
func dockerVariables(text string) []Var {
	vars, rest := leadingVars(shellWords(text))
	if len(vars) == 0 && len(rest) > 1 && isVarName(rest[0]) {
		return []Var{{Name: rest[0], Value: strings.Join(rest[1:], " ")}}
	}
	return vars
}
