package cache

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
)

// block is the minimal size of a file on most file systems.
const block = 4 << 10

// newManifest lists the content of a new entry in dir, with the digest of every
// file. It gives everything our owner and one of two modes, without setuid: a
// packed file must not become a setuid program of ours.
func newManifest(dir string, uid int, stop func() error) (*manifest, error) {
	if err := settleTop(filepath.Join(dir, contentName), uid); err != nil {
		return nil, err
	}
	root, err := openContent(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	s := &lister{root: root, uid: uid, m: &manifest{}, todo: []string{""}}
	for len(s.todo) > 0 {
		if err := stop(); err != nil {
			return nil, err
		}
		last := len(s.todo) - 1
		dir := s.todo[last]
		s.todo = s.todo[:last]
		if err := s.list(dir); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.m.dirs, func(a, b directory) int { return strings.Compare(a.path, b.path) })
	err = each(root, s.m.dirs, stop, func(w *worker, f *os.File, j job) error {
		for i := range j.items {
			sum, err := w.inspect(int(f.Fd()), j.dir.path, &j.items[i], uid)
			if damaged(err) {
				return fmt.Errorf("the cache's file system does not keep what it was given: %w", err)
			}
			if err != nil {
				return err
			}
			j.items[i].sum = sum
		}
		return nil
	})
	return s.m, err
}

// lister writes the directories of a content into a manifest.
type lister struct {
	root  *os.Root
	uid   int
	m     *manifest
	items int
	todo  []string
}

// list records the content of one directory, and queues its subdirectories.
func (s *lister) list(dir string) error {
	d := directory{path: dir}
	f, err := s.root.OpenFile(d.dot(), os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return fmt.Errorf("listing a cache entry: %w", err)
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			it, err := s.item(int(f.Fd()), dir, name)
			if err != nil {
				return err
			}
			d.items = append(d.items, it)
		}
		if isEOF(err) {
			break
		}
		if err != nil {
			return fmt.Errorf("listing a cache entry: %w", err)
		}
	}
	slices.SortFunc(d.items, func(a, b item) int { return strings.Compare(a.name, b.name) })
	s.m.dirs = append(s.m.dirs, d)
	return nil
}

func (s *lister) item(dir int, in, name string) (item, error) {
	it, where := item{name: name}, path.Join(in, name)
	var st unix.Stat_t
	if err := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return it, fmt.Errorf("looking at %q: %w", where, err)
	}
	if s.items++; s.items > maxItems {
		return it, refuse("there are more than %d files; the cache keeps no such tree", maxItems)
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if strings.Count(where, "/") >= maxDepth {
			return it, refuse("%q is nested deeper than %d directories; the cache keeps no such tree", where, maxDepth)
		}
		it.kind = itemDir
		s.todo = append(s.todo, where)
	case unix.S_IFREG:
		it.kind, it.size = itemFile, st.Size
		if st.Mode&0o111 != 0 {
			it.kind = itemProgram
		}
		s.m.Files++
	case unix.S_IFLNK:
		target, err := readLink(dir, name)
		if err != nil {
			return it, fmt.Errorf("reading the link %q: %w", where, err)
		}
		it.kind, it.link = itemLink, target
		s.m.Files++
	default:
		return it, refuse("%q is neither a file nor a directory nor a link; the cache keeps no such thing", where)
	}
	s.m.Bytes += (it.size + block - 1) / block * block
	if it.kind == itemDir {
		s.m.Bytes += block
	}
	return it, s.settle(dir, where, &it, &st)
}

// settleTop sets the owner and mode of the content directory.
func settleTop(content string, uid int) error {
	info, err := os.Lstat(content)
	if err == nil && !info.IsDir() {
		return refuse("what was to be kept is not in the directory it was to be put in")
	}
	if err == nil {
		err = os.Chown(content, uid, -1)
	}
	if err == nil {
		err = os.Chmod(content, os.FileMode(itemDir.perm()))
	}
	if err != nil {
		return fmt.Errorf("settling the owner and mode of a cache entry: %w", err)
	}
	return nil
}

// settle sets an item's owner and mode. The owner comes first, because changing
// it clears bits of the mode.
func (s *lister) settle(dir int, where string, it *item, st *unix.Stat_t) error {
	var err error
	if int(st.Uid) != s.uid {
		err = unix.Fchownat(dir, it.name, s.uid, -1, unix.AT_SYMLINK_NOFOLLOW)
	}
	if it.kind != itemLink && uint32(st.Mode)&0o7777 != it.kind.perm() { //nolint:unconvert // not on every system
		err = errors.Join(err, unix.Fchmodat(dir, it.name, it.kind.perm(), 0))
	}
	if err != nil {
		return fmt.Errorf("settling the owner and mode of %q: %w", where, err)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf(format, args...)}
}
