package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// maxChain bounds the walk from a process to its ancestors.
const maxChain = 8

// UsedByOwner tells whether the program that keeps the secret read it, and
// not in order to print it. A process chooses its name; it does not choose
// what it was executed from, and the system's programs cannot be replaced in
// the sandbox. What it can do is preload code into such a program, which
// the events do not show: so this lessens a finding and never ends it.
func (x *Explainer) UsedByOwner(f *event.Fields) bool {
	o, pid := x.declared.Purpose.OwnerOf(f.Subject), f.PID
	// A helper ("git credential-store get") answers to whoever runs it, so
	// look at the programs of the same owner that led to it.
	chain, helper := 0, false
	for ; chain < maxChain; chain++ {
		prog := x.run.Processes.Programs[pid]
		name, ok := programs.NameOf(prog, o.Programs)
		if !ok {
			break
		}
		prints := func(arg string) bool { return programs.PrintsSecrets(name, arg) }
		if slices.ContainsFunc(prog.Args, prints) || programs.PointedAt(prog.Args, f.Subject) {
			return false
		}
		helper = helper || strings.HasPrefix(name, "git-credential") || slices.Contains(prog.Args, "credential-store")
		pid = x.run.Processes.Parents[pid]
	}
	return chain > 1 || (chain == 1 && !helper)
}

// ByHabit tells whether a library of good repute reads the secret on its own.
// Loaders of .env files walk up from the work directory, at start, so they
// have looked in a deeper one before; Python's HTTP clients look into ~/.netrc
// before each request, so the process goes on to the network; who asks in the
// name of npm asks a variable first where npm has its settings.
func (x *Explainer) ByHabit(f *event.Fields) bool {
	if x.declared.Purpose.ByLibrary(f.Phase, f.Program, f.Subject) {
		return true
	}
	dir, name := path.Split(f.Subject)
	dir = path.Clean(dir)
	switch name {
	case ".env":
		return !event.InCall(f) && paths.Under(x.declared.Scope.WorkDir, dir) && x.run.Files.WalkedUp[dir]
	case ".npmrc":
		return dir == x.declared.Scope.Home && paths.IsSystem(f.Program) && path.Base(f.Program) == "node" && x.run.Clients.NPM[history.InBox{Box: x.run.Box, PID: f.PID}]
	case ".netrc":
		return dir == x.declared.Scope.Home && paths.IsSystem(f.Program) && strings.HasPrefix(path.Base(f.Program), "python") &&
			x.run.Clients.Connected(x.run.Box, f)
	}
	return false
}

// InGivenFolder tells whether the secret was come upon by a walk through a
// folder that the user gave to the server and that holds the home: then the
// user gave it the keys as well. A walk lists the directory before it opens
// what is in it; who opens the one file has looked for that.
func (x *Explainer) InGivenFolder(f *event.Fields) bool {
	if len(x.declared.Config.Folders) == 0 || !event.InCall(f) || !x.run.Files.Listed[history.InCallOf{Call: f.Call, Dir: path.Dir(f.Subject)}] {
		return false
	}
	for _, dir := range x.declared.Config.Folders {
		if paths.Under(f.Subject, dir) {
			return true
		}
	}
	return false
}

// UsersFile tells whether the subject is a file that somebody would miss: not
// one of the server's own, unless the caller named it, and not what programs
// leave beside the files they work on.
func (x *Explainer) UsersFile(f *event.Fields) bool {
	if paths.Incidental(f.Subject) {
		return false
	}
	if c := x.run.Calls.ByID[f.Call]; c != nil {
		if slices.ContainsFunc(x.run.Calls.Claims(c), func(c declared.Claim) bool { return c.Path == f.Subject && !c.ByServer }) {
			return true
		}
	}
	return paths.Under(f.Subject, x.declared.Scope.Home) && !x.declared.Places.Own(f.Subject) && !x.run.Files.NewPlace(f)
}
