package github

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// tarball unpacks one directory of a commit's archive.
type tarball struct {
	*archive.Unpacker

	pin        pinned
	submodules bool
	named      bool // the archive names its commit
	// isFile is set if the requested path is a file, entries counts all entries
	// of the archive.
	isFile  bool
	entries int
	// committed is the date of the commit, which Git gives to all entries of an
	// archive; zero if unknown.
	committed time.Time
}

func (g *tarball) unpack(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening a download: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(g.Counted(archive.Stream(ctx, f)))
	if err != nil {
		return g.Broken(err)
	}
	defer z.Close()
	err = g.EachEntry(z, archive.EndMarked, func(h *tar.Header, r io.Reader) error { return g.entry(ctx, h, r) })
	if err != nil {
		return err
	}
	return g.Finish(ctx)
}

func (g *tarball) entry(ctx context.Context, h *tar.Header, r io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return g.checkCommit(h.PAXRecords["comment"])
	}
	if g.named && g.committed.IsZero() {
		g.committed = published.Plausible(h.ModTime)
	}
	name, ok := g.goes(h.Name)
	if !ok {
		return nil
	}
	if err := g.Count(); err != nil {
		return err
	}
	inner := *h
	inner.Name = name
	if h.Typeflag == tar.TypeSymlink && g.staysInRepository(name, h.Linkname) {
		g.Tree.Notes.Add("left out the symbolic link %s: it leads to another part of the repository, to %s",
			usererr.Quote(strings.TrimPrefix(name, archive.Stripped+"/")), usererr.Quote(h.Linkname))
		return nil
	}
	if h.Typeflag == tar.TypeLink {
		if inner.Linkname, ok = g.goes(h.Linkname); !ok {
			inner.Linkname = "../" + h.Linkname // out of the unpacked directory
		}
	}
	return g.Settle(strings.TrimPrefix(name, archive.Stripped+"/"), g.TarEntry(ctx, &inner, r))
}

// checkCommit compares the commit in the archive with the requested one.
func (g *tarball) checkCommit(comment string) error {
	g.named = g.named || isCommit(comment)
	if isCommit(comment) && comment != g.pin.commit {
		return usererr.Usage("%s is not what was asked for: the archive of commit %s says that it is commit %s; do not use it",
			usererr.Quote(g.Source), short(g.pin.commit), short(comment))
	}
	return nil
}

// goes returns where an entry goes, and whether it was requested. A name that
// Git would not write is passed on, to be refused.
func (g *tarball) goes(name string) (string, bool) {
	if _, why := archive.MemberPath(name); why != "" {
		return name, true
	}
	_, rest, below := strings.Cut(path.Clean(name), "/")
	if !below {
		return archive.Stripped, g.pin.repo.sub == ""
	}
	g.entries++
	if rest == ".gitmodules" {
		g.submodules = true
	}
	sub := g.pin.repo.sub
	if sub == "" {
		return path.Join(archive.Stripped, rest), true
	}
	if rest == sub {
		g.isFile = !strings.HasSuffix(name, "/")
		return archive.Stripped, !g.isFile
	}
	inside, ok := strings.CutPrefix(rest, sub+"/")
	return path.Join(archive.Stripped, inside), ok
}

// staysInRepository reports whether a link leaves the unpacked directory, but
// not the repository.
func (g *tarball) staysInRepository(name, target string) bool {
	sub := g.pin.repo.sub
	if sub == "" || path.IsAbs(target) {
		return false
	}
	dir := path.Dir(strings.TrimPrefix(name, archive.Stripped+"/"))
	leaves := func(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }
	return leaves(path.Join(dir, target)) && !leaves(path.Join(sub, dir, target))
}

// nothing says why there is nothing to assess.
func (g *tarball) nothing() error {
	repo, at := g.pin.repo, short(g.pin.commit)
	switch {
	case g.isFile:
		return usererr.Usage("%s is a file in %s at %s; name the directory it is in", usererr.Quote(repo.sub), repo, at)
	case repo.sub != "" && g.entries > 0:
		return usererr.Usage("there is no directory %s with files in %s at %s; check the name", usererr.Quote(repo.sub), repo, at)
	}
	return usererr.Usage("%s has no files at %s%s; there is nothing to assess", repo, at, g.FirstRefusal())
}
