package history

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// dotenv is the file name that loaders of settings look for.
const dotenv = ".env"

// Files holds what happened to files, where later events depend on it.
type Files struct {
	places paths.Places
	// Written are the files written in this run, except by a package manager.
	// decoys are the paths at which decoys were last seen.
	Written, decoys map[string]bool
	// created are the files and directories created in this run; absent are the
	// paths that were looked up and did not exist.
	created, absent map[string]bool
	// Listed are the directories that were opened, by call.
	Listed map[InCallOf]bool
	// WalkedUp are the parents of the work directory below which a .env file was
	// looked up.
	WalkedUp map[string]bool
	// temporary are the trees in temporary folders that an installation wrote.
	// The value is true if the package manager wrote there.
	temporary map[string]bool
	// sets are the settings of git in files that may become git's by a new name.
	sets map[string][]string
}

// InCallOf is a directory that a call listed.
type InCallOf struct{ Call, Dir string }

func newFiles(where paths.Places) *Files {
	return &Files{
		places: where, Written: map[string]bool{}, decoys: map[string]bool{}, created: map[string]bool{}, absent: map[string]bool{},
		Listed: map[InCallOf]bool{}, WalkedUp: map[string]bool{}, temporary: map[string]bool{}, sets: map[string][]string{},
	}
}

// restart clears the state when a sandbox ends. Files that an installation wrote
// stay: they exist when the server starts.
func (l *Files) restart(installed bool) {
	if !installed {
		clear(l.Written)
	}
	l.decoys = map[string]bool{}
}

// before adds a file event before the rules examine it, because an open that
// creates a file is already about a new file.
func (l *Files) before(e *mcpsf.Event) {
	d := e.File
	switch e.Kind {
	case mcpsf.KindFileOpen, mcpsf.KindFileStat:
		l.lookedAt(e)
	case mcpsf.KindFileCreate:
		if d.Error == "" {
			l.created[d.Path] = true
		}
	case mcpsf.KindFileLink:
		if d.Error == "" {
			l.created[d.To] = true // a link never replaces a file
		}
	case mcpsf.KindFileRename:
		if d.Error == "" && l.created[d.Path] && l.absent[d.To] {
			l.created[d.To] = true
		}
	}
}

func (l *Files) lookedAt(e *mcpsf.Event) {
	d := e.File
	switch {
	case d.Error == "" && strings.Contains(d.Flags, "c"):
		l.created[d.Path] = true
	case d.Error == "" && strings.Contains(d.Flags, "d"):
		l.Listed[InCallOf{e.Call, d.Path}] = true
	case d.Error == "ENOENT" && paths.Under(d.Path, l.places.Home) && !paths.Under(d.Path, l.places.Workdir):
		l.absent[d.Path] = true
	}
	if (d.Error == "" || d.Error == "ENOENT") && strings.HasSuffix(d.Path, "/"+dotenv) {
		for dir := path.Dir(l.places.Workdir); dir != "/" && dir != "."; dir = path.Dir(dir) {
			if paths.Under(path.Dir(d.Path), dir) {
				l.WalkedUp[dir] = true
			}
		}
	}
}

// after adds the effects of a file event for later events.
func (l *Files) after(e *mcpsf.Event, by programs.Program) {
	d := e.File
	if d.Error != "" {
		return
	}
	switch e.Kind {
	case mcpsf.KindFileOpen:
		l.note(d.Path, d.CanaryKind != "")
		if strings.ContainsAny(d.Flags, "wct") {
			l.wrote(by, d.Path)
		}
	case mcpsf.KindFileWrite:
		if len(d.Sets) > 0 && len(l.sets) < lex.MaxListed {
			l.sets[d.Path] = append(l.sets[d.Path], d.Sets...)
		}
		l.note(d.Path, d.CanaryKind != "")
		l.wrote(by, d.Path)
	case mcpsf.KindFileDelete:
		delete(l.decoys, d.Path)
	case mcpsf.KindFileRename:
		l.note(d.To, l.decoys[d.Path])
		delete(l.decoys, d.Path)
		l.copied(d)
	case mcpsf.KindFileLink:
		l.note(d.To, d.CanaryKind != "")
		l.copied(d)
	}
}

// setsOf returns the settings of git that an event puts into place: what is
// written, or what the file had that gets a name of git's.
func (l *Files) setsOf(e *mcpsf.Event) []string {
	switch e.Kind {
	case mcpsf.KindFileWrite:
		return e.File.Sets
	case mcpsf.KindFileRename, mcpsf.KindFileLink:
		return l.sets[e.File.Path]
	}
	return nil
}

// note records whether a path is a decoy.
func (l *Files) note(name string, decoy bool) {
	if decoy {
		l.decoys[name] = true
	} else {
		delete(l.decoys, name)
	}
}

func (l *Files) wrote(prog programs.Program, name string) {
	if !prog.Installer {
		l.Written[name] = true
	}
}

// copied marks the new name as written in this run if the old name is.
func (l *Files) copied(d *mcpsf.FileDetail) {
	if l.Written[d.Path] {
		l.Written[d.To] = true
	}
}
