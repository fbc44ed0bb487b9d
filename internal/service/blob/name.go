package blob

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"
)

// Limits of names: they have to fit into a file system and, with a prefix, into the
// 1024 bytes of an S3 key.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	maxName   = 512
	maxPart   = 255
	maxPrefix = 256
)

// check checks the name of a file or of a directory below the root.
func check(name string) error {
	if name == "." || !proper(name) {
		return fmt.Errorf("%.80q: %w", name, ErrName)
	}
	return nil
}

// checkDir also accepts the root.
func checkDir(name string) error {
	if name == "." {
		return nil
	}
	return check(name)
}

func proper(name string) bool {
	if len(name) > maxName || !fs.ValidPath(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart || part[0] == '.' { // ValidPath has no empty parts
			return false
		}
	}
	// Some systems treat a backslash like a slash.
	return !strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || !unicode.IsPrint(r) })
}

// reader is an [io.Reader] made of a function.
type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// until reads until ctx ends.
func until(ctx context.Context, r io.Reader) io.Reader {
	return reader(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(p)
	})
}
