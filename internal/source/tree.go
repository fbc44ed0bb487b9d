package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// entry is one name in the tree as it was when it was surveyed. Paths are
// relative to the tree and separated by slashes everywhere.
type entry struct {
	path   string
	info   fs.FileInfo
	target string   // of a symbolic link
	sum    [32]byte // of a regular file, known once it was copied
	// veiled says that the file may hold secrets of its owner, which are
	// replaced in the copy; dropped that it could not be copied so.
	veiled  veiled
	dropped bool
}

func (e *entry) isDir() bool  { return e.info.IsDir() }
func (e *entry) isLink() bool { return e.info.Mode()&fs.ModeSymlink != 0 }
func (e *entry) isFile() bool { return e.info.Mode().IsRegular() }

// executable reports whether anyone may execute the file.
func (e *entry) executable() bool { return e.isFile() && e.info.Mode()&0o111 != 0 }

// tree is everything that will be copied, sorted by path, so that a directory
// comes before what is in it.
type tree struct {
	entries []*entry
	byPath  map[string]*entry
	bytes   int64
	notes   notes
}

// survey lists the tree below root and refuses what cannot or must not be
// copied. It reads no file: sizes are checked before the first byte is
// copied, and a FIFO is never opened. stage is left out if it is in there.
func survey(ctx context.Context, root *os.Root, stage fs.FileInfo, opts Options) (*tree, error) {
	s := &surveyor{root: root, stage: stage, opts: opts, tree: &tree{byPath: map[string]*entry{}}}
	info, err := root.Lstat(".")
	if err != nil {
		return nil, unreadable(".", err)
	}
	s.todo = []*entry{{path: ".", info: info}}
	for len(s.todo) > 0 {
		last := len(s.todo) - 1
		dir := s.todo[last]
		s.todo = s.todo[:last]
		if err := s.list(ctx, dir); err != nil {
			return nil, err
		}
	}
	t := s.tree
	slices.SortFunc(t.entries, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	s.noteSkipped()
	return t, t.settleLinks(ctx)
}

type surveyor struct {
	root    *os.Root
	stage   fs.FileInfo
	opts    Options
	tree    *tree
	todo    []*entry
	skipped []string
	// machine holds what was made for this machine or by tools for themselves.
	machine leftBehind
}

// list adds what is in one directory. It reads in batches, so that the limit
// on files also bounds memory.
func (s *surveyor) list(ctx context.Context, dir *entry) error {
	const batch = 512
	f, err := reopen(s.root, dir)
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
			if err := s.add(dir.path, c); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return unreadable(dir.path, err)
		}
	}
}

func (s *surveyor) add(dir string, c fs.DirEntry) error {
	p := path.Join(dir, c.Name())
	if bad := badName(c.Name()); bad != "" {
		return usage("the name %s %s; rename it or assess a copy without it", quote(p), bad)
	}
	info, err := c.Info()
	if err != nil {
		return unreadable(p, err)
	}
	if leftOut(c.Name()) {
		s.skipped = append(s.skipped, p)
		return nil
	}
	if s.machine.takes(s.root, p, info) {
		return nil
	}
	if ourReport(c.Name()) {
		return nil // assessing the same directory again must find the same
	}
	if s.stage != nil && os.SameFile(info, s.stage) {
		return nil
	}
	e := &entry{path: p, info: info}
	if err := s.check(e); err != nil {
		return err
	}
	if e.isLink() {
		if e.target, err = s.root.Readlink(p); err != nil {
			return unreadable(p, err)
		}
		if bad := badName(e.target); bad != "" {
			return usage("the target of the symbolic link %s %s; remove it or assess a copy without it", quote(p), bad)
		}
	}
	if e.isDir() {
		s.todo = append(s.todo, e)
	}
	s.tree.put(e)
	return nil
}

func (s *surveyor) check(e *entry) error {
	if kind := special(e.info.Mode()); kind != "" {
		return usage("the tree contains %s: %s; remove it or assess a copy without it", kind, quote(e.path))
	}
	if len(s.tree.entries) >= s.opts.MaxFiles {
		return usage("the tree has more than %d files; assess a smaller directory", s.opts.MaxFiles)
	}
	if strings.Count(e.path, "/") >= s.opts.MaxDepth {
		return usage("%s is nested deeper than %d directories; assess a copy without it", quote(e.path), s.opts.MaxDepth)
	}
	if e.isFile() && e.info.Size() > s.opts.MaxBytes-s.tree.bytes {
		return usage("the files add up to more than %s (%s alone is %s); remove what the server does not need or assess a copy without it",
			size(s.opts.MaxBytes), quote(e.path), size(e.info.Size()))
	}
	return nil
}

// put adds an entry that passed every check.
func (t *tree) put(e *entry) {
	t.entries = append(t.entries, e)
	t.byPath[e.path] = e
	if e.isFile() {
		t.bytes += e.info.Size()
	}
	if e.info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 && e.isFile() {
		t.notes.add("%s lost its setuid or setgid bit in the copy", quote(e.path))
	}
}

// file returns the regular file that p leads to, nil if there is none.
func (t *tree) file(p string) *entry {
	p, fate := t.follow(p, new(int))
	if e := t.byPath[p]; fate == linkInside && e != nil && e.isFile() {
		return e
	}
	return nil
}

// leftOut names what is never part of a server: version history. Compiled
// Python is copied like everything else, because the interpreter may run it in
// place of the source beside it.
func leftOut(name string) bool { return name == ".git" }

// ourReport recognises the directory an earlier run left its report in.
func ourReport(name string) bool { return reportName.MatchString(name) }

var reportName = regexp.MustCompile(`^\d{8}-\d{6}-[0-9a-f]{8}$`)

func (s *surveyor) noteSkipped() {
	slices.Sort(s.skipped)
	for _, p := range s.skipped {
		s.tree.notes.add("left out %s: version history is not part of the server", quote(p))
	}
	s.machine.note(&s.tree.notes)
}

// special says what a file is that is neither file, directory nor link.
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

// reopen opens a surveyed file or directory for reading and makes sure that
// it still is the same one. It neither blocks on a FIFO nor trusts a symbolic
// link that took the place of what was surveyed.
func reopen(root *os.Root, e *entry) (*os.File, error) {
	f, err := root.OpenFile(e.path, os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, changed(e.path)
	}
	if err != nil {
		return nil, unreadable(e.path, err)
	}
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, e.info) || info.Mode().Type() != e.info.Mode().Type() {
		f.Close()
		return nil, changed(e.path)
	}
	return f, nil
}

func changed(p string) error {
	return usage("%s changed while it was being copied; try again when nothing writes to the directory", quote(p))
}

func unreadable(p string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return usage("%s cannot be read: permission denied; make it readable or assess a copy without it", quote(p))
	}
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot read " + quote(p), Err: bare(err)}
}

// bare strips the path from an error of package os: it is printed elsewhere,
// quoted.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
