package source

import (
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode"
)

const (
	// maxPath and maxName bound what an entry can be called. The second is
	// Linux's own limit; the first leaves room for where the stage is.
	maxPath = 1024
	maxName = 255
)

// memberPath turns the name of an entry into a path below the tree, or says
// why there must be none. "." is the tree itself.
func memberPath(name string) (p, why string) {
	switch {
	case badName(name) != "":
		return "", "its name " + badName(name)
	case name == "":
		return "", "it has no name"
	case len(name) > maxPath:
		return "", "its name is too long"
	case strings.Contains(name, `\`):
		return "", "its name has backslashes, which lead elsewhere on other systems"
	case strings.HasPrefix(name, "/"):
		return "", "its name is an absolute path"
	case len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0])):
		return "", "its name begins with a drive"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", "its name leads upwards, to where it has no business"
		}
		if len(part) > maxName {
			return "", "its name is too long"
		}
	}
	return path.Clean(name), ""
}

// fold makes names equal that some file systems take for the same.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// member describes an entry of an archive as it was written.
type member struct {
	mode fs.FileMode
	size int64
}

var _ fs.FileInfo = member{}

func (m member) Name() string       { return "" }
func (m member) Size() int64        { return m.size }
func (m member) Mode() fs.FileMode  { return m.mode }
func (m member) ModTime() time.Time { return time.Time{} }
func (m member) IsDir() bool        { return m.mode.IsDir() }
func (m member) Sys() any           { return nil }
