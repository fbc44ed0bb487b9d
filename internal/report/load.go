package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxReport bounds a report that is read back.
// no gap: a larger report is refused with an error
const maxReport = 256 << 20

// Load reads report.json in dir, or the file itself if dir is one. Only the
// shape of the content is trusted.
func Load(dir string) (*mcpsf.Report, error) {
	name := dir
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		name = filepath.Join(dir, FileName)
	}
	r, err := load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &mcpsf.Error{
			Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no report at %s; name the directory that a run was written to", safetext.Clean(dir)), Err: err,
		}
	}
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("%s is not a report of mcpsf", safetext.Clean(name)), Err: err}
	}
	return r, nil
}

func load(name string) (*mcpsf.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxReport {
		return nil, fmt.Errorf("not a regular file of at most %d MiB", maxReport>>20)
	}
	return Read(f)
}

// Read reads a report from a reader, like [Load] from a file.
func Read(from io.Reader) (*mcpsf.Report, error) {
	var r mcpsf.Report
	if err := json.NewDecoder(io.LimitReader(from, maxReport)).Decode(&r); err != nil {
		return nil, err
	}
	if r.SchemaVersion != mcpsf.SchemaVersion || r.Verdict.Band == "" {
		return nil, fmt.Errorf("its schema version is %q, and %q is understood", r.SchemaVersion, mcpsf.SchemaVersion)
	}
	return &r, nil
}
