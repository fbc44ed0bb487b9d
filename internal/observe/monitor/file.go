package monitor

import (
	"path"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// files reports accesses to files.
type files struct {
	log    *eventLog
	folds  *folds
	decoys *decoys
	env    *environment
	leaks  *leakage
	table  fileTable
	// loaded are the directories of installed packages in which a file was
	// opened.
	loaded  map[string]struct{}
	preload preload
}

func newFiles(log *eventLog, folds *folds, decoys *decoys, env *environment, leaks *leakage) *files {
	fs := &files{log: log, folds: folds, decoys: decoys, env: env, leaks: leaks, loaded: map[string]struct{}{}}
	fs.table.init()
	return fs
}

// touch is a file access that becomes an event.
type touch struct {
	kind  mcpsf.Kind
	file  mcpsf.FileDetail
	decoy *mcpsf.Decoy
	// tree is set if all accesses below a directory are one observation.
	tree string
	// signs are what the file's name reveals.
	signs signs
}

// openFile is the file behind a file number of the kernel.
type openFile struct {
	path  string
	decoy *mcpsf.Decoy
	tree  string
	// append is set if writes go to the end.
	append bool
	// unseen is set for a file whose open was not recorded, until its content
	// is accessed.
	unseen bool
}

// fileTable maps the kernel's file numbers. The kernel does not report when a
// file is closed, so the oldest entries are dropped when there are too many.
type fileTable struct {
	byID map[uint32]openFile
	ring []uint32
	next int
}

func (t *fileTable) init() { t.byID = map[uint32]openFile{} }

func (t *fileTable) put(id uint32, f openFile) {
	if id == 0 {
		return
	}
	if _, known := t.byID[id]; !known {
		if len(t.ring) < maxFiles {
			t.ring = append(t.ring, id)
		} else {
			delete(t.byID, t.ring[t.next])
			t.ring[t.next] = id
			t.next = (t.next + 1) % maxFiles
		}
	}
	t.byID[id] = f
}

func (fs *files) open(o *origin, r *wire.Record) {
	name, ino := cleanPath(r.Path), inode{r.Dev, r.Ino}
	t := &touch{kind: mcpsf.KindFileOpen, file: mcpsf.FileDetail{
		Path: name, Asked: asked(r, name), Flags: openLetters(r), Error: errnoName(r.Errno),
	}}
	if r.Errno == 0 && r.Flags&wire.FlagCreated != 0 {
		t.decoy = fs.decoys.created(name, ino)
		t.file.Mode = r.Mode
	} else {
		t.decoy = fs.decoys.find(name, ino)
	}
	how := accessOf(r.Num)
	t.signs = signsOf(o, t, how.write)
	if !how.write {
		t.tree = t.treeOf()
	}
	if r.Errno == 0 {
		if !how.write {
			fs.loads(o, name)
		}
		fs.table.put(r.File, openFile{
			path: name, decoy: t.decoy, tree: readTree(name), append: r.Num&openAppend != 0,
		})
	}
	seq := fs.touch(o, t)
	if seq != 0 && t.decoy != nil && r.Errno == 0 && how.reaches() {
		fs.decoys.reached(o, seq, t.decoy, name, "open")
	}
}

// transfer reports bytes read or written. The first transfer of a process on a
// file in a call is an event, the others are counted. A transfer of zero bytes
// is no event: it is the end of the file, or the kernel reporting a file whose
// open it did not see.
func (fs *files) transfer(o *origin, r *wire.Record, kind mcpsf.Kind) {
	f := fs.used(r)
	mapped := r.Flags&wire.FlagMapped != 0
	switch {
	case f.path == "":
		fs.log.totals.Unnamed++
		return
	case r.N <= 0 && r.Errno == 0 && !mapped, !path.IsAbs(f.path): // pipes have no path
		return
	}
	t := &touch{kind: kind, decoy: f.decoy, file: mcpsf.FileDetail{
		Path: f.path, Bytes: size(r.N), Error: errnoName(r.Errno),
	}}
	how := "read"
	switch {
	case mapped:
		t.file.Flags, how = "m", "map"
	case kind == mcpsf.KindFileWrite && f.append:
		t.file.Flags = "a"
	}
	reading := kind == mcpsf.KindFileRead
	if reading && f.decoy == nil && quiet(t.file.Error) {
		t.tree = f.tree
	}
	seq := fs.touch(o, t)
	if reading && r.N > 0 && ownEnviron(o, f.path) {
		fs.env.readAll(o)
	}
	if f.unseen && f.decoy != nil && reading && r.Errno == 0 {
		fs.decoys.reached(o, seq, f.decoy, f.path, how)
		f.unseen = false
		fs.table.put(r.File, f)
	}
}

// written searches data written to a file for planted secrets, and for settings
// of git.
func (fs *files) written(o *origin, r *wire.Record) {
	f := fs.table.byID[r.File]
	fs.leaks.inFile(o, f, r.Data)
	fs.settings(o, f, r.Data)
}

// used returns the file of a transfer, and adds it if this record is the first
// to name it.
func (fs *files) used(r *wire.Record) openFile {
	f := fs.table.byID[r.File]
	if name := cleanPath(r.Path); name != "" && name != f.path {
		f = openFile{
			path: name, decoy: fs.decoys.find(name, inode{r.Dev, r.Ino}),
			tree: readTree(name), unseen: true,
		}
		fs.table.put(r.File, f)
	}
	return f
}

// touch emits or counts an access. It returns the number of the event, 0 if
// the access was only counted.
func (fs *files) touch(o *origin, t *touch) int64 {
	if fs.preload.loads(o, t) {
		return 0
	}
	if t.decoy != nil {
		t.file.Canary, t.file.CanaryKind = t.decoy.ID, t.decoy.Kind
	}
	plain := t.decoy == nil && t.signs == signs{}
	full := fs.log.full()
	if plain && full {
		fs.log.totals.Suppressed++
		return 0
	}
	event := func() mcpsf.Event {
		e := fs.log.base(o, t.kind)
		file := t.file
		e.File = &file
		return e
	}
	if t.kind == mcpsf.KindFileOpen && t.decoy != nil && !full {
		e := event()
		return fs.signal(o, t, fs.log.emit(&e))
	}
	key := keyOf(o, t.kind)
	key.flags, key.err = t.file.Flags, t.file.Error
	if plain && t.tree == "" && o.phase == mcpsf.PhaseInstall {
		t.tree = t.installTree()
	}
	if plain && t.tree != "" {
		flags := ""
		if t.kind == mcpsf.KindFileOpen {
			flags = plainFlags(t.file.Flags)
		}
		t.file = mcpsf.FileDetail{Path: t.tree, Error: t.file.Error, Bytes: t.file.Bytes, Flags: flags}
		key.path, key.flags = t.tree, t.file.Flags
		fs.folds.tally(key, t.file.Bytes, event)
		return 0
	}
	key.path, key.asked, key.to, key.number = t.file.Path, t.file.Asked, t.file.To, t.file.Mode
	return fs.signal(o, t, fs.folds.fold(key, t.file.Bytes, event))
}

// asked returns the name the program used if it is more informative.
func asked(r *wire.Record, name string) string {
	if a := clean(r.Asked); a != name {
		return a
	}
	return ""
}
