package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// archive is a file on this machine that holds the server's files: a tar, a
// zip, and what is one of them under another name.
type archive struct{}

var _ Resolver = archive{}

// Kind implements [Resolver].
func (archive) Kind() string { return "archive" }

// Match implements [Resolver].
func (archive) Match(target mcpsf.Target) bool {
	name := strings.ToLower(target.Source)
	return slices.ContainsFunc(archiveSuffixes(), func(s string) bool { return strings.HasSuffix(name, s) })
}

func archiveSuffixes() []string {
	return []string{".tgz", ".tar.gz", ".tar", ".zip", ".whl", ".mcpb", ".dxt"}
}

// Resolve implements [Resolver]. A directory can bear such a name, too.
func (k archive) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	at, err := locate(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if at.file == "" {
		return local{}.Resolve(ctx, target, stageDir, opts)
	}
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	u := newUnpacker(target.Source, dst, opts)
	sum, err := u.archive(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	t := u.tree
	if t.files() == 0 {
		return nil, nil, usage("%s has no files in it that can be unpacked%s; name the archive that holds the server",
			quote(target.Source), u.firstRefusal())
	}
	opts.Logger.Debug("unpacked", "entries", len(t.entries), "bytes", t.bytes, "archive", sum)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Name: at.name, Digest: t.digest(), Files: t.files(), Bytes: t.bytes, Dir: stageDir,
	}
	p := &project{tree: t, root: dst, source: target.Source, dir: filepath.Join(at.dir, at.file)}
	p.readManifests()
	if in := p.published(u.top); in != nil {
		if in.Package, err = keepPackage(ctx, at, sum, stageDir, opts); err != nil {
			return nil, nil, err
		}
		a.Install = in
	}
	if err := p.describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Notes = append([]string{"unpacked from an archive with the digest " + sum}, t.notes.all()...)
	return a, u.allFacts(), nil
}

// archive unpacks the file and returns its digest.
func (u *unpacker) archive(ctx context.Context, at place) (string, error) {
	f, size, err := openArchive(at, u.opts)
	if err != nil {
		return "", err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return "", unreadable(at.source, err)
	}
	h := sha256.New()
	if n, err := io.Copy(h, stream(ctx, io.NewSectionReader(f, 0, size))); err != nil {
		return "", u.broken(err)
	} else if n != size {
		return "", changed(at.source)
	}
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", unreadable(at.source, err)
	}
	content := io.NewSectionReader(f, 0, size)
	switch format(head[:n], at.file) {
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
		return "", changed(at.source)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), u.finish(ctx)
}

func openArchive(at place, opts Options) (*os.File, int64, error) {
	src, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, 0, unreadable(at.source, err)
	}
	defer src.Close()
	info, err := src.Lstat(at.file)
	if err != nil {
		return nil, 0, unreadable(at.source, err)
	}
	if info.Size() > opts.MaxBytes {
		return nil, 0, usage("the archive %s is larger than %s; unpack it and assess what the server needs of it",
			quote(at.source), size(opts.MaxBytes))
	}
	f, err := reopen(src, &entry{path: at.file, info: info})
	return f, info.Size(), err
}

// format goes by the contents and falls back to the name: old tars have no
// mark, and a zip can begin with anything.
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

// stream reads r until ctx ends.
func stream(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(b)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
