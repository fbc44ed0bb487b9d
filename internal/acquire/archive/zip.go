package archive

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// zip unpacks the entries that the central directory lists.
func (u *Unpacker) zip(ctx context.Context, r *io.SectionReader) error {
	entries, trailing, err := readZipDirectory(r, u.limits.MaxFiles)
	if errors.Is(err, errZipTooMany) {
		return u.tooMany()
	}
	if err != nil {
		return u.Broken(err)
	}
	if trailing > 0 {
		u.Tree.Notes.Add("the archive goes on after its end; what is there was not unpacked")
	}
	for _, e := range entries {
		if e.flags&(zipEncrypted|zipMasked) != 0 {
			return u.encrypted()
		}
	}
	for i := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := u.Count(); err != nil {
			return err
		}
		if err := u.Settle(entries[i].name, u.zipEntry(ctx, r, &entries[i])); err != nil {
			return err
		}
	}
	return nil
}

func (u *Unpacker) zipEntry(ctx context.Context, r *io.SectionReader, e *zipEntry) error {
	start, err := u.localHeader(r, e)
	if err != nil {
		return err
	}
	packed := u.Counted(Stream(ctx, io.NewSectionReader(r, start, e.packed)))
	in := packed
	switch e.method {
	case 0:
	case 8:
		z := flate.NewReader(packed)
		defer z.Close()
		in = z
	default:
		return usererr.Usage("%s is compressed in a way that mcpsf does not know (method %d); pack it again or assess it unpacked", usererr.Quote(u.Source), e.method)
	}
	return u.zipKind(ctx, e, u.checked(in, e))
}

// zipKind adds the entry as the type that its attributes say.
func (u *Unpacker) zipKind(ctx context.Context, e *zipEntry, r io.Reader) error {
	const (
		unix, darwin                   = 3, 19
		kinds, regular, directory, lnk = 0xf000, 0x8000, 0x4000, 0xa000
	)
	mode := uint32(0o644)
	if e.host == unix || e.host == darwin {
		mode = e.attrs >> 16
	}
	dir := strings.HasSuffix(e.name, "/")
	switch kind := mode & kinds; {
	case dir && e.size > 0:
		return RefusedError("it is a directory with contents of its own")
	case dir && (kind == 0 || kind == directory || kind == regular), kind == directory && e.size == 0:
		return u.dir(e.name)
	case !dir && (kind == 0 || kind == regular):
		return u.file(ctx, e.name, unixMode(mode), e.size, r)
	case !dir && kind == lnk:
		return u.zipSymlink(e, r)
	}
	return RefusedError("it is a device, a pipe or of an unknown kind")
}

func unixMode(mode uint32) fs.FileMode {
	m := fs.FileMode(mode) & fs.ModePerm
	if mode&0o4000 != 0 {
		m |= fs.ModeSetuid
	}
	if mode&0o2000 != 0 {
		m |= fs.ModeSetgid
	}
	return m
}

func (u *Unpacker) zipSymlink(e *zipEntry, r io.Reader) error {
	if e.size > usererr.MaxPath {
		return RefusedError("it is a symbolic link whose target is too long")
	}
	target := make([]byte, e.size+1)
	n, err := io.ReadFull(r, target)
	switch {
	case err == nil:
		return u.Damaged("%s is larger than it says", usererr.Quote(e.name))
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return u.Broken(err)
	case int64(n) != e.size:
		return u.Damaged("%s is smaller than it says", usererr.Quote(e.name))
	}
	return u.symlink(e.name, string(target[:n]))
}

// localHeader returns where the content begins. Programs that read a zip from
// its front use only this header, so it must match the directory.
func (u *Unpacker) localHeader(r io.ReaderAt, e *zipEntry) (int64, error) {
	le := binary.LittleEndian
	b := make([]byte, zipLocalLen)
	if _, err := r.ReadAt(b, e.header); err != nil {
		return 0, u.Broken(err)
	}
	if !bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		return 0, u.Damaged("an entry is not where the directory says")
	}
	flags, names, extras := le.Uint16(b[6:]), int64(le.Uint16(b[26:])), int64(le.Uint16(b[28:]))
	if flags&(zipEncrypted|zipMasked) != 0 {
		return 0, u.encrypted()
	}
	name := make([]byte, names)
	if _, err := r.ReadAt(name, e.header+zipLocalLen); err != nil {
		return 0, u.Broken(err)
	}
	packed, full := le.Uint32(b[18:]), le.Uint32(b[22:])
	differs := func(local uint32, central int64) bool {
		return flags&zipDescriptor == 0 && local != 0xffffffff && int64(local) != central
	}
	switch {
	case string(name) != e.name:
		return 0, RefusedError("it has a second name, " + usererr.Quote(string(name)))
	case e.otherWay != "" && e.otherWay != e.name:
		return 0, RefusedError("it has a second name, " + usererr.Quote(e.otherWay))
	case le.Uint16(b[8:]) != e.method || differs(packed, e.packed) || differs(full, e.size):
		return 0, RefusedError("its two headers disagree about what it contains")
	}
	start := e.header + zipLocalLen + names + extras
	if !e.fits(start) {
		return 0, u.Broken(errZipOverlap)
	}
	return start, nil
}

// checked reads r and verifies the checksum at its end.
func (u *Unpacker) checked(r io.Reader, e *zipEntry) io.Reader {
	sum := crc32.NewIEEE()
	return readerFunc(func(b []byte) (int, error) {
		n, err := r.Read(b)
		sum.Write(b[:n])
		if errors.Is(err, io.EOF) && sum.Sum32() != e.crc {
			return n, u.Damaged("the checksum of %s is wrong", usererr.Quote(e.name))
		}
		return n, err
	})
}

func (u *Unpacker) encrypted() error {
	return usererr.Usage("%s is encrypted; decrypt it and assess it unpacked", usererr.Quote(u.Source))
}
