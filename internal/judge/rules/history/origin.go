package history

import (
	"path"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// Where files come from: with the server, from its user, from this run.

// NewPlace tells whether the server changes what it has made itself: an entry
// of the home, or of one of the folders in which every program has its own,
// that was not there before the run, or a folder with the server's name. A file put among the user's own is no
// such place, nor is one of the user's that is moved into it.
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
	return l.created[entry] || l.nested(p)
}

// nested tells whether p lies in a folder that the server has made and that
// carries its name, wherever that is: ~/.aws/NAME takes nothing from AWS.
func (l *Files) nested(p string) bool {
	for dir := p; paths.Under(dir, l.places.Home); dir = path.Dir(dir) {
		if l.created[dir] && l.places.CarriesName(path.Base(dir)) {
			return true
		}
	}
	return false
}

// Shipped tells whether the subject came with the server, and neither git nor
// a package manager is at work, which replace files as they should.
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

// Dropped reports whether the program, or the script an interpreter was
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

// Fetched reports whether the program, or the script an interpreter was
// started for, came into being in the work directory. If something had been
// downloaded before, it may be that.
func (l *Files) Fetched(f *event.Fields, p *Processes) bool {
	return f.Phase != string(mcpsf.PhaseInstall) && p.Runs(f, func(name string) bool {
		return l.Written[name] && l.created[name] && paths.Under(name, l.places.Workdir)
	})
}

// library is the ending of what programs load into themselves.
var library = regexp.MustCompile(`\.(?:so|node|pyd|dylib|dll)(?:\.\d+)*$`)

// LoadsNew tells whether a library is opened that came into being in this run.
func (l *Files) LoadsNew(f *event.Fields, prog programs.Program) bool {
	return f.Kind == string(mcpsf.KindFileOpen) && f.Error == "" && !strings.ContainsAny(f.Flags, "wct") && f.Phase != string(mcpsf.PhaseInstall) &&
		library.MatchString(f.Path) && l.Written[f.Path] && !prog.Installer
}

// Existed tells whether the subject was there before the run.
func (l *Files) Existed(f *event.Fields) bool { return !l.created[f.Subject] && !l.Written[f.Subject] }

// ByInstaller tells whether one of the system's package managers put a package
// where packages belong. What runs at every start of Python is more than that.
func (l *Files) ByInstaller(f *event.Fields, prog programs.Program) bool {
	rel, ok := strings.CutPrefix(f.Subject, l.places.Home+"/")
	return ok && prog.Installer && paths.Installed(rel) && !paths.StartsWithPython(rel)
}

// temporaryTree is the entry of a temporary folder that e of an installation
// writes in, or "".
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
