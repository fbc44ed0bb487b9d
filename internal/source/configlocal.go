package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// script is a file on this machine that an interpreter runs. What is copied
// is the project it belongs to, or the file alone.
func (s *starter) script(command []string, file string, args, manifests []string) (plan, string) {
	at := s.absolute(file)
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return plan{}, "its script " + quote(at) + " does not exist; build or install the server first"
	}
	p := plan{source: real, command: append(slices.Clip(command), real), args: args}
	if root := s.projectRoot(real, manifests); root != "" {
		p.source, p.root = root, root
	} else if !isFile(real) {
		return s.localPackage(real, plan{command: p.command, args: args})
	}
	return p, ""
}

// projectRoot returns the nearest directory above file that has one of the
// manifests, "" if there is none that may be copied.
func (s *starter) projectRoot(file string, manifests []string) string {
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
// home, or something that holds the user's home. To copy it would hand the
// user's own files to the server.
func (s *starter) forbidden(dir string) bool {
	dir = filepath.Clean(dir)
	home := s.opts.Home
	if resolved, err := filepath.EvalSymlinks(home); err == nil && home != "" {
		home = resolved
	}
	if dir == filepath.Dir(dir) || home != "" && (dir == filepath.Clean(home) || holds(dir, home)) {
		return true
	}
	if slices.Contains([]string{"/home", "/root", "/Users", "/tmp", "/usr", "/etc", "/var", "/opt", "/usr/local", "/usr/bin", "/usr/lib", "/usr/local/bin"}, dir) {
		return true
	}
	// Somebody else's home, or the user's own under another name.
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

// program is any other program: a script with a first line that names its
// interpreter, or a binary.
func (s *starter) program(words []string) (plan, string) {
	at, found := s.look(words[0])
	if !found {
		return plan{}, "its program " + showProgram(words[0]) + " is not on this machine; assess its package, directory or image"
	}
	real, err := filepath.EvalSymlinks(at)
	if err != nil || !isFile(real) {
		return plan{}, "its program " + quote(at) + " is no file; build or install the server first"
	}
	if venv := filepath.Dir(filepath.Dir(at)); isFile(filepath.Join(venv, "pyvenv.cfg")) {
		if root := s.projectRoot(filepath.Dir(venv), pythonManifests()); root != "" {
			p, problem := plan{source: root, root: root, args: words[1:]}.installed(".venv/bin/", filepath.Base(at))
			return p, problem
		}
	}
	switch programRuntime(real) {
	case mcpsf.RuntimeNode:
		return s.script([]string{"node"}, real, words[1:], []string{"package.json"})
	case mcpsf.RuntimePython:
		return s.script([]string{"python3"}, real, words[1:], pythonManifests())
	}
	return plan{source: real, args: words[1:]}, ""
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

// showProgram quotes the name of a program, if it is one.
func showProgram(word string) string {
	if len(word) > 64 || !plainWords(word) || strings.ContainsAny(word, " =") {
		return "(whose name might be a secret)"
	}
	return quote(word)
}

// programRuntime looks at the name and the first line of a file.
func programRuntime(file string) mcpsf.Runtime {
	if runtime := scriptRuntime(file); runtime != "" {
		return runtime
	}
	f, err := os.OpenFile(file, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return mcpsf.RuntimeNative
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head) // an empty file names no interpreter
	return runtimeNamed(interpreter(head[:n]))
}
