package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf"
)

// local is a file or directory on this machine.
type local struct {
	// surveyed, if set, runs between looking and copying. Tests change the
	// tree there.
	surveyed func()
}

var _ Resolver = local{}

// Kind implements [Resolver].
func (local) Kind() string { return "local" }

// Match implements [Resolver]. Any text can be a path.
func (local) Match(mcpsf.Target) bool { return true }

// Resolve implements [Resolver].
func (l local) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	at, err := locate(target.Source)
	if err != nil {
		return nil, nil, err
	}
	src, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, nil, unreadable(target.Source, err)
	}
	defer src.Close()
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()

	t, err := at.survey(ctx, src, dst, opts)
	if err != nil {
		return nil, nil, err
	}
	t.veil()
	if l.surveyed != nil {
		l.surveyed()
	}
	digest, err := t.stage(ctx, src, dst)
	if err != nil {
		return nil, nil, err
	}
	opts.Logger.Debug("copied", "entries", len(t.entries), "bytes", t.bytes, "digest", digest)

	a := &mcpsf.Artifact{
		Kind: l.Kind(), Name: at.name, Digest: digest, Files: t.files(), Bytes: t.bytes, Dir: stageDir,
	}
	p := &project{tree: t, root: dst, source: target.Source, dir: at.dir, file: at.file}
	if err := p.describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Notes = t.notes.all()
	return a, nil, nil
}

// place is where a local target is, after every link the user's own path has.
type place struct {
	source string // as typed
	dir    string // the tree, or the directory the file is in
	file   string // "" for a directory
	name   string
}

func locate(source string) (place, error) {
	abs, err := filepath.Abs(source)
	if err != nil {
		return place{}, fmt.Errorf("finding the current directory: %w", err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return place{}, notFound(source, err)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return place{}, notFound(source, err)
	}
	name := filepath.Base(abs)
	if bad := badName(name); bad != "" {
		return place{}, usage("the name %s %s; rename it or assess a copy", quote(name), bad)
	}
	switch {
	case info.IsDir():
		return place{source: source, dir: resolved, name: name}, nil
	case info.Mode().IsRegular():
		return place{source: source, dir: filepath.Dir(resolved), file: filepath.Base(resolved), name: name}, nil
	}
	return place{}, usage("%s is %s; name a file or a directory", quote(source), special(info.Mode()))
}

func notFound(source string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(source, "://"):
		return usage("%s is an address that cannot be assessed yet; name a package, a repository or an image (mcpsf assess --help lists them)",
			quote(source))
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(source, `/\`):
		return usage("there is no file or directory %s here; if it is a package, name its registry: npm:%s or pypi:%s",
			quote(source), shellWord(source), shellWord(source))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return usage("%s does not exist; check the path", quote(source))
	case errors.Is(err, syscall.ELOOP):
		return usage("%s is a symbolic link that leads in a circle; name the directory itself", quote(source))
	case errors.Is(err, syscall.ENAMETOOLONG):
		return usage("%s is longer than a path can be; check the path", quote(source))
	}
	return unreadable(source, err)
}

// survey lists what will be copied: the whole tree, or one file alone.
func (p place) survey(ctx context.Context, src, dst *os.Root, opts Options) (*tree, error) {
	stage, err := dst.Stat(".")
	if err != nil {
		return nil, fmt.Errorf("looking at the stage directory: %w", err)
	}
	if p.file == "" {
		t, err := survey(ctx, src, stage, opts)
		if err == nil && t.files() == 0 {
			return nil, usage("%s has no files in it; name the directory that holds the server", quote(p.source))
		}
		return t, err
	}
	info, err := src.Lstat(p.file)
	if err != nil {
		return nil, unreadable(p.file, err)
	}
	s := &surveyor{root: src, opts: opts, tree: &tree{byPath: map[string]*entry{}}}
	if err := s.add(".", fs.FileInfoToDirEntry(info)); err != nil {
		return nil, err
	}
	return s.tree, nil
}

// files counts regular files.
func (t *tree) files() int {
	n := 0
	for _, e := range t.entries {
		if e.isFile() {
			n++
		}
	}
	return n
}
