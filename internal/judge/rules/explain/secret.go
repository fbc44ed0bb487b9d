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
// no gap: bounds the list of accesses; rules look at every event
const maxChain = 8

// UsedByOwner tells whether the program that stores the secret read it, and does
// not print it. A process can choose its name, but not the file it was executed
// from, and system programs cannot be replaced in the sandbox. It can preload
// code into such a program, which events do not show. So this lowers a finding
// and never removes it.
func (x *Explainer) UsedByOwner(f *event.Fields) bool {
	o, pid := x.declared.Purpose.OwnerOf(f.Subject), f.PID
	// A helper ("git credential-store get") prints for its caller, so check the
	// parent processes that run programs of the same owner.
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

// ByHabit tells whether a well-known library reads the secret by default.
// Loaders of .env files walk up from the work directory at start, so they have
// looked in a deeper folder before. Python's HTTP clients read ~/.netrc before
// each request, so the process then connects. npm's config loader reads an npm
// variable first.
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

// InGivenFolder tells whether the secret was read in a walk through a folder
// that the user gave to the server and that contains the home, keys included. A
// walk lists the directory before it opens the files. A server that opens only
// this file was looking for it.
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

// UsersFile tells whether the subject is one of the user's files: not the
// server's own, unless the caller named it, and not a side file such as a
// journal or cache.
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
