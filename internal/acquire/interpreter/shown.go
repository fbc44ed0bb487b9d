package interpreter

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// machineFrom is [Interpreter.From] of a runtime on this machine.
const machineFrom = "this machine"

// shown decides which part of the host a runtime needs: as little as possible,
// and never a home directory. file is candidate with all links followed.
func (m *machine) shown(rt mcpsf.Runtime, candidate, file string) (Interpreter, bool) {
	if !filepath.IsAbs(file) || !programName(rt, file) || !m.runs(file) {
		return Interpreter{}, false
	}
	i := Interpreter{Runtime: rt, From: machineFrom, Host: candidate}
	prefix := filepath.Dir(filepath.Dir(file))
	switch {
	case m.underSystem(file):
		i.Program = file
		if m.linksStay(candidate) {
			i.Program = candidate
		}
	case runtimePrefix(rt, prefix):
		i.Mount = "/opt/" + string(rt)
		i.Program = i.Mount + "/bin/" + filepath.Base(file)
		i.Source = prefix
	case rt == mcpsf.RuntimeNode: // a single file
		i.Program = nodeProgram
		i.Source, i.Mount = file, nodeProgram
	default:
		return Interpreter{}, false
	}
	i.Version = versionOf(rt, file)
	return i, true
}

// underSystem reports whether the sandbox shows a path of the host anyway.
func (m *machine) underSystem(path string) bool {
	for _, dir := range m.system {
		if strings.HasPrefix(path, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// linksStay reports whether a program has the same path in the sandbox as on
// the host: no link on the way leads through a directory that the sandbox does
// not show, such as /etc/alternatives.
func (m *machine) linksStay(path string) bool {
	for range 16 {
		if !m.underSystem(path) {
			return false
		}
		target, err := os.Readlink(path)
		if err != nil {
			return true
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return false
}

// runtimePrefix reports whether prefix is a runtime's own directory: it has
// what every installation of that runtime has, and no user's files.
func runtimePrefix(rt mcpsf.Runtime, prefix string) bool {
	telling := "include/node/node.h"
	if rt == mcpsf.RuntimePython {
		telling = "lib/python3*/os.py"
	}
	if len(newestFirst(prefix, telling)) == 0 {
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

// everybodyReaches reports whether all users have these rights on a file and
// may enter the directories above it.
func everybodyReaches(file string, rights fs.FileMode) bool {
	info, err := os.Stat(file)
	if err != nil || info.Mode()&rights != rights {
		return false
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}
