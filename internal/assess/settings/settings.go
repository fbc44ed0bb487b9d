// Package settings reads mcpsf.yaml.
//
// In: the file, and the flags and variables that go before it. Out: what is to
// be ignored, and values for flags that nobody gave. It is strict: a key that
// means nothing is a mistake, told with its line, not something to pass over.
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

// FileName is what the file is called.
const FileName = "mcpsf.yaml"

// maxFile bounds it.
const maxFile = 1 << 20

// Settings are what a file says. The zero value says nothing.
type Settings struct {
	File string
	// Ignore are findings that do not count.
	Ignore []waiver.Ignore
	// Assess are defaults for the flags of assess.
	Assess []Default
}

// Default is what a flag is if nobody gives it.
type Default struct {
	// Flag is its name without the hyphens; Values are more than one for a
	// flag that may be given again.
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

// Find looks for the file in dir. One that lies in what is to be assessed is
// foreign: the server would excuse itself. It is named so that the user can be
// told, and obeyed only if the user names it.
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
	if err != nil { // no path at all, but a package or an address
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
