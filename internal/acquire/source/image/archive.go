package image

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// fileSet is the files of an image: in a tar or in a directory.
type fileSet interface {
	// file opens one by its name. An error of kind [fs.ErrNotExist] means that
	// it does not exist.
	file(name string) (io.ReadCloser, int64, error)
	close()
}

func locateArchive(ctx context.Context, source string, want platform) (*image, error) {
	at, err := staging.Locate(source)
	if err != nil {
		return nil, err
	}
	if at.File == "" {
		return nil, usererr.Usage("%s is a directory; write oci-layout:%s", usererr.Quote(source), usererr.ShellWord(source))
	}
	f, length, err := archive.Open(at, maxBytes)
	if err != nil {
		return nil, err
	}
	files, err := indexTar(ctx, source, f, length)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return locateFiles("oci-archive:"+source, at.Name, files, want)
}

func locateLayout(_ context.Context, source string, want platform) (*image, error) {
	at, err := staging.Locate(source)
	if err != nil {
		return nil, err
	}
	if at.File != "" {
		return nil, usererr.Usage("%s is a file; write oci-archive:%s", usererr.Quote(source), usererr.ShellWord(source))
	}
	root, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, staging.Unreadable(source, err)
	}
	return locateFiles("oci-layout:"+source, at.Name, layoutDir{root}, want)
}

// layoutDir is a directory with an OCI layout.
type layoutDir struct{ root *os.Root }

func (d layoutDir) close() { _ = d.root.Close() }

func (d layoutDir) file(name string) (io.ReadCloser, int64, error) {
	f, err := d.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|staging.OpenFlags, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// tarFiles indexes the files of a tar.
type tarFiles struct {
	f     *os.File
	at    map[string][2]int64 // offset and length
	links map[string]string
}

func (t *tarFiles) close() { _ = t.f.Close() }

// file follows links: old versions of Docker save a repeated layer as a link to
// the first.
func (t *tarFiles) file(name string) (io.ReadCloser, int64, error) {
	const hops = 8
	for range hops {
		if at, ok := t.at[name]; ok {
			return io.NopCloser(io.NewSectionReader(t.f, at[0], at[1])), at[1], nil
		}
		target, ok := t.links[name]
		if !ok {
			break
		}
		name = path.Join(path.Dir(name), target)
	}
	return nil, 0, fs.ErrNotExist
}

// indexTar finds the files in a tar without reading them.
func indexTar(ctx context.Context, source string, f *os.File, length int64) (*tarFiles, error) {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 20_000
	damaged := func(why string) error {
		return usererr.Usage("%s is not an image in a tar file: %s; write it with docker save, podman save or skopeo copy", usererr.Quote(source), why)
	}
	files := &tarFiles{f: f, at: map[string][2]int64{}, links: map[string]string{}}
	section := io.NewSectionReader(f, 0, length)
	head := make([]byte, 2)
	if n, _ := section.ReadAt(head, 0); n == 2 && string(head) == "\x1f\x8b" {
		return nil, usererr.Usage("%s is compressed; decompress it first with: gunzip %s", usererr.Quote(source), usererr.ShellWord(source))
	}
	t := tar.NewReader(section)
	for range most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, damaged("it is damaged or cut short (" + safetext.Line(err.Error(), usererr.MaxShown) + ")")
		}
		name := path.Clean(h.Name)
		if _, taken := files.at[name]; (taken || files.links[name] != "") && h.Typeflag != tar.TypeDir {
			return nil, damaged("it has two entries " + usererr.Quote(name))
		}
		switch {
		case archive.IsSparse(h):
		case h.Typeflag == tar.TypeReg:
			// The reader is at the beginning of the content.
			offset, err := section.Seek(0, io.SeekCurrent)
			if err != nil || h.Size > length-offset {
				return nil, damaged(usererr.Quote(name) + " is cut short")
			}
			files.at[name] = [2]int64{offset, h.Size}
		case h.Typeflag == tar.TypeSymlink:
			files.links[name] = h.Linkname
		case h.Typeflag == tar.TypeLink:
			files.links[name] = strings.Repeat("../", strings.Count(name, "/")) + h.Linkname
		}
	}
	return nil, damaged("it has too many entries")
}

// notAnImage is the error for other files.
func notAnImage(source string) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: usererr.Quote(source) + " is not an image: it has neither index.json nor manifest.json; write it with docker save, podman save or skopeo copy"}
}
