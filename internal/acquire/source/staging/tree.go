package staging

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Entry is one name in the tree at the time of the survey. Paths are relative
// to the tree and separated by slashes on every system.
type Entry struct {
	Path   string
	Info   fs.FileInfo
	Target string   // of a symbolic link
	Sum    [32]byte // of a regular file, set when it is copied
	// secret says that the file may contain secrets of its owner, which are
	// replaced in the copy; dropped says that this was not possible.
	secret  redact.SecretFile
	dropped bool
}

// IsDir reports whether the entry is a directory.
func (e *Entry) IsDir() bool { return e.Info.IsDir() }

// IsLink reports whether the entry is a symbolic link.
func (e *Entry) IsLink() bool { return e.Info.Mode()&fs.ModeSymlink != 0 }

// IsFile reports whether the entry is a regular file.
func (e *Entry) IsFile() bool { return e.Info.Mode().IsRegular() }

// Executable reports whether anyone may execute the file.
func (e *Entry) Executable() bool { return e.IsFile() && e.Info.Mode()&0o111 != 0 }

// Tree is everything that will be copied, sorted by path, so that a directory
// comes before its content.
type Tree struct {
	Entries []*Entry
	ByPath  map[string]*Entry
	Bytes   int64
	Notes   usererr.Notes
}

// NewTree returns a tree with nothing in it.
func NewTree() *Tree { return &Tree{ByPath: map[string]*Entry{}} }

// survey lists the tree below root and refuses what cannot or must not be
// copied. It reads no file: sizes are checked before the first byte is copied,
// and a FIFO is never opened. stage is left out if it is inside.
func survey(ctx context.Context, root *os.Root, stage fs.FileInfo, limits Limits) (*Tree, error) {
	s := &surveyor{root: root, stage: stage, limits: limits, tree: NewTree()}
	info, err := root.Lstat(".")
	if err != nil {
		return nil, Unreadable(".", err)
	}
	s.todo = []*Entry{{Path: ".", Info: info}}
	for len(s.todo) > 0 {
		last := len(s.todo) - 1
		dir := s.todo[last]
		s.todo = s.todo[:last]
		if err := s.list(ctx, dir); err != nil {
			return nil, err
		}
	}
	t := s.tree
	slices.SortFunc(t.Entries, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
	s.noteSkipped()
	return t, t.settleLinks(ctx)
}

type surveyor struct {
	root    *os.Root
	stage   fs.FileInfo
	limits  Limits
	tree    *Tree
	todo    []*Entry
	skipped []string
	// machine has what was made for this machine or by tools for themselves.
	machine leftBehind
}

// list adds the content of one directory. It reads in batches, so that the
// limit on files also bounds memory.
func (s *surveyor) list(ctx context.Context, dir *Entry) error {
	const batch = 512
	f, err := Reopen(s.root, dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		children, err := f.ReadDir(batch)
		for _, c := range children {
			if err := s.add(dir.Path, c); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return Unreadable(dir.Path, err)
		}
	}
}

func (s *surveyor) add(dir string, c fs.DirEntry) error {
	p := path.Join(dir, c.Name())
	if bad := usererr.BadName(c.Name()); bad != "" {
		return usererr.Usage("the name %s %s; rename it or assess a copy without it", usererr.Quote(p), bad)
	}
	info, err := c.Info()
	if err != nil {
		return Unreadable(p, err)
	}
	if LeftOut(c.Name()) {
		s.skipped = append(s.skipped, p)
		return nil
	}
	if s.machine.takes(s.root, p, info) {
		return nil
	}
	if OurReport(c.Name()) {
		return nil // assessing the same directory again must give the same digest
	}
	if s.stage != nil && os.SameFile(info, s.stage) {
		return nil
	}
	e := &Entry{Path: p, Info: info}
	if err := s.check(e); err != nil {
		return err
	}
	if e.IsLink() {
		if e.Target, err = s.root.Readlink(p); err != nil {
			return Unreadable(p, err)
		}
		if bad := usererr.BadName(e.Target); bad != "" {
			return usererr.Usage("the target of the symbolic link %s %s; remove it or assess a copy without it", usererr.Quote(p), bad)
		}
	}
	if e.IsDir() {
		s.todo = append(s.todo, e)
	}
	s.tree.Put(e)
	return nil
}

func (s *surveyor) check(e *Entry) error {
	if kind := special(e.Info.Mode()); kind != "" {
		return usererr.Usage("the tree contains %s: %s; remove it or assess a copy without it", kind, usererr.Quote(e.Path))
	}
	if len(s.tree.Entries) >= s.limits.MaxFiles {
		return usererr.Usage("the tree has more than %d files; assess a smaller directory", s.limits.MaxFiles)
	}
	if strings.Count(e.Path, "/") >= s.limits.MaxDepth {
		return usererr.Usage("%s is nested deeper than %d directories; assess a copy without it", usererr.Quote(e.Path), s.limits.MaxDepth)
	}
	if e.IsFile() && e.Info.Size() > s.limits.MaxBytes-s.tree.Bytes {
		return usererr.Usage("the files add up to more than %s (%s alone is %s); remove what the server does not need or assess a copy without it",
			usererr.Size(s.limits.MaxBytes), usererr.Quote(e.Path), usererr.Size(e.Info.Size()))
	}
	return nil
}

// Put adds an entry that passed every check.
func (t *Tree) Put(e *Entry) {
	t.Entries = append(t.Entries, e)
	t.ByPath[e.Path] = e
	if e.IsFile() {
		t.Bytes += e.Info.Size()
	}
	if e.Info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 && e.IsFile() {
		t.Notes.Add("%s lost its setuid or setgid bit in the copy", usererr.Quote(e.Path))
	}
}

// File returns the regular file that p leads to, nil if there is none.
func (t *Tree) File(p string) *Entry {
	p, fate := t.Follow(p, new(int))
	if e := t.ByPath[p]; fate == Inside && e != nil && e.IsFile() {
		return e
	}
	return nil
}

// Files counts regular files.
func (t *Tree) Files() int {
	n := 0
	for _, e := range t.Entries {
		if e.IsFile() {
			n++
		}
	}
	return n
}

// LeftOut names what is never part of a server: version history. Compiled
// Python is copied like everything else, because the interpreter may run it in
// place of the source beside it.
func LeftOut(name string) bool { return name == ".git" }

// OurReport recognises the report directory of an earlier run.
func OurReport(name string) bool { return reportName.MatchString(name) }

var reportName = lazyregexp.New(`^\d{8}-\d{6}-[0-9a-f]{8}$`)

func (s *surveyor) noteSkipped() {
	slices.Sort(s.skipped)
	for _, p := range s.skipped {
		s.tree.Notes.Add("left out %s: version history is not part of the server", usererr.Quote(p))
	}
	s.machine.note(&s.tree.Notes)
}

// special names the type of a special file.
func special(mode fs.FileMode) string {
	switch {
	case mode.IsRegular() || mode.IsDir() || mode.Type() == fs.ModeSymlink:
		return ""
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something that is neither file nor directory"
}

// Reopen opens a surveyed file or directory for reading and checks that it is
// still the same. It neither blocks on a FIFO nor follows a symbolic link that
// replaced the file.
func Reopen(root *os.Root, e *Entry) (*os.File, error) { return reopen(root, e.Path, e) }

// reopen opens an entry by its path below a directory, which may be its own.
func reopen(dir *os.Root, name string, e *Entry) (*os.File, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|OpenFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Changed(e.Path)
	}
	if err != nil {
		return nil, Unreadable(e.Path, err)
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, e.Info) || info.Mode().Type() != e.Info.Mode().Type() {
		f.Close()
		return nil, Changed(e.Path)
	}
	return f, nil
}

// Changed says that a file is not the one that was surveyed.
func Changed(p string) error {
	return usererr.Usage("%s changed while it was being copied; try again when nothing writes to the directory", usererr.Quote(p))
}

// Unreadable says why a file cannot be read.
func Unreadable(p string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return usererr.Usage("%s cannot be read: permission denied; make it readable or assess a copy without it", usererr.Quote(p))
	}
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot read " + usererr.Quote(p), Err: Bare(err)}
}

// Bare removes the path from an error of package os, because the path is
// printed elsewhere, quoted.
func Bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
