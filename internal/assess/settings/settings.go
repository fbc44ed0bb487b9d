// Package settings reads mcpsf.yaml.
//
// In: the file, and the flags and variables that take precedence over it. Out:
// the findings to ignore, and values for flags that were not given. It is
// strict: an unknown key is an error with its line.
package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/waiver"
)

// FileName is the name of the file.
const FileName = "mcpsf.yaml"

// maxFile bounds its size.
// no gap: bounds the user's own files; more is an error
const maxFile = 1 << 20

// Settings are the content of a file. The zero value is an empty file.
type Settings struct {
	File string
	// Ignore are findings that do not count.
	Ignore []waiver.Ignore
	// Assess are defaults for the flags of assess.
	Assess []Default
}

// Default is the value of a flag that is not given.
type Default struct {
	// Flag is its name without the hyphens; Values has several for a flag that
	// may be repeated.
	Flag   string
	Values []string
	Line   int
}

// Read reads a file. Its ignores have been checked.
func Read(file string, now time.Time) (*Settings, error) {
	data, err := load(file)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("cannot read the settings in %s", file), Err: err}
	}
	s, err := Parse(file, data, now)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: err.Error()}
	}
	return s, nil
}

func load(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("not a regular file of at most %d MiB", maxFile>>20)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// Find looks for the file in dir. A file inside the target is foreign: the
// server could excuse itself with it. It is returned so that the user can be
// told, and used only if the user names it.
func Find(dir, source string) (file string, foreign bool, err error) {
	file = filepath.Join(dir, FileName)
	if _, err := os.Stat(file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", false, nil
		}
		return "", false, err
	}
	actual, err := realPath(file)
	if err != nil {
		return "", false, err
	}
	assessed, err := realPath(source)
	if err != nil { // not a path but a package or an address
		return file, false, nil //nolint:nilerr // then it cannot hold the file
	}
	rel, err := filepath.Rel(assessed, actual)
	return file, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)), nil
}

func realPath(name string) (string, error) {
	actual, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(actual)
}
