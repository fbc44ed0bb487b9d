package server

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// archiveSuffixes are the file name suffixes of supported archives.
func archiveSuffixes() []string {
	return []string{".tgz", ".tar.gz", ".zip", ".whl", ".mcpb", ".dxt", ".tar"}
}

// createUnnamed creates a temporary file and removes its name.
func createUnnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "mcpsf-upload-*")
	if err == nil {
		err = os.Remove(f.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("receiving an archive: %w", err)
	}
	return f, nil
}

// archiveName is the client's file name, reduced to characters that are safe to
// show and to use as a file name.
func archiveName(name string) (string, error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if len(name) > 128 {
		name = name[len(name)-128:] // the suffix is the type
	}
	name = strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-+@", c) {
			return c
		}
		return '_'
	}, name), ".-")
	for _, end := range archiveSuffixes() {
		if strings.HasSuffix(strings.ToLower(name), end) && len(name) > len(end) {
			return name, nil
		}
	}
	return "", badRequest("the archive's file name must end in one of: %s", strings.Join(archiveSuffixes(), " "))
}

// limited reads at most a number of bytes, and fails if there are more.
type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, &http.MaxBytesError{Limit: l.most}
	}
	return n, err
}
