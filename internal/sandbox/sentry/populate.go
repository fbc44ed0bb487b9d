//go:build linux

package sentry

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"
)

// populate unpacks the payload, a tar archive written by the orchestrator,
// into the sandbox's own memory. Doing it in here gives every file the owner,
// mode and time it should have, which a directory of the host could not when
// the host user is an ordinary one.
func (o *observer) populate(t *kernel.Task) error {
	if o.payload == nil {
		return nil
	}
	ns := t.MountNamespace()
	root := ns.Root(t)
	defer root.DecRef(t)
	f := filler{
		ctx:   t,
		vfs:   t.Kernel().VFS(),
		creds: auth.NewRootCredentials(t.Kernel().RootUserNamespace()),
		root:  root,
	}
	if err := f.fill(tar.NewReader(bytes.NewReader(o.payload))); err != nil {
		return err
	}
	err := unix.Munmap(o.payload)
	o.payload = nil
	return err
}

type filler struct {
	ctx   context.Context
	vfs   *vfs.VirtualFilesystem
	creds *auth.Credentials
	root  vfs.VirtualDentry
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
		if err := f.entry(header, tr); err != nil {
			return fmt.Errorf("%q: %w", header.Name, err)
		}
	}
}

func (f *filler) at(name string) *vfs.PathOperation {
	return &vfs.PathOperation{Root: f.root, Start: f.root, Path: fspath.Parse(name)}
}

func (f *filler) entry(h *tar.Header, content io.Reader) error {
	switch h.Typeflag {
	case tar.TypeDir:
		err := f.vfs.MkdirAt(f.ctx, f.creds, f.at(h.Name), &vfs.MkdirOptions{Mode: linux.FileMode(h.Mode & 0o7777)})
		if err != nil && !linuxerr.Equals(linuxerr.EEXIST, err) {
			return err
		}
	case tar.TypeSymlink:
		return f.vfs.SymlinkAt(f.ctx, f.creds, f.at(h.Name), h.Linkname)
	case tar.TypeReg:
		if err := f.file(h, content); err != nil {
			return err
		}
	default:
		return fmt.Errorf("payload has an entry of type %c", h.Typeflag)
	}
	return f.vfs.SetStatAt(f.ctx, f.creds, f.at(h.Name), &vfs.SetStatOptions{Stat: linux.Statx{
		Mask:  linux.STATX_MODE | linux.STATX_UID | linux.STATX_GID | linux.STATX_MTIME | linux.STATX_ATIME,
		Mode:  uint16(h.Mode & 0o7777),
		UID:   uint32(h.Uid),
		GID:   uint32(h.Gid),
		Mtime: linux.StatxTimestamp{Sec: h.ModTime.Unix()},
		Atime: linux.StatxTimestamp{Sec: h.ModTime.Unix()},
	}})
}

func (f *filler) file(h *tar.Header, content io.Reader) error {
	file, err := f.vfs.OpenAt(f.ctx, f.creds, f.at(h.Name), &vfs.OpenOptions{
		Flags: linux.O_WRONLY | linux.O_CREAT | linux.O_EXCL,
		Mode:  linux.FileMode(h.Mode & 0o7777),
	})
	if err != nil {
		return err
	}
	defer file.DecRef(f.ctx)
	buf := make([]byte, 1<<20)
	for {
		n, readErr := content.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
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
