package clientconfig

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/github"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// npx parses the arguments of npx and its equivalents in other package
// managers.
func (s *starter) npx(words []string) (plan, string) {
	var packages []string
	call := ""
	rest := flags(words, []string{
		"-p", "--package", "-c", "--call", "--registry", "--prefix", "--cache", "--userconfig", "-w", "--workspace", "-n", "--node-arg",
		"--node-options", "--loglevel", "--shell",
	}, func(flag, value string) {
		switch flag {
		case "-p", "--package":
			packages = append(packages, value)
		case "-c", "--call":
			call = value
		}
	})
	if call != "" {
		words, ok := splitWords(call)
		if !ok {
			return plan{}, "its command is a program for a shell, which cannot be taken apart"
		}
		rest = words
	}
	switch {
	case len(rest) == 0 && len(packages) == 0:
		return plan{}, "its command names no package"
	case len(rest) == 0:
		return s.npmPackage(packages[0], "", nil)
	case len(packages) > 0:
		return s.npmPackage(packages[0], rest[0], rest[1:])
	case rest[0] == "tsx" || rest[0] == "ts-node":
		return s.typeScript(rest[0], rest[1:])
	}
	return s.npmPackage(rest[0], "", rest[1:])
}

// flags skips the leading flags and returns what follows them. found gets those
// with a value.
func flags(words, valued []string, found func(flag, value string)) []string {
	for len(words) > 0 {
		word := words[0]
		if word == "--" {
			return words[1:]
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			return words
		}
		words = words[1:]
		if name, value, ok := strings.Cut(word, "="); ok {
			found(name, value)
		} else if slices.Contains(valued, word) && len(words) > 0 {
			found(word, words[0])
			words = words[1:]
		}
	}
	return nil
}

var (
	npmName         = lazyregexp.New(`^((?:@[A-Za-z0-9~-][\w.~-]*/)?[A-Za-z0-9_~][\w.~-]*)(?:@([\w.~^<>=*+|-]+))?$`)
	githubShorthand = lazyregexp.New(`^[\w-]+/[\w.-]+(#.*)?$`)
	packageProgram  = lazyregexp.New(`^[\w@+][\w@.+-]{0,99}$`)
)

// npmPackage is a package as npx names it: usually by name, but anything
// installable is accepted. program is the program to start, "" for the
// package's own.
func (s *starter) npmPackage(spec, program string, args []string) (plan, string) {
	if _, alias, ok := strings.Cut(spec, "@npm:"); ok {
		spec = alias
	}
	spec = strings.TrimPrefix(spec, "npm:")
	p := plan{args: args}
	if dir, ok := strings.CutPrefix(spec, "file:"); ok || redact.IsPath(spec) {
		return s.localPackage(dir, p)
	}
	if m := npmName.FindStringSubmatch(spec); m != nil {
		p.source = "npm:" + spec
		if program != "" && program != project.Unscoped(m[1]) && program != m[1] {
			return p.installed("node_modules/.bin/", program)
		}
		return p, ""
	}
	if githubShorthand.MatchString(spec) {
		spec = "github:" + spec
	}
	if !strings.Contains(spec, ":") {
		return plan{}, "its command names no package that can be"
	}
	var problem string
	if p.source, problem = github.SourceOf(spec, "#"); problem != "" || program == "" {
		return p, problem
	}
	return p.installed("node_modules/.bin/", program)
}

// installed starts a program that the installation puts into dir.
func (p plan) installed(dir, program string) (plan, string) {
	if !packageProgram.MatchString(program) {
		return plan{}, "its command names no program that a package could have"
	}
	p.command = []string{dir + program}
	return p, ""
}

// localPackage is a directory or archive that is installed as a package.
func (s *starter) localPackage(dir string, p plan) (plan, string) {
	at := s.absolute(dir)
	resolved, err := filepath.EvalSymlinks(at)
	if err != nil {
		return plan{}, "its directory " + showFile(dir) + " does not exist"
	}
	if s.forbidden(resolved) {
		return plan{}, "its directory " + showFile(dir) + " is a home, or holds one; give the server a directory of its own"
	}
	p.source = resolved
	if !isFile(resolved) {
		p.root = resolved
	}
	return p, ""
}

// npmRun starts a script of the package.json in a directory.
func (s *starter) npmRun(program string, words []string) (plan, string) {
	dir := ""
	skip := func(words []string) []string {
		return flags(words, []string{"--prefix", "-C", "--dir", "--cwd", "--loglevel"}, func(flag, value string) {
			if slices.Contains([]string{"--prefix", "-C", "--dir", "--cwd"}, flag) {
				dir = value
			}
		})
	}
	rest := skip(words)
	if len(rest) > 1 && (rest[0] == "run" || rest[0] == "run-script") {
		rest = skip(rest[1:])
	}
	if len(rest) == 0 {
		return plan{}, "its command names no script for " + program
	}
	script, args := rest[0], skip(rest[1:])
	if dir == "" && !s.ownCwd {
		return plan{}, fmt.Sprintf("it is started with %s in a directory that its configuration does not name; assess that directory", program)
	}
	p, problem := s.localPackage(cmp.Or(dir, s.cwd), plan{args: args})
	if problem == "" && script != "start" {
		p.command = []string{"npm", "run", script, "--"}
	}
	return p, problem
}

// node starts a script; the flags before it are kept.
func (s *starter) node(words []string) (plan, string) {
	rest := words[1:]
	command := []string{"node"}
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		flag := rest[0]
		if slices.Contains([]string{"-e", "--eval", "-p", "--print", "-", "-i"}, flag) {
			return plan{}, "its command is a program text for node, not a server's file"
		}
		n := 1
		if slices.Contains([]string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file", "--max-old-space-size"}, flag) {
			n = 2
		}
		n = min(n, len(rest))
		if flag != "--" && !strings.HasPrefix(flag, "--env-file") {
			command = append(command, s.arguments(plan{args: rest[:n]})...)
		}
		rest = rest[n:]
	}
	if len(rest) == 0 {
		return plan{}, "its command names no script for node"
	}
	return s.script(command, rest[0], rest[1:], []string{"package.json"})
}

// typeScript starts a script through a program of the project.
func (s *starter) typeScript(program string, words []string) (plan, string) {
	rest := flags(words, []string{"--tsconfig", "-P", "--project", "-r", "--require", "--import"}, func(string, string) {})
	if len(rest) > 0 && rest[0] == "watch" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return plan{}, "its command names no script for " + program
	}
	p, problem := s.script([]string{"node_modules/.bin/" + program}, rest[0], rest[1:], []string{"package.json"})
	if problem == "" && p.root == "" {
		return plan{}, "it is TypeScript without a package.json; assess the compiled server"
	}
	return p, problem
}
