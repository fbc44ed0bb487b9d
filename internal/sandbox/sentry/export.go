//go:build linux

package sentry

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"time"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxExportDepth bounds how deep the export follows directories.
// gap: state-not-kept
const maxExportDepth = 256

// export writes what the first process left behind, if the configuration asks
// for it, as a tar archive in pieces. It reads with the kernel's own rights
// from the kernel's own file systems: it uses no program of the sandbox, which
// the target could have replaced.
func (fs *rootFS) export(t *kernel.Task) {
	if len(fs.conf.Export) == 0 {
		return
	}
	out := &pieces{rec: fs.rec, left: fs.conf.MaxExport, buf: make([]byte, 0, wire.MaxData)}
	e := &exporter{
		ctx: t, vfs: t.Kernel().VFS(), root: fs.root, ours: fs.ours,
		creds: auth.NewRootCredentials(t.Kernel().RootUserNamespace()),
		tar:   tar.NewWriter(out), buf: make([]byte, 256<<10),
	}
	if fs.conf.ExportChanged {
		e.ours, e.since = nil, fs.filled
	}
	var err error
	for _, dir := range fs.conf.Export {
		if err == nil {
			err = e.dir(dir, 0)
		}
	}
	if err == nil {
		err = e.tar.Close()
	}
	out.flush()
	end := &wire.Record{Op: wire.OpExport, Total: out.total}
	if err != nil {
		end.Text = err.Error()
	}
	fs.rec.emit(end)
}

// pieces cuts the archive into records.
type pieces struct {
	rec   *recorder
	left  int64
	total uint64
	buf   []byte
}

var errExportTooLarge = errors.New("what was left behind is larger than may be handed out")

// Write implements [io.Writer].
func (p *pieces) Write(b []byte) (int, error) {
	if p.left -= int64(len(b)); p.left < 0 {
		return 0, errExportTooLarge
	}
	p.total += uint64(len(b))
	for rest := b; len(rest) > 0; {
		n := min(len(rest), cap(p.buf)-len(p.buf))
		p.buf = append(p.buf, rest[:n]...)
		rest = rest[n:]
		if len(p.buf) == cap(p.buf) {
			p.flush()
		}
	}
	return len(b), nil
}

func (p *pieces) flush() {
	if len(p.buf) > 0 {
		p.rec.emit(&wire.Record{Op: wire.OpExport, Data: p.buf})
		p.buf = p.buf[:0]
	}
}

type exporter struct {
	ctx   context.Context
	vfs   *vfs.VirtualFilesystem
	creds *auth.Credentials
	root  vfs.VirtualDentry
	ours  map[string]bool
	// since is the clock in nanoseconds; what was not touched after it is left out.
	since int64
	tar   *tar.Writer
	buf   []byte
}

func (e *exporter) at(name string) *vfs.PathOperation {
	return &vfs.PathOperation{Root: e.root, Start: e.root, Path: fspath.Parse(name)}
}

// dir writes the entries of a directory, by name, so that the same tree gives
// the same archive.
func (e *exporter) dir(name string, depth int) error {
	if depth > maxExportDepth {
		return fmt.Errorf("directories deeper than %d", maxExportDepth)
	}
	names, err := e.names(name)
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := e.entry(path.Join(name, n), depth); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) names(dir string) ([]string, error) {
	file, err := e.vfs.OpenAt(e.ctx, e.creds, e.at(dir), &vfs.OpenOptions{Flags: linux.O_RDONLY | linux.O_DIRECTORY})
	if err != nil {
		return nil, fmt.Errorf("opening %q: %w", dir, err)
	}
	defer file.DecRef(e.ctx)
	var names dirents
	if err := file.IterDirents(e.ctx, &names); err != nil {
		return nil, fmt.Errorf("listing %q: %w", dir, err)
	}
	slices.Sort(names)
	return names, nil
}

// dirents collects names.
type dirents []string

// Handle implements [vfs.IterDirentsCallback].
func (d *dirents) Handle(entry vfs.Dirent) error {
	if entry.Name != "." && entry.Name != ".." {
		*d = append(*d, entry.Name)
	}
	return nil
}

func (e *exporter) entry(name string, depth int) error {
	if e.ours[name] {
		return nil
	}
	const mask = linux.STATX_TYPE | linux.STATX_MODE | linux.STATX_SIZE | linux.STATX_UID | linux.STATX_GID | linux.STATX_MTIME | linux.STATX_CTIME
	stat, err := e.vfs.StatAt(e.ctx, e.creds, e.at(name), &vfs.StatOptions{Mask: mask})
	if err != nil {
		return nil //nolint:nilerr // it has gone: something may still be running
	}
	h := &tar.Header{
		Name: name, Mode: int64(stat.Mode & 0o7777), Uid: int(stat.UID), Gid: int(stat.GID),
		ModTime: time.Unix(stat.Mtime.Sec, 0), Format: tar.FormatPAX,
	}
	// A program can set the time of modification, but not that of the last change.
	kind, old := linux.FileMode(stat.Mode).FileType(), stat.Ctime.ToNsec() <= e.since
	if old && kind != linux.ModeDirectory {
		return nil
	}
	switch kind {
	case linux.ModeDirectory:
		h.Typeflag = tar.TypeDir
		if old {
			return e.dir(name, depth+1)
		}
		if err := e.tar.WriteHeader(h); err != nil {
			return err
		}
		return e.dir(name, depth+1)
	case linux.ModeSymlink:
		h.Typeflag = tar.TypeSymlink
		if h.Linkname, err = e.vfs.ReadlinkAt(e.ctx, e.creds, e.at(name)); err != nil {
			return nil //nolint:nilerr // gone, too
		}
		return e.tar.WriteHeader(h)
	case linux.ModeRegular:
		h.Typeflag, h.Size = tar.TypeReg, int64(stat.Size)
		return e.file(h)
	}
	return nil // sockets, pipes and devices are never part of an installation
}

// file writes as many bytes as the header says, even if the file changes
// meanwhile.
func (e *exporter) file(h *tar.Header) error {
	file, err := e.vfs.OpenAt(e.ctx, e.creds, e.at(h.Name), &vfs.OpenOptions{Flags: linux.O_RDONLY | linux.O_NOFOLLOW})
	if err != nil {
		return nil // deleted, too
	}
	defer file.DecRef(e.ctx)
	if err := e.tar.WriteHeader(h); err != nil {
		return err
	}
	for left := h.Size; left > 0; {
		want := e.buf[:min(int64(len(e.buf)), left)]
		n, err := file.Read(e.ctx, usermem.BytesIOSequence(want), vfs.ReadOptions{})
		if n == 0 || err != nil && !errors.Is(err, io.EOF) {
			clear(want)
			n = int64(len(want))
		}
		if _, err := e.tar.Write(want[:n]); err != nil {
			return err
		}
		left -= n
	}
	return nil
}
