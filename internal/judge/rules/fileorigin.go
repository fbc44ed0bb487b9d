package rules

import (
	"path"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Where files come from: with the server, from its user, from this run.

// newPlace tells whether the server changes what it has made itself: an entry
// of the home, or of one of the folders in which every program has its own,
// that was not there before the run, or a folder with the server's name. A file put among the user's own is no
// such place, nor is one of the user's that is moved into it.
func (l *fileLog) newPlace(f *fields) bool {
	if f.Kind == string(mcpsf.KindFileRename) && !l.created[f.Path] && !l.places.own(f.Path) && !l.mine(f.Path) {
		return false
	}
	return l.mine(f.Subject)
}

func (l *fileLog) mine(p string) bool {
	rel, ok := strings.CutPrefix(p, l.places.home+"/")
	if !ok {
		return false
	}
	entry := l.places.home
	for part := range strings.SplitSeq(rel, "/") {
		if entry = entry + "/" + part; !l.places.shared(entry) {
			break
		}
	}
	return l.created[entry] || l.nested(p)
}

// nested tells whether p lies in a folder that the server has made and that
// carries its name, wherever that is: ~/.aws/NAME takes nothing from AWS.
func (l *fileLog) nested(p string) bool {
	for dir := p; under(dir, l.places.home); dir = path.Dir(dir) {
		if l.created[dir] && l.places.carriesName(path.Base(dir)) {
			return true
		}
	}
	return false
}

// shipped tells whether the subject came with the server, and neither git nor
// a package manager is at work, which replace files as they should.
func (l *fileLog) shipped(f *fields, prog program) bool {
	if f.Phase == string(mcpsf.PhaseInstall) || prog.installer || isSystem(f.Program) && path.Base(f.Program) == "git" {
		return false
	}
	return under(f.Subject, l.places.workdir) && !l.created[f.Subject]
}

// ownCode tells whether the subject is code that came with the server.
func (l *fileLog) ownCode(f *fields, prog program) bool {
	switch path.Ext(f.Subject) {
	case ".js", ".mjs", ".cjs", ".py", ".ts", ".sh":
		return l.shipped(f, prog)
	}
	return false
}

// dropped reports whether the program, or the script an interpreter was
// started for, was written during this run outside the work directory.
func (l *fileLog) dropped(f *fields, p *processTable) bool {
	return p.runs(f, func(name string) bool {
		if f.Phase == string(mcpsf.PhaseInstall) {
			manager, written := l.temporary[temporaryEntry(name)]
			return written && !manager || l.written[name] && !under(name, l.places.workdir) && !temporary(name)
		}
		return l.written[name] && !under(name, l.places.workdir)
	})
}

// fetched reports whether the program, or the script an interpreter was
// started for, came into being in the work directory. If something had been
// downloaded before, it may be that.
func (l *fileLog) fetched(f *fields, p *processTable) bool {
	return f.Phase != string(mcpsf.PhaseInstall) && p.runs(f, func(name string) bool {
		return l.written[name] && l.created[name] && under(name, l.places.workdir)
	})
}

// library is the ending of what programs load into themselves.
var library = regexp.MustCompile(`\.(?:so|node|pyd|dylib|dll)(?:\.\d+)*$`)

// loadsNew tells whether a library is opened that came into being in this run.
func (l *fileLog) loadsNew(f *fields, prog program) bool {
	return f.Kind == string(mcpsf.KindFileOpen) && f.Error == "" && !strings.ContainsAny(f.Flags, "wct") && f.Phase != string(mcpsf.PhaseInstall) &&
		library.MatchString(f.Path) && l.written[f.Path] && !prog.installer
}

// existed tells whether the subject was there before the run.
func (l *fileLog) existed(f *fields) bool { return !l.created[f.Subject] && !l.written[f.Subject] }

// byInstaller tells whether one of the system's package managers put a package
// where packages belong. What runs at every start of Python is more than that.
func (l *fileLog) byInstaller(f *fields, prog program) bool {
	rel, ok := strings.CutPrefix(f.Subject, l.places.home+"/")
	return ok && prog.installer && installed(rel) && !startsWithPython(rel)
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
		return temporaryEntry(d.Path)
	case mcpsf.KindFileOpen:
		if strings.ContainsAny(d.Flags, "wct") {
			return temporaryEntry(d.Path)
		}
	case mcpsf.KindFileRename, mcpsf.KindFileLink:
		return temporaryEntry(d.To)
	}
	return ""
}
