package clientconfig

import (
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/github"
	"github.com/mcpsf/mcpsf/internal/acquire/source/pypi"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

func pythonManifests() []string {
	return []string{"pyproject.toml", "setup.py", "requirements.txt"}
}

// uvValued are uv's flags that take a value.
func uvValued() []string {
	return []string{
		"--from", "--spec", "--with", "-w", "--with-editable", "--with-requirements", "-p", "--python", "--index", "--index-url", "-i", "--extra-index-url",
		"--default-index", "-f", "--find-links", "--directory", "--project", "--env-file", "--cache-dir", "--config-file", "-c", "--constraints",
		"--overrides", "--color", "--refresh-package", "--reinstall-package", "-P", "--upgrade-package", "--prerelease", "--resolution",
		"--exclude-newer", "--link-mode", "--keyring-provider", "--allow-insecure-host", "--python-preference", "--extra", "--group", "--no-group",
		"--only-group", "--package", "-C", "-B", "--pip-args", "-n", "--index-strategy", "--python-platform",
	}
}

// uvx runs a program of a published package; pipx run does the same.
func (s *starter) uvx(words []string) (plan, string) {
	from := ""
	rest := flags(words, uvValued(), func(flag, value string) {
		if flag == "--from" || flag == "--spec" {
			from = value
		}
	})
	switch {
	case len(rest) == 0:
		return plan{}, "its command names no package"
	case from != "":
		return s.pypiPackage(from, rest[0], rest[1:])
	}
	return s.pypiPackage(rest[0], "", rest[1:])
}

// pypiPackage is a package as uvx names it.
func (s *starter) pypiPackage(spec, program string, args []string) (plan, string) {
	p := plan{args: args}
	if _, address, ok := strings.Cut(spec, "@ "); ok {
		spec = strings.TrimSpace(address)
	}
	if redact.IsPath(spec) {
		p, problem := s.localPackage(spec, p)
		if problem != "" || program == "" {
			return p, problem
		}
		return p.installed(".venv/bin/", program)
	}
	if strings.Contains(spec, "://") || strings.HasPrefix(spec, "git") && strings.Contains(spec, ":") {
		var problem string
		if p.source, problem = github.SourceOf(spec, "@"); problem != "" || program == "" {
			return p, problem
		}
		return p.installed(".venv/bin/", program)
	}
	r, err := pypi.ParseRequirement(pypi.Prefix + spec)
	if err != nil {
		return plan{}, "its command names no package that can be"
	}
	p.source = pypi.Prefix + strings.ReplaceAll(spec, " ", "")
	if program != "" && pypi.NormalizeName(program) != r.Name {
		return p.installed(".venv/bin/", program)
	}
	return p, ""
}

// uvRun is the parsed flags of uv run.
type uvRun struct {
	dir, module string
	with        []string
}

func (u *uvRun) flag(name, value string) {
	switch name {
	case "--directory", "--project":
		u.dir = value
	case "--with", "-w":
		u.with = append(u.with, value)
	case "-m", "--module":
		u.module = value
	}
}

// uv is "uv tool run" or "uv run".
func (s *starter) uv(words []string) (plan, string) {
	var u uvRun
	rest := flags(words, uvValued(), u.flag)
	switch {
	case len(rest) > 1 && rest[0] == "tool" && rest[1] == "run":
		return s.uvx(rest[2:])
	case len(rest) == 0 || rest[0] != "run":
		return plan{}, "it is started with uv, but not with uv run; assess its package or directory"
	}
	rest = flags(rest[1:], append(uvValued(), "-m", "--module"), u.flag)
	if u.dir != "" {
		s.cwd, s.ownCwd = s.absolute(u.dir), true
	}
	switch {
	case u.module != "":
		return s.pythonModule(u.module, rest, "")
	case len(rest) == 0:
		return plan{}, "its command names nothing to run"
	case strings.HasSuffix(rest[0], ".py"):
		return u.check(s.script([]string{"python3"}, rest[0], rest[1:], pythonManifests()))
	case strings.HasPrefix(programName(rest[0]), "python"):
		return u.check(s.python(rest))
	case (rest[0] == "mcp" || rest[0] == "fastmcp") && len(rest) > 2 && (rest[1] == "run" || rest[1] == "dev"):
		return s.mcpRun(u, rest)
	case s.ownCwd:
		p, problem := s.localPackage(s.cwd, plan{args: rest[1:]})
		if problem != "" {
			return p, problem
		}
		return p.installed(".venv/bin/", rest[0])
	case len(u.with) > 0:
		return s.pypiPackage(u.with[0], rest[0], rest[1:])
	}
	return plan{}, "it is started with uv run in a directory that its configuration does not name; assess that directory"
}

// mcpRun is "mcp run FILE", which imports the file instead of running it.
func (s *starter) mcpRun(u uvRun, rest []string) (plan, string) {
	file, object, hasObject := strings.Cut(rest[2], ".py:")
	if hasObject {
		file += ".py"
	}
	p, problem := u.check(s.script([]string{".venv/bin/" + rest[0], "run"}, file, rest[3:], pythonManifests()))
	if problem == "" && hasObject {
		p.command[len(p.command)-1] += ":" + object
	}
	return p, problem
}

// check refuses a single script whose packages are named only on the command
// line.
func (u *uvRun) check(p plan, problem string) (plan, string) {
	if problem == "" && p.root == "" && len(u.with) > 0 {
		return plan{}, "its script stands alone and needs packages that only its command names (--with); write them into a requirements.txt beside it"
	}
	return p, problem
}

// python starts a script or a module.
func (s *starter) python(words []string) (plan, string) {
	rest := words[1:]
	command := []string{"python3"}
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		flag := rest[0]
		switch {
		case flag == "-m" && len(rest) > 1:
			return s.pythonModule(rest[1], rest[2:], words[0])
		case flag == "-c" || flag == "-" || flag == "-m" || flag == "-i":
			return plan{}, "its command is a program text for python, not a server's file"
		case (flag == "-W" || flag == "-X") && len(rest) > 1:
			command = append(command, s.arguments(plan{args: rest[:2]})...)
			rest = rest[2:]
		default:
			command = append(command, s.arguments(plan{args: rest[:1]})...)
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return plan{}, "its command names no script for python"
	}
	return s.script(command, rest[0], rest[1:], pythonManifests())
}

var moduleForm = lazyregexp.New(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)

// pythonModule is a module in a directory that the configuration names: as
// working directory, in PYTHONPATH, or as the location of a virtual
// environment. interpreter is the one that runs it, "" for none of its own.
func (s *starter) pythonModule(module string, args []string, interpreter string) (plan, string) {
	if !moduleForm.MatchString(module) {
		return plan{}, "its command names no Python module"
	}
	var dirs []string
	if s.ownCwd {
		dirs = append(dirs, s.cwd)
	}
	for _, v := range s.env {
		if v.name == "PYTHONPATH" {
			dirs = append(dirs, filepath.SplitList(s.fill(v.value))...)
		}
	}
	if bin := filepath.Dir(interpreter); filepath.IsAbs(bin) && isFile(filepath.Join(filepath.Dir(bin), "pyvenv.cfg")) {
		dirs = append(dirs, filepath.Dir(filepath.Dir(bin)))
	}
	for _, dir := range dirs {
		dir = s.absolute(dir)
		if root := s.projectRoot(dir, pythonManifests()); root != "" {
			dir = root
		}
		p, problem := s.localPackage(dir, plan{command: []string{"python3", "-m", module}, args: args})
		if problem == "" && p.root != "" {
			return p, ""
		}
	}
	name := strings.ReplaceAll(module[:max(strings.IndexByte(module+".", '.'), 0)], "_", "-")
	return plan{}, "it is a module of this machine's Python (" + usererr.Quote(module) + "); assess the package it comes from, perhaps: mcpsf assess " + usererr.ShellWord(pypi.Prefix+name)
}
