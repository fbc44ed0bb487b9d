package archive

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// gzip unpacks a compressed tar.
func (u *Unpacker) gzip(ctx context.Context, r io.Reader) error {
	z, err := gzip.NewReader(u.Counted(Stream(ctx, r)))
	if err != nil {
		return u.Broken(err)
	}
	defer z.Close()
	return u.tar(ctx, z)
}

func (u *Unpacker) plainTar(ctx context.Context, r io.Reader) error {
	return u.tar(ctx, u.Counted(Stream(ctx, r)))
}

// Counted counts the compressed bytes that were read: a decompression bomb has
// very few for its size.
func (u *Unpacker) Counted(r io.Reader) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		n, err := r.Read(b)
		u.Consumed += int64(n)
		return n, err
	})
}

// tar unpacks the entries of r.
func (u *Unpacker) tar(ctx context.Context, r io.Reader) error {
	return u.EachEntry(r, EndMarkedUnlessEmpty, func(h *tar.Header, r io.Reader) error {
		if err := u.Count(); err != nil {
			return err
		}
		return u.Settle(h.Name, u.TarEntry(ctx, h, r))
	})
}

// End is how a tar must end.
type End int

// The allowed ends of a tar.
const (
	EndMarked            End = iota // with a block of zeros
	EndMarkedUnlessEmpty            // with one, unless the tar is empty
	EndAnywhere
)

// EachEntry passes every entry of the uncompressed tar r to each, and reads it
// to its end. Padding, headers and the contents of refused entries count
// towards the limits, too, though they are not written.
func (u *Unpacker) EachEntry(r io.Reader, end End, each func(h *tar.Header, r io.Reader) error) error {
	in := &tarStream{u: u, r: r}
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return u.Broken(err)
		}
		if err := each(h, t); err != nil {
			return err
		}
	}
	if in.zeros < 512 && (end == EndMarked || end == EndMarkedUnlessEmpty && in.total > 0) {
		return u.Damaged("the mark at its end is missing")
	}
	return in.rest()
}

// TarEntry unpacks one entry. A [RefusedError] concerns only this entry.
func (u *Unpacker) TarEntry(ctx context.Context, h *tar.Header, r io.Reader) error {
	switch {
	case h.Typeflag == tar.TypeXGlobalHeader:
		return nil // settings for the following entries; none matters here
	case IsSparse(h):
		return RefusedError("it is a sparse file, which can be of any size for free")
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont:
		return u.file(ctx, h.Name, h.FileInfo().Mode(), h.Size, r)
	case tar.TypeDir:
		return u.dir(h.Name)
	case tar.TypeSymlink:
		return u.symlink(h.Name, h.Linkname)
	case tar.TypeLink:
		return u.hardlink(ctx, h.Name, h.Linkname)
	case tar.TypeChar, tar.TypeBlock:
		return RefusedError("it is a device")
	case tar.TypeFifo:
		return RefusedError("it is a named pipe")
	}
	return RefusedError("it is of an unknown kind")
}

// IsSparse recognises sparse files, which can claim any size without using
// space.
func IsSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// tarStream is the uncompressed tar, read within limits.
type tarStream struct {
	u     *Unpacker
	r     io.Reader
	total int64
	zeros int64 // number of trailing zero bytes so far
}

func (s *tarStream) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.total += int64(n)
	at := n
	for at > 0 && b[at-1] == 0 {
		at--
	}
	if at > 0 {
		s.zeros = 0
	}
	s.zeros += int64(n - at)
	// Each entry has a header and padding, and perhaps a long name.
	if o := s.u.limits; s.total > o.MaxBytes+int64(o.MaxFiles)*4096+1<<20 {
		return 0, usererr.Usage("%s unpacks to more than %s; unpack it and assess what the server needs of it", usererr.Quote(s.u.Source), usererr.Size(o.MaxBytes))
	}
	if bomb := s.u.bomb(s.total); bomb != nil {
		return 0, bomb
	}
	return n, err
}

// rest reads what follows the end, so that a compressed stream is verified to
// its own end, and reports what other programs might read as entries.
func (s *tarStream) rest() error {
	garbage := false
	for {
		n, err := s.Read(s.u.buf)
		garbage = garbage || s.zeros < int64(n)
		switch {
		case errors.Is(err, io.EOF):
		case errors.Is(err, gzip.ErrHeader):
			garbage = true
		case err != nil:
			return s.u.Broken(err)
		default:
			continue
		}
		if garbage {
			s.u.Tree.Notes.Add("the archive goes on after its end; what is there was not unpacked")
		}
		return nil
	}
}
