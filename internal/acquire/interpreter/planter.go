package interpreter

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds the toolchain that we fetch, not the server
const (
	maxFiles    = 20_000
	maxUnpacked = 768 << 20
)

// planter writes the files of a package into a directory. Packages of runtimes
// and package managers are plain: an entry that is neither a file nor a
// directory, or that does not stay inside, is an error.
type planter struct {
	dst *os.Root
	// limit is how many unpacked bytes are allowed.
	limit int64
	// enough ends a tarball after so many files, 0 for all.
	enough int
	files  int
	bytes  int64
	// seen counts entries, including unwanted ones.
	seen int
}

func newPlanter(dst *os.Root) *planter { return &planter{dst: dst, limit: maxUnpacked} }

// tarball unpacks the wanted files of an npm tarball, without the top
// directory.
func (p *planter) tarball(ctx context.Context, r io.Reader, want func(name string) bool) error {
	if f, ok := r.(io.Seeker); ok {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("reading a package: %w", err)
		}
	}
	zr, err := gzip.NewReader(r)
	if err != nil {
		return damaged(err)
	}
	return p.entries(ctx, zr, func(name string) (string, bool) {
		_, name, _ = strings.Cut(name, "/")
		return name, want(name)
	})
}

// entries unpacks the files of a tar archive for which place has a name.
func (p *planter) entries(ctx context.Context, r io.Reader, place func(name string) (string, bool)) error {
	limited := &io.LimitedReader{R: r, N: p.limit}
	for tr := tar.NewReader(limited); ; {
		h, err := tr.Next()
		switch {
		case limited.N <= 0:
			return tooLarge()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return damaged(err)
		}
		if err := p.count(ctx); err != nil {
			return err
		}
		name, wanted := place(h.Name)
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader || !wanted {
			continue
		}
		if h.Typeflag != tar.TypeReg {
			return damaged(errors.New("it has a link or a device in it"))
		}
		if h.Size > limited.N {
			return tooLarge()
		}
		if err := p.plant(ctx, name, h.FileInfo().Mode(), tr); err != nil || p.files == p.enough {
			return err
		}
	}
}

// zipped unpacks a wheel.
func (p *planter) zipped(ctx context.Context, r io.ReaderAt, size int64) error {
	zr, err := zip.NewReader(r, size)
	if err != nil {
		return damaged(err)
	}
	for _, e := range zr.File {
		if err := p.count(ctx); err != nil {
			return err
		}
		switch {
		case strings.HasSuffix(e.Name, "/"):
			continue
		case !e.Mode().IsRegular():
			return damaged(errors.New("it has a link or a device in it"))
		}
		content, err := e.Open()
		if err != nil {
			return damaged(err)
		}
		err = p.plant(ctx, e.Name, e.Mode(), content)
		_ = content.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *planter) count(ctx context.Context) error {
	if p.seen++; p.seen > maxFiles {
		return tooLarge()
	}
	return ctx.Err()
}

// plant writes one file that everybody can read, because the sandbox may run as
// another user.
func (p *planter) plant(ctx context.Context, name string, mode fs.FileMode, r io.Reader) (err error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return damaged(errors.New("a name in it leads out of it"))
	}
	if err := p.directories(name); err != nil {
		return misplaced(err)
	}
	f, err := p.dst.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return misplaced(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := p.pour(ctx, f, r); err != nil {
		return err
	}
	p.files++
	if err := f.Chmod(0o644 | mode&0o111); err != nil {
		return fmt.Errorf("unpacking into the cache: %w", err)
	}
	return nil
}

// directories makes the directories above a file.
func (p *planter) directories(name string) error {
	for n, c := range name {
		if c != '/' {
			continue
		}
		err := p.dst.Mkdir(name[:n], 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = p.dst.Chmod(name[:n], 0o755) // independent of the umask
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *planter) pour(ctx context.Context, w io.Writer, r io.Reader) error {
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		if p.bytes += int64(n); p.bytes > p.limit {
			return tooLarge()
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return fmt.Errorf("unpacking into the cache: %w", err)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return damaged(err)
		}
	}
}

// misplaced distinguishes errors of the package from those of our disk.
func misplaced(err error) error {
	for _, theirs := range []error{fs.ErrExist, syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG} {
		if errors.Is(err, theirs) {
			return damaged(errors.New("two names in it are in each other's way, or one is too long"))
		}
	}
	return fmt.Errorf("unpacking into the cache: %w", err)
}

func damaged(err error) error {
	return unavailable("a package of the registry cannot be unpacked (%s); check the registry", safetext.Line(err.Error(), maxShown))
}

func tooLarge() error {
	return unavailable("a package of the registry is larger unpacked than any such package is; check the registry")
}
