package image

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// The limits of an image. They are wider than those of a server's own files,
// because an image contains a whole system.
// no gap: a larger package, manifest or list is refused with an error
const (
	maxBytes  = 4 << 30
	maxFiles  = 400_000
	maxDepth  = 128
	maxLayers = 256
)

func limits() staging.Limits {
	return staging.Limits{MaxBytes: maxBytes, MaxFiles: maxFiles, MaxDepth: maxDepth}
}

// rootfs is the file system of an image while its layers are applied. The disk
// is mirrored in memory, so that names are looked up there, and the image's
// links lead where they lead in a container: an absolute link begins at the
// image's root, and ".." of the root is the root. Paths on the disk contain no
// links, and [os.Root] would not follow one out of the tree.
type rootfs struct {
	source string // as typed
	limits staging.Limits
	// u reads the layers within the limits and records what was refused.
	u    *archive.Unpacker
	dst  *os.Root
	root *node
	seen int // entries, including refused ones
	// bytes is the sum of all files, including removed ones.
	bytes int64
	buf   []byte
	// layer is the number of the layer being unpacked, from 1.
	layer int
	nodes int // made so far
	steps int // of name lookups so far
	// skipped counts the devices that were left out, firstSkipped is one.
	skipped      int
	firstSkipped string
}

func newRootfs(source string, dst *os.Root, limits staging.Limits) *rootfs {
	return &rootfs{
		source: source, limits: limits, u: archive.New(source, dst, limits), dst: dst,
		root: &node{children: map[string]*node{}}, buf: make([]byte, 64<<10),
	}
}

// entry adds one entry of a layer. A [archive.RefusedError] concerns only this
// entry.
func (f *rootfs) entry(ctx context.Context, h *tar.Header, r io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil // settings for the following entries; none matters here
	}
	if !utf8.ValidString(h.Name) || !utf8.ValidString(h.Linkname) {
		// Rare but honest, and a report cannot print it.
		f.u.Tree.Notes.Add("left out %s: its name is not valid UTF-8", usererr.Quote(h.Name))
		return nil
	}
	p, why := layerPath(h.Name)
	switch {
	case why != "":
		return archive.RefusedError(why)
	case strings.HasPrefix(path.Base(p), whiteoutPrefix):
		return f.whiteout(p)
	case strings.Contains("/"+path.Dir(p), "/"+whiteoutPrefix):
		return archive.RefusedError("it lies below a mark for removed files")
	case p == "." && h.Typeflag != tar.TypeDir:
		return archive.RefusedError("it would take the place of the tree itself")
	case p == ".":
		return nil
	case archive.IsSparse(h):
		return archive.RefusedError("it is a sparse file, which can be of any size for free")
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont:
		return f.file(ctx, p, h, r)
	case tar.TypeDir:
		return f.directory(p, h)
	case tar.TypeSymlink:
		return f.symlink(p, h.Linkname)
	case tar.TypeLink:
		return f.hardlink(p, h.Linkname)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		if f.skipped++; f.skipped == 1 {
			f.firstSkipped = p
		}
		return nil
	}
	return archive.RefusedError("it is of an unknown kind")
}

// directory keeps the content of an existing directory.
func (f *rootfs) directory(p string, h *tar.Header) error {
	parent, err := f.parent(p)
	if err != nil {
		return err
	}
	base := path.Base(p)
	n := parent.children[base]
	if n != nil && !n.isDir() {
		if err := f.remove(n); err != nil {
			return err
		}
		n = nil
	}
	if n == nil {
		if n, err = f.mkdir(parent, base); err != nil {
			return err
		}
	}
	f.touch(n)
	// Owners are not kept, so all users need read access; write bits stay as in
	// the image.
	mode := h.FileInfo().Mode()&(fs.ModePerm|fs.ModeSticky) | 0o755
	return hostFailure(f.dst.Chmod(n.path(), mode))
}

func (f *rootfs) file(ctx context.Context, p string, h *tar.Header, r io.Reader) error {
	if h.Size > f.limits.MaxBytes-f.bytes {
		return usererr.Usage("the files of the image %s add up to more than %s; mcpsf cannot assess images that large",
			usererr.Quote(f.source), usererr.Size(f.limits.MaxBytes))
	}
	n, err := f.place(p, &node{size: h.Size})
	if err != nil {
		return err
	}
	if err := f.fill(ctx, n, h, r); err != nil {
		return err
	}
	f.bytes += h.Size
	if when := h.ModTime; when.Unix() > 0 && when.Year() < 2200 {
		// Python trusts a compiled file whose recorded time is that of its
		// source.
		return hostFailure(f.dst.Chtimes(n.path(), time.Time{}, when))
	}
	return nil
}

// fill writes exactly the number of bytes that the entry announced.
func (f *rootfs) fill(ctx context.Context, n *node, h *tar.Header, r io.Reader) (err error) {
	out, err := f.dst.OpenFile(n.path(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return hostFailure(err)
	}
	defer func() { err = errors.Join(err, hostFailure(out.Close())) }()
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := r.Read(f.buf)
		if _, err := out.Write(f.buf[:got]); err != nil {
			return hostFailure(err)
		}
		if done += int64(got); done > h.Size {
			return f.u.Damaged("%s is larger than it says", usererr.Quote(h.Name))
		}
		if errors.Is(err, io.EOF) && done == h.Size {
			break
		}
		if err != nil {
			return f.u.Broken(err)
		}
	}
	mode := h.FileInfo().Mode()&fs.ModePerm | 0o444
	if mode&0o111 != 0 {
		mode |= 0o111
	}
	return hostFailure(out.Chmod(mode))
}

// symlink keeps a link unchanged: it is followed only in the sandbox.
func (f *rootfs) symlink(p, target string) error {
	switch {
	case usererr.BadName(target) != "":
		return archive.RefusedError("it is a symbolic link whose target " + usererr.BadName(target))
	case len(target) > usererr.MaxPath:
		return archive.RefusedError("it is a symbolic link whose target is too long")
	case target == "":
		return archive.RefusedError("it is a symbolic link to nothing")
	}
	n, err := f.place(p, &node{target: target})
	if err != nil {
		return err
	}
	return hostFailure(f.dst.Symlink(target, n.path()))
}

func (f *rootfs) hardlink(p, target string) error {
	to, why := layerPath(target)
	if why != "" {
		return archive.RefusedError("it is a hard link out of the image, to " + usererr.Quote(target))
	}
	old, err := f.find(to)
	if err != nil {
		return err
	}
	if old == nil || old.isDir() {
		return archive.RefusedError("it is a hard link to " + usererr.Quote(target) + ", which is no earlier file of the image")
	}
	if old.isLink() {
		return f.symlink(p, old.target)
	}
	parent, err := f.parent(p)
	if err != nil {
		return err
	}
	taken := parent.children[path.Base(p)]
	switch {
	case taken == old:
		f.touch(old)
		return nil
	case old.below(taken):
		return archive.RefusedError("it is a hard link to " + usererr.Quote(target) + ", whose place it takes")
	}
	from := old.path()
	n, err := f.place(p, &node{})
	if err != nil {
		return err
	}
	return hostFailure(f.dst.Link(from, n.path()))
}

// layerPath turns the name of an entry into a path below the root, or says why
// it is refused. A leading slash is the image's root, and names may contain
// everything that Linux allows and that is safe for a terminal.
func layerPath(name string) (p, why string) {
	if why := archive.NameFault(name); why != "" {
		return "", why
	}
	return path.Clean(strings.TrimLeft(name, "/")), ""
}

// hostFailure is an error of this machine while unpacking.
func hostFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return unavailable("there is no space left to unpack the image; free some or clear the cache with: mcpsf cache clear")
	}
	return &mcpsf.Error{Code: mcpsf.CodeInternal, Message: "cannot unpack the image", Err: staging.Bare(err)}
}
