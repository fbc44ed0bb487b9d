// Package published has what the files of all registries have in common.
//
// In: dates as registries write them and downloaded files. Out: plausible
// dates, and a path beside the staged tree at which the file keeps the name
// that the package manager needs.
package published

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Date is [ParseDate], zero for an implausible date: registries and archives
// that do not know the date write such.
func Date(text string) time.Time { return Plausible(ParseDate(text)) }

// ParseDate reads a date as registries write them, zero if it is none.
func ParseDate(text string) time.Time {
	const longest = 64
	if len(text) > longest {
		return time.Time{}
	}
	date, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return date
}

// Plausible is date, zero if nothing can have been published then.
func Plausible(date time.Time) time.Time {
	const first, last = 2000, 2200
	if date = date.UTC(); date.Year() < first || date.Year() > last {
		return time.Time{}
	}
	return date
}

// Dir makes the directory for the package file. The sandbox may run as another
// user.
func Dir(stageDir string) (string, error) {
	dir, err := os.MkdirTemp(filepath.Dir(stageDir), "package-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return "", fmt.Errorf("making room for a package: %w", err)
	}
	return dir, nil
}

// LinkOrCopy gives a file a second name.
func LinkOrCopy(from, to string) (err error) {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copying a package: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("copying a package: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("copying a package: %w", err)
	}
	return nil
}
