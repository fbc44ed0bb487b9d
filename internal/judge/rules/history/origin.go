package history

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// This file tells where files come from: with the server, from its user, or from this run.

// NewPlace tells whether the server changes something that it created itself: a
// new entry of the home or of a shared folder such as ~/.config, a new file in
// ~/Downloads, or a folder with the server's name. A file placed among the user's own
// does not count, nor does a user's file that is moved into such a place.
func (l *Files) NewPlace(f *event.Fields) bool {
	if f.Kind == string(mcpsf.KindFileRename) && !l.created[f.Path] && !l.places.Own(f.Path) && !l.mine(f.Path) {
		return false
	}
	return l.mine(f.Subject)
}

func (l *Files) mine(p string) bool {
	rel, ok := strings.CutPrefix(p, l.places.Home+"/")
	if !ok {
		return false
	}
	entry := l.places.Home
	for part := range strings.SplitSeq(rel, "/") {
		if entry = entry + "/" + part; !l.places.Shared(entry) {
			break
		}
	}
	return l.created[entry] || l.nested(p) || l.created[p] && path.Dir(p) == l.places.Home+"/Downloads"
}

// nested tells whether p is in a folder that the server created and that has its
// name, wherever it is: ~/.aws/NAME does not affect AWS.
func (l *Files) nested(p string) bool {
	for dir := p; paths.Under(dir, l.places.Home); dir = path.Dir(dir) {
		if l.created[dir] && l.places.CarriesName(path.Base(dir)) {
			return true
		}
	}
	return false
}

// Shipped tells whether the subject came with the server. It is false for git
// and package managers, which replace files legitimately.
func (l *Files) Shipped(f *event.Fields, prog programs.Program) bool {
	if f.Phase == string(mcpsf.PhaseInstall) || prog.Installer || paths.IsSystem(f.Program) && path.Base(f.Program) == "git" {
		return false
	}
	return paths.Under(f.Subject, l.places.Workdir) && !l.created[f.Subject]
}

// OwnCode tells whether the subject is code that came with the server.
func (l *Files) OwnCode(f *event.Fields, prog programs.Program) bool {
	switch path.Ext(f.Subject) {
	case ".js", ".mjs", ".cjs", ".py", ".ts", ".sh":
		return l.Shipped(f, prog)
	}
	return false
}

// Dropped reports whether the program, or the script that an interpreter was
// started for, was written during this run outside the work directory.
func (l *Files) Dropped(f *event.Fields, p *Processes) bool {
	return p.Runs(f, func(name string) bool {
		if f.Phase == string(mcpsf.PhaseInstall) {
			manager, written := l.temporary[paths.TemporaryEntry(name)]
			return written && !manager || l.Written[name] && !paths.Under(name, l.places.Workdir) && !paths.Temporary(name)
		}
		return l.Written[name] && !paths.Under(name, l.places.Workdir)
	})
}

// Fetched reports whether the program, or the script that an interpreter was
// started for, was created in the work directory in this run. It may be
// something that was downloaded before.
func (l *Files) Fetched(f *event.Fields, p *Processes) bool {
	return f.Phase != string(mcpsf.PhaseInstall) && p.Runs(f, func(name string) bool {
		return l.Written[name] && l.created[name] && paths.Under(name, l.places.Workdir)
	})
}

// library matches the extensions of shared libraries.
var library = lazyregexp.New(`\.(?:so|node|pyd|dylib|dll)(?:\.\d+)*$`)

// LoadsNew tells whether a library is opened that was written in this run.
func (l *Files) LoadsNew(f *event.Fields, prog programs.Program) bool {
	return f.Kind == string(mcpsf.KindFileOpen) && f.Error == "" && !strings.ContainsAny(f.Flags, "wct") && f.Phase != string(mcpsf.PhaseInstall) &&
		library.MatchString(f.Path) && l.Written[f.Path] && !prog.Installer
}

// Existed tells whether the subject existed before the run.
func (l *Files) Existed(f *event.Fields) bool { return !l.created[f.Subject] && !l.Written[f.Subject] }

// New tells whether the subject was made in this run.
func (l *Files) New(f *event.Fields) bool { return l.created[f.Subject] }

// ByInstaller tells whether one of the system's package managers wrote a file
// where packages belong. Files that run at every start of Python do not count.
func (l *Files) ByInstaller(f *event.Fields, prog programs.Program) bool {
	rel, ok := strings.CutPrefix(f.Subject, l.places.Home+"/")
	return ok && prog.Installer && (paths.Installed(rel) || l.places.InSearchPath(f.Subject)) && !paths.StartsWithPython(rel)
}

// AskedInstall tells whether somebody asked the package manager prog for what it
// puts in place: a value of the caller's own names a package of its command line.
// What it keeps for itself needs no caller, and without a call it works for the
// server. A program in the search path then has to be the one that the command
// line names, because it runs in place of others.
func (r *Run) AskedInstall(f *event.Fields, prog programs.Program) bool {
	if r.Declared.Places.ManagerCache(f.Subject) {
		return true
	}
	if c := r.Calls.ByID[f.Call]; event.InCall(f) && c != nil {
		return slices.ContainsFunc(c.Each(), func(a argument) bool {
			return !a.ByServer() && slices.ContainsFunc(strings.Fields(a.Value), func(w string) bool { return namesPackage(prog.Args, w) })
		})
	}
	return !r.Declared.Places.InSearchPath(f.Subject) || namesPackage(prog.Args, path.Base(f.Subject))
}

// namesPackage tells whether a package of that name is among the arguments, with
// or without its version, scope or folder.
func namesPackage(args []string, name string) bool {
	name = packageName(name)
	return name != "" && slices.ContainsFunc(args[min(len(args), 1):], func(a string) bool { return strings.EqualFold(packageName(a), name) })
}

func packageName(s string) string {
	s = path.Base(s)
	if i := strings.IndexAny(s, "=<>~!@["); i > 0 {
		s = s[:i]
	}
	return s
}

// temporaryTree returns the entry of a temporary folder that an installation's
// event e writes to, or "".
func temporaryTree(e *mcpsf.Event) string {
	d := e.File
	if e.Phase != mcpsf.PhaseInstall || d == nil || d.Error != "" {
		return ""
	}
	switch e.Kind {
	case mcpsf.KindFileWrite, mcpsf.KindFileCreate:
		return paths.TemporaryEntry(d.Path)
	case mcpsf.KindFileOpen:
		if strings.ContainsAny(d.Flags, "wct") {
			return paths.TemporaryEntry(d.Path)
		}
	case mcpsf.KindFileRename, mcpsf.KindFileLink:
		return paths.TemporaryEntry(d.To)
	}
	return ""
}
