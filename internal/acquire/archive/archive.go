// Package archive unpacks hostile archives: tar, compressed tar, and zip.
//
// In: an archive. Out: a [staging.Tree] whose files are below the directory
// they were unpacked into, and facts about refused entries. No entry is written
// outside of that directory or through a link, and a decompression bomb ends
// with an error. [Unpacker.EachEntry] is for sources that decide themselves
// where each entry goes.
package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Suffixes are the file extensions of archives.
func Suffixes() []string {
	return []string{".tgz", ".tar.gz", ".tar", ".zip", ".whl", ".mcpb", ".dxt"}
}

// Archive unpacks the file and returns its digest.
func (u *Unpacker) Archive(ctx context.Context, at staging.Place) (string, error) {
	f, size, err := Open(at, u.limits.MaxBytes)
	if err != nil {
		return "", err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return "", staging.Unreadable(at.Source, err)
	}
	h := sha256.New()
	if n, err := io.Copy(h, Stream(ctx, io.NewSectionReader(f, 0, size))); err != nil {
		return "", u.Broken(err)
	} else if n != size {
		return "", staging.Changed(at.Source)
	}
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", staging.Unreadable(at.Source, err)
	}
	content := io.NewSectionReader(f, 0, size)
	switch format(head[:n], at.File) {
	case "gzip":
		err = u.gzip(ctx, content)
	case "tar":
		err = u.plainTar(ctx, content)
	case "zip":
		err = u.zip(ctx, content)
	}
	if err != nil {
		return "", err
	}
	if after, err := f.Stat(); err != nil || after.Size() != size || !after.ModTime().Equal(before.ModTime()) {
		return "", staging.Changed(at.Source)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), u.Finish(ctx)
}

// Open opens an archive without waiting for a writer, if it is no
// larger than maxBytes.
func Open(at staging.Place, maxBytes int64) (*os.File, int64, error) {
	src, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, 0, staging.Unreadable(at.Source, err)
	}
	defer src.Close()
	info, err := src.Lstat(at.File)
	if err != nil {
		return nil, 0, staging.Unreadable(at.Source, err)
	}
	if info.Size() > maxBytes {
		return nil, 0, usererr.Usage("the archive %s is larger than %s; unpack it and assess what the server needs of it",
			usererr.Quote(at.Source), usererr.Size(maxBytes))
	}
	f, err := staging.Reopen(src, &staging.Entry{Path: at.File, Info: info})
	return f, info.Size(), err
}

// format decides by the content and falls back to the name: old tars have no
// magic number, and a zip can begin with anything.
func format(head []byte, name string) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "gzip"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "zip"
	case len(head) >= 262 && string(head[257:262]) == "ustar":
		return "tar"
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".tgz", ".gz":
		return "gzip"
	case ".tar":
		return "tar"
	}
	return "zip"
}

// Stream reads r until ctx ends.
func Stream(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(b)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
