package rules

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// dotenv is the name that loaders of settings look for.
const dotenv = ".env"

// fileLog is what happened to files, as far as it decides about later events.
type fileLog struct {
	places places
	// written are the files that got their content in this run, other than by a
	// package manager, decoys the names under which decoys were last seen.
	written, decoys map[string]bool
	// created are the files and directories that came into being in this run,
	// absent the names that were looked for and not there.
	created, absent map[string]bool
	// listed are the directories that were opened, by call.
	listed map[inCallOf]bool
	// walkedUp are the parents of the work directory below which a .env file was
	// looked for.
	walkedUp map[string]bool
	// temporary are the trees in temporary folders that an installation wrote,
	// and whether the package manager did.
	temporary map[string]bool
}

type inCallOf struct{ call, dir string }

func newFileLog(where places) *fileLog {
	return &fileLog{
		places: where, written: map[string]bool{}, decoys: map[string]bool{}, created: map[string]bool{}, absent: map[string]bool{},
		listed: map[inCallOf]bool{}, walkedUp: map[string]bool{}, temporary: map[string]bool{},
	}
}

// restart forgets what ended with a sandbox. What an installation has written
// stays: it is there when the server starts.
func (l *fileLog) restart(installed bool) {
	if !installed {
		clear(l.written)
	}
	l.decoys = map[string]bool{}
}

// before takes in a file event before the rules see it: an open that creates a
// file is about a new file already.
func (l *fileLog) before(e *mcpsf.Event) {
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

func (l *fileLog) lookedAt(e *mcpsf.Event) {
	d := e.File
	switch {
	case d.Error == "" && strings.Contains(d.Flags, "c"):
		l.created[d.Path] = true
	case d.Error == "" && strings.Contains(d.Flags, "d"):
		l.listed[inCallOf{e.Call, d.Path}] = true
	case d.Error == "ENOENT" && under(d.Path, l.places.home) && !under(d.Path, l.places.workdir):
		l.absent[d.Path] = true
	}
	if (d.Error == "" || d.Error == "ENOENT") && strings.HasSuffix(d.Path, "/"+dotenv) {
		for dir := path.Dir(l.places.workdir); dir != "/" && dir != "."; dir = path.Dir(dir) {
			if under(path.Dir(d.Path), dir) {
				l.walkedUp[dir] = true
			}
		}
	}
}

// after takes in what a file event changes for the events behind it.
func (l *fileLog) after(e *mcpsf.Event, by program) {
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
func (l *fileLog) note(name string, decoy bool) {
	if decoy {
		l.decoys[name] = true
	} else {
		delete(l.decoys, name)
	}
}

func (l *fileLog) wrote(prog program, name string) {
	if !prog.installer {
		l.written[name] = true
	}
}

// copied passes on that the content was written in this run.
func (l *fileLog) copied(d *mcpsf.FileDetail) {
	if l.written[d.Path] {
		l.written[d.To] = true
	}
}
