package staging

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Place is the location of a local target, with all links in the user's path
// followed.
type Place struct {
	Source string // as typed
	Dir    string // the tree, or the directory the file is in
	File   string // "" for a directory
	Name   string
}

// Locate finds what the user named.
func Locate(source string) (Place, error) {
	abs, err := filepath.Abs(source)
	if err != nil {
		return Place{}, fmt.Errorf("finding the current directory: %w", err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return Place{}, notFound(source, err)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return Place{}, notFound(source, err)
	}
	name := filepath.Base(abs)
	if bad := usererr.BadName(name); bad != "" {
		return Place{}, usererr.Usage("the name %s %s; rename it or assess a copy", usererr.Quote(name), bad)
	}
	switch {
	case info.IsDir():
		return Place{Source: source, Dir: resolved, Name: name}, nil
	case info.Mode().IsRegular():
		return Place{Source: source, Dir: filepath.Dir(resolved), File: filepath.Base(resolved), Name: name}, nil
	}
	return Place{}, usererr.Usage("%s is %s; name a file or a directory", usererr.Quote(source), special(info.Mode()))
}

func notFound(source string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(source, "://"):
		return usererr.Usage("%s is an address that cannot be assessed yet; name a package, a repository or an image (mcpsf assess --help lists them)",
			usererr.Quote(source))
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(source, `/\`):
		return usererr.Usage("there is no file or directory %s here; if it is a package, name its registry: npm:%s or pypi:%s",
			usererr.Quote(source), usererr.ShellWord(source), usererr.ShellWord(source))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return usererr.Usage("%s does not exist; check the path", usererr.Quote(source))
	case errors.Is(err, syscall.ELOOP):
		return usererr.Usage("%s is a symbolic link that leads in a circle; name the directory itself", usererr.Quote(source))
	case errors.Is(err, syscall.ENAMETOOLONG):
		return usererr.Usage("%s is longer than a path can be; check the path", usererr.Quote(source))
	}
	return Unreadable(source, err)
}

// Survey lists what will be copied: the whole tree, or a single file.
func (p Place) Survey(ctx context.Context, src, dst *os.Root, limits Limits) (*Tree, error) {
	stage, err := dst.Stat(".")
	if err != nil {
		return nil, fmt.Errorf("looking at the stage directory: %w", err)
	}
	if p.File == "" {
		t, err := survey(ctx, src, stage, limits)
		if err == nil && t.Files() == 0 {
			return nil, usererr.Usage("%s has no files in it; name the directory that holds the server", usererr.Quote(p.Source))
		}
		return t, err
	}
	info, err := src.Lstat(p.File)
	if err != nil {
		return nil, Unreadable(p.File, err)
	}
	s := &surveyor{root: src, limits: limits, tree: NewTree()}
	if err := s.add(".", fs.FileInfoToDirEntry(info)); err != nil {
		return nil, err
	}
	return s.tree, nil
}
