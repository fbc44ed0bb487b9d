package assess

import (
	"context"
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/tarfs"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/browser"
)

// serverBrowser is a browser for servers that use one; nil is none.
type serverBrowser struct {
	*browser.Browser
	// libraries are those of the server that look for it.
	libraries *browser.Libraries
	release   func()
}

// browserContent is what a browser needs in a sandbox.
type browserContent struct {
	files  []box.File
	mounts []box.Mount
	env    []string
}

// findBrowser finds the host's browser. If it has none, one is fetched for a server
// that uses one. Without a browser its tools fail, and the coverage tells.
func (s *sandboxedServer) findBrowser(ctx context.Context) error {
	if s.artifact.RootFS != "" { // an image has its own programs
		return nil
	}
	libraries, err := lookFor(s.artifact, s.archive)
	if err != nil {
		return err
	}
	if s.browser != nil { // installed again
		s.browser.libraries = libraries
		return nil
	}
	found, release := browser.Find("/"), func() {}
	if found == nil && libraries.Any() {
		found, release = s.fetchBrowser(ctx)
	}
	if found != nil {
		s.browser = &serverBrowser{found, libraries, release}
	}
	return ctx.Err()
}

func (s *sandboxedServer) fetchBrowser(ctx context.Context) (found *browser.Browser, release func()) {
	dir, release, err := s.opts.fetcher().Chromium(ctx)
	if err != nil {
		s.opts.Caller.Logger.Warn("the server finds no browser: this machine has none, and none can be fetched", "error", err)
		return nil, nil
	}
	return browser.Fetched(dir), release
}

// program is the browser's path in the sandbox, "" if there is none.
func (b *serverBrowser) program() string {
	if b == nil {
		return ""
	}
	return b.Program
}

// files returns what the browser needs in the sandbox. Roots are certificates to trust.
func (b *serverBrowser) files(roots []byte) (*browserContent, error) {
	if b == nil {
		return &browserContent{}, nil
	}
	files, err := b.Files(roots, b.libraries)
	if err != nil {
		return nil, err
	}
	return &browserContent{files: files, mounts: b.Mounts, env: b.libraries.Variables()}, nil
}

// lookFor looks in what was installed, or else in the server's own folder. Links out of
// it are not followed.
func lookFor(a *mcpsf.Artifact, archive string) (*browser.Libraries, error) {
	if archive == "" {
		root, err := os.OpenRoot(a.Dir)
		if err != nil {
			return &browser.Libraries{}, nil // it has no folder
		}
		defer root.Close()
		return browser.Look(root.FS()), nil
	}
	file, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tree, err := tarfs.New(file, info.Size())
	if err != nil {
		return nil, err
	}
	return browser.Look(tree), nil
}
