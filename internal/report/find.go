package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Bounds of a search for reports.
// no gap: finds reports of earlier runs; the search says that it stopped
const (
	maxFound   = 2000
	maxEntries = 200_000
	maxDepth   = 4
)

// errEnough ends a search that takes too long.
var errEnough = errors.New("enough")

// Find reads the reports that arg names: a report.json, the directory of a run,
// or a directory with runs below it. Files with the name of a report that are
// not one are returned in unread.
func Find(arg string) (all []*mcpsf.Report, unread []string, err error) {
	r, err := Load(arg)
	if err == nil {
		return []*mcpsf.Report{r}, nil, nil
	}
	if info, stat := os.Stat(arg); stat != nil || !info.IsDir() || !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	root, err := os.OpenRoot(arg)
	if err != nil {
		return nil, nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: safetext.Clean(arg) + " cannot be read", Err: err}
	}
	defer root.Close()
	entries := 0
	walk := func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > maxEntries || len(all)+len(unread) >= maxFound {
			return errEnough
		}
		switch {
		case err != nil:
			unread = append(unread, fmt.Sprintf("%s cannot be read", safetext.Clean(path.Join(arg, name))))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && strings.Count(name, "/") >= maxDepth:
			return fs.SkipDir
		case d.Type().IsRegular() && d.Name() == FileName:
			if r, err := readFrom(root, name); err == nil {
				all = append(all, r)
			} else {
				unread = append(unread, fmt.Sprintf("%s is not a report of mcpsf", safetext.Clean(path.Join(arg, name))))
			}
		}
		return nil
	}
	if err := fs.WalkDir(root.FS(), ".", walk); err != nil {
		unread = append(unread, fmt.Sprintf("%s has more in it than is searched for reports", safetext.Clean(arg)))
	}
	if len(all) == 0 {
		return nil, nil, &mcpsf.Error{
			Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no report in %s; name a directory that runs were written to", safetext.Clean(arg)),
		}
	}
	return all, unread, nil
}

func readFrom(root *os.Root, name string) (*mcpsf.Report, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f)
}
