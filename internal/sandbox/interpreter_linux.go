package sandbox

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// interpreter is a language runtime of the host as the sandbox shows it.
type interpreter struct {
	// Program is the path inside the sandbox.
	Program string
	// Source is what of the host is shown at Mount: the runtime's own
	// directory or its program alone. Both are empty if the program is part
	// of the system directories anyway.
	Source, Mount string
}

// findInterpreter looks for the runtime where every user can reach it first,
// and in a version manager of the caller's after that. It runs nothing: what
// PATH leads to may belong to the very package that is to be assessed.
func findInterpreter(rt mcpsf.Runtime, path string) (interpreter, error) {
	name := "node"
	if rt == mcpsf.RuntimePython {
		name = "python3"
	}
	for _, dir := range append([]string{"/usr/local/bin", "/usr/bin"}, filepath.SplitList(path)...) {
		for _, candidate := range behind(filepath.Join(dir, name)) {
			if i, ok := shown(rt, candidate); ok {
				return i, nil
			}
		}
	}
	return interpreter{}, &mcpsf.Error{
		Code:    mcpsf.CodeUnavailable,
		Message: "this server needs " + name + ", which is not on this machine; install it and try again",
	}
}

// behind lists the programs a name in PATH stands for: itself, and for the
// shim of a version manager the versions it chooses from, newest first.
func behind(candidate string) []string {
	list := []string{candidate}
	if filepath.Base(filepath.Dir(candidate)) != "shims" {
		return list
	}
	root, name := filepath.Dir(filepath.Dir(candidate)), filepath.Base(candidate)
	for _, pattern := range []string{"versions/*/bin", "installs/*/*/bin"} {
		found, _ := filepath.Glob(filepath.Join(root, pattern, name))
		slices.SortFunc(found, func(a, b string) int { return cmp.Compare(b, a) })
		list = append(list, found...)
	}
	return list
}

// shown decides what of the host has to be visible for a runtime to work: as
// little as possible, and never a directory that is somebody's home.
func shown(rt mcpsf.Runtime, candidate string) (interpreter, bool) {
	file, err := filepath.EvalSymlinks(candidate)
	if err != nil || !filepath.IsAbs(file) || !isELF(file) {
		return interpreter{}, false
	}
	if underSystem(file) {
		return interpreter{Program: candidate}, true
	}
	mount := "/opt/" + string(rt)
	program := mount + "/bin/" + filepath.Base(file)
	prefix := filepath.Dir(filepath.Dir(file))
	switch {
	case runtimePrefix(rt, prefix):
		return interpreter{Program: program, Source: prefix, Mount: mount}, true
	case rt == mcpsf.RuntimeNode: // complete in itself
		return interpreter{Program: program, Source: file, Mount: program}, true
	}
	return interpreter{}, false
}

// runtimePrefix reports whether prefix is a runtime's own directory: it has
// what every installation of that runtime has, and nothing of a user's.
func runtimePrefix(rt mcpsf.Runtime, prefix string) bool {
	telling := "include/node/node.h"
	if rt == mcpsf.RuntimePython {
		telling = "lib/python3*/os.py"
	}
	if found, _ := filepath.Glob(filepath.Join(prefix, telling)); len(found) == 0 {
		return false
	}
	for _, personal := range []string{
		".ssh", ".aws", ".config", ".cache", ".gnupg", ".profile", ".bashrc", ".zshrc", ".bash_history",
		"Documents", "Desktop", "share/keyrings", "share/applications", ".local",
	} {
		if _, err := os.Lstat(filepath.Join(prefix, personal)); err == nil {
			return false
		}
	}
	return true
}

func isELF(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return false
	}
	var magic [4]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && string(magic[:]) == "\x7fELF"
}
