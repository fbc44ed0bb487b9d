package java

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
)

// Bounds for all archives together.
// gap: source-not-read
const (
	maxUnpacked  = 512 << 20
	maxArchives  = 5_000
	maxNested    = 4
	maxDirectory = 16 << 20 // the directory of one archive
	maxMember    = 4 << 20  // a text file in it
	maxInner     = 128 << 20
	maxHeld      = 128 << 20 // nested archives in memory at a time
)

// budget is what may still be read.
type budget struct {
	bytes    int64
	archives int
	// room is how much more memory may be used.
	room int64
	done <-chan struct{}
}

var errBudget = errors.New("too much was unpacked already")

// take reports whether another archive may be read.
func (b *budget) take() error {
	select {
	case <-b.done:
		return errors.New("the time was up")
	default:
	}
	if b.archives--; b.archives < 0 || b.bytes <= 0 {
		return errBudget
	}
	return nil
}

func isArchive(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".jar", ".war", ".ear":
		return true
	}
	return false
}

// content holds the relevant files of an archive.
type content struct {
	properties [][]byte // pom.properties
	poms       [][]byte
	manifest   []byte
	inner      []*zip.File
}

// open reads the directory, which can make a zip file larger than it looks: its
// length is checked before the library reads all of it.
func (b *budget) open(r io.ReaderAt, size int64) (*zip.Reader, error) {
	tail := make([]byte, min(size, 64<<10+22))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || at+22 > len(tail) {
		return nil, zip.ErrFormat
	}
	length := int64(binary.LittleEndian.Uint32(tail[at+12:]))
	offset := int64(binary.LittleEndian.Uint32(tail[at+16:]))
	end := size - int64(len(tail)) + int64(at)
	if length == 0xffffffff || offset == 0xffffffff {
		return nil, errors.New("it is in the form for more than 4 GB, which is not read")
	}
	if length > maxDirectory || end-offset > maxDirectory && end-offset > length+1<<20 {
		return nil, errors.New("its list of contents is too long")
	}
	b.bytes -= 4 * (end - min(offset, end)) // the parsed directory needs more memory
	return zip.NewReader(r, size)
}

// look collects the relevant files of an archive.
func (b *budget) look(z *zip.Reader) (content, error) {
	// gap: source-not-read
	const most = 2_000
	var c content
	for _, f := range z.File {
		name := f.Name
		var err error
		var data []byte
		switch {
		case isArchive(name):
			c.inner = append(c.inner, f)
		case name == "META-INF/MANIFEST.MF":
			c.manifest, err = b.read(f, maxMember)
		case strings.HasPrefix(name, "META-INF/maven/") && len(c.properties)+len(c.poms) < most:
			switch path.Base(name) {
			case "pom.properties":
				if data, err = b.read(f, maxMember); err == nil {
					c.properties = append(c.properties, data)
				}
			case "pom.xml":
				if data, err = b.read(f, maxMember); err == nil {
					c.poms = append(c.poms, data)
				}
			}
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// read unpacks one member, whatever size its header states.
func (b *budget) read(f *zip.File, limit int64) ([]byte, error) {
	if b.bytes <= 0 || f.UncompressedSize64 > uint64(b.bytes) {
		return nil, errBudget
	}
	if limit = min(limit, b.bytes); f.UncompressedSize64 > uint64(limit) {
		return nil, errors.New("a file in it is too large")
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out bytes.Buffer
	out.Grow(int(f.UncompressedSize64) + bytes.MinRead) // avoids a second copy
	n, err := out.ReadFrom(io.LimitReader(in, limit+1))
	b.bytes -= n
	if n > limit {
		return nil, errors.New("a file in it is larger than it says")
	}
	return out.Bytes(), err
}

// hold unpacks a nested archive. It stays in memory until it is released, as do
// the archives around it while it is read.
func (b *budget) hold(f *zip.File) (data []byte, release func(), err error) {
	limit := min(maxInner, b.room)
	if limit < maxInner && f.UncompressedSize64 > uint64(limit) {
		return nil, nil, errors.New("it and the archives around it are too large together")
	}
	if data, err = b.read(f, limit); err != nil {
		return nil, nil, err
	}
	b.room -= int64(len(data))
	return data, func() { b.room += int64(len(data)) }, nil
}

// digest returns the digest of a whole archive.
func digest(r io.ReaderAt, size int64) string {
	if size > maxInner {
		return ""
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, size)); err != nil {
		return ""
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
