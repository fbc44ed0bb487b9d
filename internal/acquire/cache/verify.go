package cache

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// verify compares the content of the entry in dir with its manifest: every
// name, type, owner, mode, link and byte. A difference is a damage.
func verify(dir string, m *manifest, uid int, stop func() error) error {
	root, err := openContent(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return each(root, m.dirs, stop, func(w *worker, f *os.File, j job) error {
		if j.first {
			if err := sameNames(f, j.dir, uid); err != nil {
				return err
			}
		}
		for i := range j.items {
			sum, err := w.inspect(int(f.Fd()), j.dir.path, &j.items[i], uid)
			if err != nil {
				return err
			}
			if sum != j.items[i].sum {
				return &damage{path.Join(j.dir.path, j.items[i].name), "has other content than it was kept with"}
			}
		}
		return nil
	})
}

// openContent opens the content of the entry in dir, which must be a directory
// and no link to one.
func openContent(dir string) (*os.Root, error) {
	content := filepath.Join(dir, contentName)
	info, err := os.Lstat(content)
	if err != nil {
		return nil, lost(contentName, err)
	}
	if !info.IsDir() {
		return nil, &damage{contentName, "is not a directory"}
	}
	root, err := os.OpenRoot(content)
	if err != nil {
		return nil, lost(contentName, err)
	}
	return root, nil
}

// sameNames checks a directory itself and finds names in it that are not in the
// manifest. Missing names are found later.
func sameNames(f *os.File, d *directory, uid int) error {
	info, err := f.Stat()
	if err != nil {
		return lost(d.dot(), err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != uid || uint32(st.Mode)&0o7777 != itemDir.perm() { //nolint:unconvert // not on every system
		return &damage{d.dot(), "has another owner or mode than it was kept with"}
	}
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			if _, ok := slices.BinarySearchFunc(d.items, name, byName); !ok {
				return &damage{path.Join(d.path, name), "was not kept"}
			}
		}
		switch {
		case isEOF(err):
			return nil
		case err != nil:
			return lost(d.dot(), err)
		}
	}
}

func byName(it item, name string) int { return strings.Compare(it.name, name) }

// inspect checks one item and returns the digest of a file's bytes. A
// difference is a damage.
func (w *worker) inspect(dir int, in string, it *item, uid int) (sum [32]byte, err error) {
	if it.kind.isFile() {
		return w.inspectFile(dir, in, it, uid)
	}
	where := func() string { return path.Join(in, it.name) }
	var st unix.Stat_t
	if err := unix.Fstatat(dir, it.name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return sum, lost(where(), err)
	}
	if it.kind == itemDir {
		if st.Mode&unix.S_IFMT != unix.S_IFDIR { // its mode is checked when it is opened
			return sum, &damage{where(), "is not a directory"}
		}
		return sum, nil
	}
	if st.Mode&unix.S_IFMT != unix.S_IFLNK || int(st.Uid) != uid {
		return sum, &damage{where(), "is not the link that was kept"}
	}
	target, err := readLink(dir, it.name)
	if err != nil {
		return sum, lost(where(), err)
	}
	if target != it.link {
		return sum, &damage{where(), "links to another place than it was kept with"}
	}
	return sum, nil
}

func (w *worker) inspectFile(dir int, in string, it *item, uid int) (sum [32]byte, err error) {
	where := func() string { return path.Join(in, it.name) }
	fd, err := open(dir, it.name)
	if err != nil {
		return sum, lost(where(), err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return sum, lost(where(), err)
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return sum, &damage{where(), "is not a file"}
	case uint32(st.Mode)&0o7777 != it.kind.perm() || int(st.Uid) != uid: //nolint:unconvert // not on every system
		return sum, &damage{where(), "has another owner or mode than it was kept with"}
	case st.Size != it.size:
		return sum, &damage{where(), "has another size than it was kept with"}
	}
	sum, err = w.digest(fd, it.size)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return sum, &damage{where(), "became shorter while it was read"}
	case err != nil && w.stop() != nil:
		return sum, w.stop()
	case err != nil:
		return sum, lost(where(), err)
	}
	return sum, nil
}

// readLink reads a link of any length.
func readLink(dir int, name string) (string, error) {
	for size := 256; size <= 1<<20; size *= 4 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(dir, name, buf)
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: unix.ENAMETOOLONG}
}
