package rules

import (
	"path"
	"slices"
	"strings"
)

// maxChain bounds the walk from a process to its ancestors.
const maxChain = 8

// usedByOwner tells whether the program that keeps the secret read it, and
// not in order to print it. A process chooses its name; it does not choose
// what it was executed from, and the system's programs cannot be replaced in
// the sandbox. What it can do is preload code into such a program, which
// the events do not show: so this lessens a finding and never ends it.
func (x *explainer) usedByOwner(f *fields) bool {
	o, pid := x.declared.purpose.ownerOf(f.Subject), f.pid
	// A helper ("git credential-store get") answers to whoever runs it, so
	// look at the programs of the same owner that led to it.
	chain, helper := 0, false
	for ; chain < maxChain; chain++ {
		prog := x.run.processes.programs[pid]
		name, ok := ownerName(prog, o.programs)
		if !ok {
			break
		}
		prints := func(arg string) bool { return printsSecrets(name, arg) }
		if slices.ContainsFunc(prog.args, prints) || pointedAt(prog.args, f.Subject) {
			return false
		}
		helper = helper || strings.HasPrefix(name, "git-credential") || slices.Contains(prog.args, "credential-store")
		pid = x.run.processes.parents[pid]
	}
	return chain > 1 || (chain == 1 && !helper)
}

// byHabit tells whether a library of good repute reads the secret on its own.
// Loaders of .env files walk up from the work directory, at start, so they
// have looked in a deeper one before; Python's HTTP clients look into ~/.netrc
// before each request, so the process goes on to the network; who asks in the
// name of npm asks a variable first where npm has its settings.
func (x *explainer) byHabit(f *fields) bool {
	if x.declared.purpose.byLibrary(f.Phase, f.Program, f.Subject) {
		return true
	}
	dir, name := path.Split(f.Subject)
	dir = path.Clean(dir)
	switch name {
	case ".env":
		return !inCall(f) && under(x.declared.scope.WorkDir, dir) && x.run.files.walkedUp[dir]
	case ".npmrc":
		return dir == x.declared.scope.Home && isSystem(f.Program) && path.Base(f.Program) == "node" && x.run.clients.npm[inBox{x.run.box, f.pid}]
	case ".netrc":
		return dir == x.declared.scope.Home && isSystem(f.Program) && strings.HasPrefix(path.Base(f.Program), "python") &&
			x.run.clients.connected(x.run.box, f)
	}
	return false
}

// inGivenFolder tells whether the secret was come upon by a walk through a
// folder that the user gave to the server and that holds the home: then the
// user gave it the keys as well. A walk lists the directory before it opens
// what is in it; who opens the one file has looked for that.
func (x *explainer) inGivenFolder(f *fields) bool {
	if len(x.declared.config.folders) == 0 || !inCall(f) || !x.run.files.listed[inCallOf{f.Call, path.Dir(f.Subject)}] {
		return false
	}
	for _, dir := range x.declared.config.folders {
		if under(f.Subject, dir) {
			return true
		}
	}
	return false
}

// usersFile tells whether the subject is a file that somebody would miss: not
// one of the server's own, unless the caller named it, and not what programs
// leave beside the files they work on.
func (x *explainer) usersFile(f *fields) bool {
	if incidental(f.Subject) {
		return false
	}
	if c := x.run.calls.calls[f.Call]; c != nil {
		if slices.ContainsFunc(x.run.calls.claims(c), func(c claim) bool { return c.path == f.Subject && !c.byServer }) {
			return true
		}
	}
	return under(f.Subject, x.declared.scope.Home) && !x.declared.places.own(f.Subject) && !x.run.files.newPlace(f)
}
