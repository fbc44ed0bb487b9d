package assess

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/coderun"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
)

// followCodeTasks returns the task that records which code of the server runs,
// unless the user wants no hooks in the runtimes or the source is not read.
func (s *sandboxedServer) followCodeTasks() []task {
	if s.opts.Sandbox.NoEnvHooks || s.reading == nil {
		return nil
	}
	return []task{followCode}
}

// followCode starts the server once more with everything that the first session
// tried, and records which of its own code runs (ADR 26). That is a start of its
// own because the server can notice it.
func followCode(ctx context.Context, p *parallelRun) error {
	s := p.server
	plan := p.firstSession()
	plan.first, plan.keep, plan.code = false, "", s.ownFiles()
	if _, err := p.detonate(ctx, s.chosen, plan); err != nil {
		return fmt.Errorf("recording which code runs: %w", err)
	}
	return nil
}

// ownFiles says which files in the sandbox are the server's own: an installed
// package is under its own name or those of its modules.
func (s *sandboxedServer) ownFiles() *box.Own {
	own := &box.Own{Roots: []string{mcpsf.Home + "/"}, Names: []string{s.artifact.Name}}
	if s.artifact.RootFS != "" {
		own.Roots = []string{strings.TrimSuffix(s.sourceRoot(), "/") + "/"}
	}
	files, release := s.source()
	defer release()
	for _, dir := range []string{".", "src"} {
		entries, _ := fs.ReadDir(files, dir) // most packages have no src
		for _, e := range entries {
			if name := strings.TrimSuffix(e.Name(), ".py"); e.IsDir() || name != e.Name() {
				own.Names = append(own.Names, name)
			}
		}
	}
	return own
}

// sourceRoot is where the server's own files are in the sandbox.
func (s *sandboxedServer) sourceRoot() string {
	if s.artifact.RootFS != "" {
		return path.Join("/", s.artifact.WorkDir)
	}
	return mcpsf.WorkDir
}

// source opens the server's own files, as they were read.
func (s *sandboxedServer) source() (files fs.FS, release func()) {
	dir := s.artifact.Dir
	if dir == "" {
		dir = s.artifact.RootFS
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return emptyFS{}, func() {}
	}
	files = root.FS()
	if sub := strings.Trim(s.artifact.WorkDir, "/"); s.artifact.RootFS != "" && sub != "" {
		if below, err := fs.Sub(files, sub); err == nil {
			files = below
		}
	}
	return files, func() { _ = root.Close() }
}

// emptyFS has no files.
type emptyFS struct{}

// Open implements [fs.FS].
func (emptyFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// codeRun says which of the server's own code ran.
func (s *sandboxedServer) codeRun(read *inspect.Result) coderun.Result {
	var reports []string
	for i := range s.ledger.boxes {
		reports = append(reports, s.ledger.boxes[i].Received.Ran...)
	}
	if read == nil || len(reports) == 0 {
		return coderun.Result{}
	}
	files, release := s.source()
	defer release()
	return coderun.Parse(reports).Judge(&coderun.Package{Files: read.Own, Texts: files, Root: s.sourceRoot(), Name: s.artifact.Name})
}
