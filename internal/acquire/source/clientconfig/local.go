package clientconfig

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// script is a local file that an interpreter runs. Its project is copied, or
// the file alone.
func (s *starter) script(command []string, file string, args, manifests []string) (plan, string) {
	at := s.absolute(file)
	resolved, err := filepath.EvalSymlinks(at)
	if err != nil {
		return plan{}, "its script " + showFile(file) + " does not exist; build or install the server first"
	}
	root := s.projectRoot(resolved, manifests)
	if root == "" && !isFile(resolved) {
		root = resolved
	}
	rel, inRoot := below(root, resolved)
	if !inRoot {
		rel = filepath.Base(resolved)
	}
	p := plan{source: resolved, command: append(slices.Clip(command), path.Join(mcpsf.WorkDir, rel)), args: args}
	if root != "" {
		return s.localPackage(root, p)
	}
	return p, ""
}

// projectRoot returns the nearest directory above file that has one of the
// manifests, "" if there is none that may be copied.
func (s *starter) projectRoot(file string, manifests []string) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 40
	dir := file
	if isFile(file) {
		dir = filepath.Dir(file)
	}
	for range most {
		if s.forbidden(dir) {
			return ""
		}
		for _, name := range manifests {
			if isFile(filepath.Join(dir, name)) {
				return dir
			}
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// forbidden reports whether a directory is more than a project: the root, a
// home, or a directory above the user's home. Copying it would give the user's
// own files to the server.
func (s *starter) forbidden(dir string) bool {
	dir = filepath.Clean(dir)
	home := s.opts.Home
	if at, err := filepath.EvalSymlinks(home); err == nil && home != "" {
		home = at
	}
	if dir == filepath.Dir(dir) || home != "" && (dir == filepath.Clean(home) || holds(dir, home)) {
		return true
	}
	if slices.Contains([]string{"/home", "/root", "/Users", "/tmp", "/usr", "/etc", "/var", "/opt", "/usr/local", "/usr/bin", "/usr/lib", "/usr/local/bin"}, dir) {
		return true
	}
	// Another user's home, or the user's own under another name.
	for _, name := range []string{".ssh", ".bashrc", ".profile", ".zshrc", ".bash_history", ".zsh_history", ".aws", ".gnupg"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

func holds(dir, file string) bool {
	_, ok := below(dir, file)
	return ok
}

// program is any other program: a script with a #! line, or a binary.
func (s *starter) program(words []string) (plan, string) {
	at, found := s.look(words[0])
	if !found {
		return plan{}, "its program " + showFile(words[0]) + " is not on this machine; assess its package, directory or image"
	}
	resolved, err := filepath.EvalSymlinks(at)
	if err != nil || !isFile(resolved) {
		return plan{}, "its program " + showFile(words[0]) + " is no file; build or install the server first"
	}
	if venv := filepath.Dir(filepath.Dir(at)); isFile(filepath.Join(venv, "pyvenv.cfg")) {
		if root := s.projectRoot(filepath.Dir(venv), pythonManifests()); root != "" {
			p, problem := plan{source: root, root: root, args: words[1:]}.installed(".venv/bin/", filepath.Base(at))
			return p, problem
		}
	}
	switch programRuntime(resolved) {
	case mcpsf.RuntimeNode:
		return s.script([]string{"node"}, resolved, words[1:], []string{"package.json"})
	case mcpsf.RuntimePython:
		return s.script([]string{"python3"}, resolved, words[1:], pythonManifests())
	}
	return plan{source: resolved, args: words[1:]}, ""
}

// look finds a program as the client would.
func (s *starter) look(program string) (string, bool) {
	if strings.ContainsAny(program, `/\`) {
		return s.absolute(program), true
	}
	for _, dir := range filepath.SplitList(s.opts.Path) {
		at := filepath.Join(dir, program)
		if info, err := os.Stat(at); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return at, true
		}
	}
	return "", false
}

// showFile quotes the last part of a path, unless it might be a misplaced
// secret.
func showFile(file string) string {
	base := filepath.Base(file)
	if len(base) > 64 || !redact.PlainWords(base) || strings.ContainsAny(base, " =") {
		return "(whose name might be a secret)"
	}
	return usererr.Quote(base)
}

// programRuntime decides by the name and the first line of a file.
func programRuntime(file string) mcpsf.Runtime {
	if runtime := project.ScriptRuntime(file); runtime != "" {
		return runtime
	}
	f, err := os.OpenFile(file, os.O_RDONLY|staging.OpenFlags, 0)
	if err != nil {
		return mcpsf.RuntimeNative
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head) // an empty file names no interpreter
	return project.RuntimeNamed(project.Interpreter(head[:n]))
}
