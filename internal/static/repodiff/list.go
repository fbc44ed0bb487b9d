package repodiff

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Bounds of a tree. A larger tree is not compared at all: the unread part might
// contain what seems missing.
// gap: repository
const (
	maxFiles = 200_000
	maxBytes = 1 << 30
	// maxFile is the largest file that is compared; maxRead the largest whose
	// text is read.
	maxFile = 64 << 20
	maxRead = 4 << 20
)

// file is a file of a tree.
type file struct {
	path string
	size int64
	sum  [sha256.Size]byte
}

// listing is a tree, as far as it is compared.
type listing struct {
	fs fs.FS
	// all has the path of every file, sources the source files.
	all     map[string]bool
	sources []*file
	// cut says why something is missing, large counts files that are too large.
	cut     string
	large   int
	bundled bool // it contains packages of others
}

// role is which tree is listed.
type role int

const (
	inPackage role = iota
	inRepository
)

var errCut = errors.New("the tree is too large")

// list reads a tree. It does not follow links: their targets are listed where
// they are, or are not in the tree.
func list(ctx context.Context, fsys fs.FS, as role) (*listing, error) {
	l := &listing{fs: fsys, all: map[string]bool{}}
	var bytes int64
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			l.cut = "a directory cannot be read"
			return errCut
		case d.IsDir() && (d.Name() == ".git" || as == inPackage && d.Name() == "node_modules"):
			l.bundled = l.bundled || d.Name() == "node_modules"
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		if l.all[name] = true; len(l.all) > maxFiles {
			l.cut = fmt.Sprintf("it has more than %d files", maxFiles)
			return errCut
		}
		if languageOf(name) == noLanguage {
			return nil
		}
		f, err := l.read(name, d)
		if err != nil {
			return err
		}
		if bytes += f.size; bytes > maxBytes {
			l.cut = "it is too large"
			return errCut
		}
		if f.size <= maxFile {
			l.sources = append(l.sources, f)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errCut) {
		return nil, err
	}
	return l, nil
}

// read computes the digest of one file. One that is too large is only counted.
func (l *listing) read(name string, d fs.DirEntry) (*file, error) {
	info, err := d.Info()
	if err != nil {
		l.cut = "a file cannot be read"
		return nil, errCut
	}
	if info.Size() > maxFile {
		l.large++
		return &file{path: name, size: maxFile + 1}, nil
	}
	in, err := l.fs.Open(name)
	if err != nil {
		l.cut = "a file cannot be read"
		return nil, errCut
	}
	defer in.Close()
	sum, err := digest(io.LimitReader(in, maxFile), languageOf(name) == native)
	if err != nil {
		l.cut = "a file cannot be read"
		return nil, errCut
	}
	return &file{path: name, size: info.Size(), sum: sum}, nil
}

// text returns the content of a file, "" if it is too large or cannot be read.
func (l *listing) text(name string) string {
	if !l.all[name] {
		return ""
	}
	in, err := l.fs.Open(name)
	if err != nil {
		return ""
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxRead+1)) //nolint:forbidigo // limited
	if err != nil || len(data) > maxRead {
		return ""
	}
	return string(data)
}

// digest computes a digest that ignores line endings and blank lines at the
// end, unless exact is set.
func digest(r io.Reader, exact bool) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	if exact {
		_, err = io.Copy(h, r)
	} else {
		err = copyLines(h, bufio.NewReader(r))
	}
	h.Sum(sum[:0])
	return sum, err
}

func copyLines(h hash.Hash, in *bufio.Reader) error {
	if mark, err := in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	blank := 0 // newlines not written yet
	for {
		line, err := in.ReadSlice('\n')
		whole := len(line) > 0 && line[len(line)-1] == '\n'
		if whole {
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
		}
		if len(line) > 0 {
			for ; blank > 0; blank-- {
				h.Write([]byte{'\n'})
			}
			h.Write(line)
		}
		if whole {
			blank++
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// language is the language of a file, as far as it matters here.
type language int

const (
	noLanguage language = iota
	script              // executable JavaScript
	typed               // source that is compiled to JavaScript
	python
	shell
	native
	startup // files that Python runs when it starts
)

func languageOf(name string) language {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".js", ".mjs", ".cjs":
		return script
	case ".ts", ".tsx", ".mts", ".cts", ".jsx":
		if strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts") || strings.HasSuffix(base, ".d.cts") {
			return noLanguage
		}
		return typed
	case ".py":
		return python
	case ".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd":
		return shell
	case ".node", ".so", ".pyd", ".dll", ".dylib", ".exe":
		return native
	case ".pth":
		return startup
	}
	return noLanguage
}
