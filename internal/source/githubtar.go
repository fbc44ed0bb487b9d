package source

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"
)

// githubTar unpacks one directory of a commit's archive.
type githubTar struct {
	*unpacker

	pin        githubPin
	submodules bool
	named      bool // the archive says which commit it is
	// isFile is set if what was asked for is a file, entries counts what the
	// archive has at all.
	isFile  bool
	entries int
	// committed is the date of the commit, which Git gives to everything in
	// an archive that it makes of one; zero if it is not known.
	committed time.Time
}

// stripped is the directory that everything is put into, for finish to take
// away again: a repository may itself consist of one directory.
const stripped = "repository"

func (g *githubTar) unpack(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening a download: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(g.counted(stream(ctx, f)))
	if err != nil {
		return g.broken(err)
	}
	defer z.Close()
	in := &tarStream{u: g.unpacker, r: z}
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return g.broken(err)
		}
		if err := g.entry(ctx, h, t); err != nil {
			return err
		}
	}
	if in.zeros < 512 {
		return g.damaged("the mark at its end is missing")
	}
	if err := in.rest(); err != nil {
		return err
	}
	return g.finish(ctx)
}

func (g *githubTar) entry(ctx context.Context, h *tar.Header, r io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return g.checkCommit(h.PAXRecords["comment"])
	}
	if g.named && g.committed.IsZero() {
		g.committed = plausible(h.ModTime)
	}
	name, ok := g.goes(h.Name)
	if !ok {
		return nil
	}
	if err := g.count(); err != nil {
		return err
	}
	inner := *h
	inner.Name = name
	if h.Typeflag == tar.TypeSymlink && g.staysInRepository(name, h.Linkname) {
		g.tree.notes.add("left out the symbolic link %s: it leads to another part of the repository, to %s",
			quote(strings.TrimPrefix(name, stripped+"/")), quote(h.Linkname))
		return nil
	}
	if h.Typeflag == tar.TypeLink {
		if inner.Linkname, ok = g.goes(h.Linkname); !ok {
			inner.Linkname = "../" + h.Linkname // out of what is unpacked
		}
	}
	return g.settle(strings.TrimPrefix(name, stripped+"/"), g.tarEntry(ctx, &inner, r))
}

// checkCommit compares what Git wrote into the archive with what was asked
// for.
func (g *githubTar) checkCommit(comment string) error {
	g.named = g.named || isCommit(comment)
	if isCommit(comment) && comment != g.pin.commit {
		return usage("%s is not what was asked for: the archive of commit %s says that it is commit %s; do not use it",
			quote(g.source), short(g.pin.commit), short(comment))
	}
	return nil
}

// goes returns where an entry goes, and whether it was asked for. A name
// that is not as Git writes them is handed on, to be refused.
func (g *githubTar) goes(name string) (string, bool) {
	if _, why := memberPath(name); why != "" {
		return name, true
	}
	_, rest, below := strings.Cut(path.Clean(name), "/")
	if !below {
		return stripped, g.pin.repo.sub == ""
	}
	g.entries++
	if rest == ".gitmodules" {
		g.submodules = true
	}
	sub := g.pin.repo.sub
	if sub == "" {
		return path.Join(stripped, rest), true
	}
	if rest == sub {
		g.isFile = !strings.HasSuffix(name, "/")
		return stripped, !g.isFile
	}
	inside, ok := strings.CutPrefix(rest, sub+"/")
	return path.Join(stripped, inside), ok
}

// staysInRepository reports whether a link leaves the directory that is
// unpacked, but not the repository.
func (g *githubTar) staysInRepository(name, target string) bool {
	sub := g.pin.repo.sub
	if sub == "" || path.IsAbs(target) {
		return false
	}
	dir := path.Dir(strings.TrimPrefix(name, stripped+"/"))
	leaves := func(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }
	return leaves(path.Join(dir, target)) && !leaves(path.Join(sub, dir, target))
}

// nothing says why there is nothing to assess.
func (g *githubTar) nothing() error {
	repo, at := g.pin.repo, short(g.pin.commit)
	switch {
	case g.isFile:
		return usage("%s is a file in %s at %s; name the directory it is in", quote(repo.sub), repo, at)
	case repo.sub != "" && g.entries > 0:
		return usage("there is no directory %s with files in %s at %s; check the name", quote(repo.sub), repo, at)
	}
	return usage("%s has no files at %s%s; there is nothing to assess", repo, at, g.firstRefusal())
}
