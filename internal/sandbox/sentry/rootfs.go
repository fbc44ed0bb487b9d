//go:build linux

package sentry

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Kept marks the entries of the payload that an earlier start left.
const Kept = "MCPSF.kept"

// rootFS is the sandbox's file system: filled before the target runs, exported
// after it has ended.
type rootFS struct {
	conf    *Config
	rec     *recorder
	payload []byte

	// root and ours are kept for the export: the file system and the names of
	// the planted files.
	root vfs.VirtualDentry
	ours map[string]bool
	// filled is when all files were planted, those of an earlier start excepted, in
	// nanoseconds of the sandbox's clock: what that left is exported again.
	filled int64
}

// populate unpacks the payload, a tar archive written by the orchestrator, into
// the sandbox's own memory. Unpacking in here gives every file its owner, mode
// and time, which a directory of the host could not if the host user is an
// ordinary one.
func (fs *rootFS) populate(t *kernel.Task) error {
	if fs.payload == nil {
		return nil
	}
	ns := t.MountNamespace()
	root := ns.Root(t)
	defer root.DecRef(t)
	if len(fs.conf.Export) > 0 {
		root.IncRef()
		fs.root, fs.ours = root, map[string]bool{}
	}
	f := filler{
		ctx:     t,
		vfs:     t.Kernel().VFS(),
		creds:   auth.NewRootCredentials(t.Kernel().RootUserNamespace()),
		root:    root,
		planted: fs.planted,
		ours:    fs.ours,
		buf:     make([]byte, 256<<10),
		now:     func() int64 { return t.Kernel().RealtimeClock().Now().Nanoseconds() },
	}
	if err := f.fill(tar.NewReader(bytes.NewReader(fs.payload))); err != nil {
		return err
	}
	if fs.filled = f.filled; fs.filled == 0 {
		fs.filled = f.now()
	}
	dir, err := f.vfs.GetDentryAt(t, f.creds, f.at(fs.conf.WorkDir), &vfs.GetDentryOptions{CheckSearchable: true})
	if err != nil {
		return fmt.Errorf("entering the work directory: %w", err)
	}
	t.FSContext().SetWorkingDirectory(t, dir)
	dir.DecRef(t)
	err = unix.Munmap(fs.payload)
	fs.payload = nil
	return err
}

// planted records the inode of a file in the user's home. A file can be renamed
// faster than the renames can be recorded in order; the inode stays the same.
func (fs *rootFS) planted(name string, stat *linux.Statx) {
	var id identity
	id.setStat(stat)
	fs.rec.emit(&wire.Record{Op: wire.OpStat, Text: "planted", Path: name, Dev: id.dev, Ino: id.ino})
}

type filler struct {
	ctx     context.Context
	vfs     *vfs.VirtualFilesystem
	creds   *auth.Credentials
	root    vfs.VirtualDentry
	planted func(name string, stat *linux.Statx)
	ours    map[string]bool
	buf     []byte // copy buffer for all files
	now     func() int64
	filled  int64 // when the first entry of an earlier start came, 0 if none did
}

func (f *filler) fill(tr *tar.Reader) error {
	for {
		header, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the payload: %w", err)
		}
		if header.PAXRecords[Kept] != "" && f.filled == 0 {
			f.filled = f.now() - 1
		}
		if err := f.entry(header, tr); err != nil {
			return fmt.Errorf("%q: %w", header.Name, err)
		}
	}
}

func (f *filler) at(name string) *vfs.PathOperation {
	return &vfs.PathOperation{Root: f.root, Start: f.root, Path: fspath.Parse(name)}
}

func (f *filler) entry(h *tar.Header, content io.Reader) error {
	if f.ours != nil && h.Typeflag != tar.TypeDir && ofTheUser(h.Name) {
		f.ours[h.Name] = true
	}
	switch h.Typeflag {
	case tar.TypeDir:
		err := f.vfs.MkdirAt(f.ctx, f.creds, f.at(h.Name), &vfs.MkdirOptions{Mode: linux.FileMode(h.Mode & 0o7777)})
		if err != nil && !linuxerr.Equals(linuxerr.EEXIST, err) {
			return err
		}
	case tar.TypeSymlink:
		err := f.vfs.SymlinkAt(f.ctx, f.creds, f.at(h.Name), h.Linkname)
		if linuxerr.Equals(linuxerr.EEXIST, err) { // replaces an earlier entry of the payload
			if err = f.vfs.UnlinkAt(f.ctx, f.creds, f.at(h.Name)); err == nil {
				err = f.vfs.SymlinkAt(f.ctx, f.creds, f.at(h.Name), h.Linkname)
			}
		}
		return err
	case tar.TypeReg:
		if err := f.file(h, content); err != nil {
			return err
		}
	default:
		return fmt.Errorf("payload has an entry of type %c", h.Typeflag)
	}
	err := f.vfs.SetStatAt(f.ctx, f.creds, f.at(h.Name), &vfs.SetStatOptions{Stat: linux.Statx{
		Mask:  linux.STATX_MODE | linux.STATX_UID | linux.STATX_GID | linux.STATX_MTIME | linux.STATX_ATIME,
		Mode:  uint16(h.Mode & 0o7777),
		UID:   uint32(h.Uid),
		GID:   uint32(h.Gid),
		Mtime: linux.StatxTimestamp{Sec: h.ModTime.Unix()},
		Atime: linux.StatxTimestamp{Sec: h.ModTime.Unix()},
	}})
	if err != nil || h.Typeflag != tar.TypeReg || !ofTheUser(h.Name) {
		return err
	}
	stat, err := f.vfs.StatAt(f.ctx, f.creds, f.at(h.Name), &vfs.StatOptions{Mask: linux.STATX_INO | linux.STATX_TYPE})
	if err == nil {
		f.planted(h.Name, &stat)
	}
	return err
}

// ofTheUser reports whether a name is in the home, but not part of the target.
func ofTheUser(name string) bool {
	return strings.HasPrefix(name, mcpsf.Home+"/") && !strings.HasPrefix(name, mcpsf.WorkDir+"/")
}

func (f *filler) file(h *tar.Header, content io.Reader) error {
	open := func() (*vfs.FileDescription, error) {
		return f.vfs.OpenAt(f.ctx, f.creds, f.at(h.Name), &vfs.OpenOptions{
			Flags: linux.O_WRONLY | linux.O_CREAT | linux.O_EXCL,
			Mode:  linux.FileMode(h.Mode & 0o7777),
		})
	}
	file, err := open()
	if linuxerr.Equals(linuxerr.EEXIST, err) { // an image has its own /etc
		if err := f.vfs.UnlinkAt(f.ctx, f.creds, f.at(h.Name)); err != nil {
			return err
		}
		file, err = open()
	}
	if err != nil {
		return err
	}
	defer file.DecRef(f.ctx)
	for {
		n, readErr := content.Read(f.buf)
		for rest := f.buf[:n]; len(rest) > 0; {
			wrote, err := file.Write(f.ctx, usermem.BytesIOSequence(rest), vfs.WriteOptions{})
			if err != nil {
				return err
			}
			rest = rest[wrote:]
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}
