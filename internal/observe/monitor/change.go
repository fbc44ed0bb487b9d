package monitor

import (
	"path"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// change turns operations on names (rename, link, delete, ...) into events, and
// keeps the decoys' names up to date.
func (fs *files) change(o *origin, r *wire.Record) {
	name, ino := subject(r), inode{r.Dev, r.Ino}
	if !path.IsAbs(name) {
		return // a pipe, a socket or another file without a name
	}
	t := &touch{file: mcpsf.FileDetail{
		Path: name, Asked: asked(r, name), Error: errnoName(r.Errno),
	}}
	if r.Flags&wire.FlagDir != 0 {
		t.file.Flags = "d"
	}
	worked := r.Errno == 0
	if r.Op == wire.OpLink && r.Flags&wire.FlagSymlink != 0 {
		ino = inode{} // the inode of the symbolic link, not of its target
	}
	if r.Op != wire.OpCreate || !worked {
		t.decoy = fs.decoys.find(name, ino)
	}
	hardLink := fs.describe(t, r)
	if worked {
		fs.follow(t, r, ino)
	}
	t.signs = signsOf(o, t, r.Op != wire.OpStat)
	if r.Op == wire.OpStat {
		t.signs.privilege = ""
		t.tree = t.lookTree()
	}
	seq := fs.touch(o, t)
	if hardLink && worked && seq != 0 && t.decoy != nil {
		fs.decoys.reached(o, seq, t.decoy, t.file.To, "link")
	}
}

// subject returns the name an operation is about. The target of a symbolic link
// is any text, resolved from the link's directory.
func subject(r *wire.Record) string {
	name := cleanPath(r.Path)
	if r.Op == wire.OpLink && r.Flags&wire.FlagSymlink != 0 && !path.IsAbs(name) {
		return path.Join(path.Dir(cleanPath(r.To)), name)
	}
	return name
}

// describe fills in the details of the operation and reports whether it is a
// hard link.
func (fs *files) describe(t *touch, r *wire.Record) (hardLink bool) {
	switch r.Op {
	case wire.OpTruncate:
		t.kind, t.file.Flags = mcpsf.KindFileWrite, "wt"
		if r.Text == "allocate" {
			t.file.Flags = "w"
		}
	case wire.OpDelete:
		t.kind = mcpsf.KindFileDelete
	case wire.OpRename:
		t.kind, t.file.To = mcpsf.KindFileRename, cleanPath(r.To)
		if t.decoy == nil { // the operation may overwrite a decoy
			t.decoy = fs.decoys.find(t.file.To, inode{})
		}
		if t.decoy == nil { // or move a directory with a decoy in it
			t.decoy = fs.decoys.inside(t.file.Path)
		}
	case wire.OpLink:
		t.kind, t.file.To = mcpsf.KindFileLink, cleanPath(r.To)
		hardLink = r.Flags&wire.FlagSymlink == 0
	case wire.OpChmod:
		t.kind = mcpsf.KindFileChmod
		if r.Text == "chmod" {
			t.file.Mode = r.Mode
		}
	case wire.OpCreate:
		t.kind, t.file.Mode = mcpsf.KindFileCreate, r.Mode
		if r.Text == "mkdir" {
			t.file.Flags = "d"
		}
	case wire.OpStat:
		t.kind = mcpsf.KindFileStat
	}
	return hardLink
}

// follow updates the decoys' names after a rename, link or delete.
func (fs *files) follow(t *touch, r *wire.Record, ino inode) {
	switch r.Op {
	case wire.OpDelete:
		fs.decoys.deleted(t.file.Path)
	case wire.OpCreate:
		fs.decoys.created(t.file.Path, ino)
	case wire.OpRename:
		fs.decoys.renamed(t.file.Path, t.file.To, fs.decoys.find(t.file.Path, ino))
	case wire.OpLink:
		if r.Flags&wire.FlagSymlink != 0 || t.decoy == nil {
			fs.decoys.deleted(t.file.To) // the name now has another file
			return
		}
		fs.decoys.linked(t.decoy, t.file.To, ino)
	}
}
