package clientconfig

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// serverOf turns one entry of a configuration into a server to assess.
func serverOf(l launch, c *config, opts Options) Server {
	s := &starter{config: c, opts: opts, hide: &redact.Values{Seed: opts.Seed}, cwd: c.dir, env: l.env}
	server := Server{Name: safetext.Line(l.name, 100), Problem: l.problem}
	if server.Problem == "" {
		server.Target, server.Problem = s.target(l)
	}
	used := strings.Join(slices.Concat(server.Target.Command, server.Target.Args, server.Target.Env, []string{server.Target.Source}), "\x00")
	server.Replaced, server.Tokens = s.hide.Replaced, s.hide.TokensIn(used)
	return server
}

// starter finds out what a client would start for one server.
type starter struct {
	config *config
	opts   Options
	hide   *redact.Values
	// cwd is the base of relative paths; ownCwd says that the configuration
	// names it.
	cwd    string
	ownCwd bool
	env    []envVar
}

// plan is what to assess.
type plan struct {
	source string
	// command is the whole command in the sandbox without args; nil means that
	// the entry point is to be found.
	command []string
	// args are as in the configuration, with its paths and secrets.
	args []string
	// root is the directory that source names, "" if it is none.
	root string
}

func (s *starter) target(l launch) (mcpsf.Target, string) {
	if len(l.words) == 0 {
		address := s.hide.Value("url", s.fill(l.url))
		return mcpsf.Target{Source: address}, "it is a remote server, and those cannot be assessed yet"
	}
	if l.cwd != "" {
		s.cwd, s.ownCwd = s.absolute(s.fill(l.cwd)), true
	}
	words := make([]string, len(l.words))
	for i, w := range l.words {
		words[i] = s.fill(w)
	}
	words, problem := s.unwrap(words)
	if problem != "" {
		return mcpsf.Target{}, problem
	}
	p, problem := s.plan(words)
	if problem != "" {
		return mcpsf.Target{}, problem
	}
	t := mcpsf.Target{Source: p.source, Command: p.command, Env: s.variables(p)}
	if args := s.arguments(p); t.Command != nil {
		t.Command = append(slices.Clip(t.Command), args...)
	} else {
		t.Args = args
	}
	if strings.ContainsRune(strings.Join(slices.Concat(t.Command, t.Args, t.Env, []string{t.Source}), ""), 0) {
		return mcpsf.Target{}, "its command has a NUL byte in it, which no argument can have"
	}
	return t, ""
}

// plan decides by the name of the program.
func (s *starter) plan(words []string) (plan, string) {
	program := programName(words[0])
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch program {
	case "npx", "bunx", "pnpx":
		return s.npx(words[1:])
	case "npm", "pnpm", "yarn", "bun":
		rest := flags(words[1:], nil, func(string, string) {})
		if len(rest) > 0 && slices.Contains([]string{"exec", "x", "dlx"}, rest[0]) {
			return s.npx(rest[1:])
		}
		if program != "bun" {
			return s.npmRun(program, words[1:])
		}
	case "deno":
		for i, w := range words {
			if spec, ok := strings.CutPrefix(w, "npm:"); ok {
				return s.npmPackage(spec, "", words[i+1:])
			}
		}
	case "uvx":
		return s.uvx(words[1:])
	case "uv":
		return s.uv(words[1:])
	case "pipx":
		if second == "run" {
			return s.uvx(words[2:])
		}
	case "docker", "podman", "nerdctl", "finch":
		return s.container(words[1:])
	case "node", "nodejs":
		return s.node(words)
	case "tsx", "ts-node":
		return s.typeScript(program, words[1:])
	}
	if project.RuntimeNamed(program) == mcpsf.RuntimePython {
		return s.python(words)
	}
	if slices.Contains([]string{"bun", "deno", "java", "dotnet", "go", "cargo", "ruby", "php", "powershell", "pwsh", "docker-compose", "pipx", "sh", "bash", "zsh", "cmd"}, program) {
		return plan{}, fmt.Sprintf("it is started with %s, which mcpsf cannot do for it; assess the server itself: its package, directory or image", program)
	}
	return s.program(words)
}

// programName is the name of a program without path and extension.
func programName(word string) string {
	base := strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:])
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// variables are the server's environment without secrets. Variables that
// describe the user's machine are left out, because the sandbox is another one.
func (s *starter) variables(p plan) []string {
	var env []string
	for _, v := range s.env {
		if slices.Contains([]string{"PATH", "HOME", "USER", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "VIRTUAL_ENV", "TMPDIR", "PWD"}, strings.ToUpper(v.name)) {
			continue
		}
		if v.name == "" || strings.ContainsAny(v.name, "=\x00") || usererr.BadName(v.name) != "" {
			continue
		}
		env = append(env, v.name+"="+s.shown(v.name, s.fill(v.value), p))
	}
	return env
}

// arguments are the server's own, without secrets: after a flag with a secret's
// name, in an assignment, or anywhere if it looks like one.
func (s *starter) arguments(p plan) []string {
	var out []string
	flag := ""
	for i, arg := range p.args {
		name, value, isPair := strings.Cut(arg, "=")
		bare := strings.TrimLeft(name, "-")
		isFlag := strings.HasPrefix(arg, "-") && len(bare) > 0 && !strings.ContainsAny(bare, " /:")
		if flag != "" && redact.IsSecretName(flag) && !strings.HasPrefix(arg, "--") {
			isFlag = false // a secret can begin with a dash
		}
		switch {
		case isFlag && isPair:
			out = append(out, name+"="+s.shown(bare, value, p))
			flag = ""
			continue
		case isFlag && redact.PlainWords(bare):
			out = append(out, arg)
			flag = bare
			continue
		}
		if flag == "" {
			flag = fmt.Sprintf("argument %d", i+1)
		}
		out = append(out, s.shown(flag, arg, p))
		flag = ""
	}
	return out
}

// shown is a value as the server sees it. A path in the copied tree becomes its
// path in the sandbox, and a path in the user's home one in the sandbox's home.
func (s *starter) shown(name, value string, p plan) string {
	if rest, ok := strings.CutPrefix(value, "~"); ok && (rest == "" || rest[0] == '/') {
		return s.hide.Value(name, mcpsf.Home+rest)
	}
	if !filepath.IsAbs(value) {
		return s.hide.Value(name, value)
	}
	resolved, err := filepath.EvalSymlinks(value)
	if err != nil {
		resolved = value // it need not exist
	}
	if rel, ok := below(p.root, resolved); ok {
		return path.Join(mcpsf.WorkDir, rel)
	}
	if rel, ok := below(s.opts.Home, value); ok {
		value = path.Join(mcpsf.Home, rel)
	}
	return s.hide.Value(name, value)
}

// below returns the path of file below dir.
func below(dir, file string) (string, bool) {
	if dir == "" || dir == "/" {
		return "", false
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// absolute is a path as the client would resolve it.
func (s *starter) absolute(file string) string {
	if rest, ok := strings.CutPrefix(file, "~"); ok && (rest == "" || rest[0] == '/') && s.opts.Home != "" {
		return filepath.Join(s.opts.Home, rest)
	}
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(s.cwd, file)
}
