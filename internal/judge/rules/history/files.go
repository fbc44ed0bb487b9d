package history

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

// dotenv is the name that loaders of settings look for.
const dotenv = ".env"

// Files is what happened to files, as far as it decides about later events.
type Files struct {
	places paths.Places
	// Written are the files that got their content in this run, other than by a
	// package manager, decoys the names under which decoys were last seen.
	Written, decoys map[string]bool
	// created are the files and directories that came into being in this run,
	// absent the names that were looked for and not there.
	created, absent map[string]bool
	// Listed are the directories that were opened, by call.
	Listed map[InCallOf]bool
	// WalkedUp are the parents of the work directory below which a .env file was
	// looked for.
	WalkedUp map[string]bool
	// temporary are the trees in temporary folders that an installation wrote,
	// and whether the package manager did.
	temporary map[string]bool
}

// InCallOf is a directory that a call listed.
type InCallOf struct{ Call, Dir string }

func newFiles(where paths.Places) *Files {
	return &Files{
		places: where, Written: map[string]bool{}, decoys: map[string]bool{}, created: map[string]bool{}, absent: map[string]bool{},
		Listed: map[InCallOf]bool{}, WalkedUp: map[string]bool{}, temporary: map[string]bool{},
	}
}

// restart forgets what ended with a sandbox. What an installation has written
// stays: it is there when the server starts.
func (l *Files) restart(installed bool) {
	if !installed {
		clear(l.Written)
	}
	l.decoys = map[string]bool{}
}

// before takes in a file event before the rules see it: an open that creates a
// file is about a new file already.
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
			l.created[d.To] = true // a link replaces nothing
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

// after takes in what a file event changes for the events behind it.
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

// note remembers whether a name leads to a decoy.
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

// copied passes on that the content was written in this run.
func (l *Files) copied(d *mcpsf.FileDetail) {
	if l.Written[d.Path] {
		l.Written[d.To] = true
	}
}
