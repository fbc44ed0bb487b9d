package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/project"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// packed is a local file that contains the server's files: a tar, a zip, or one
// of these under another extension.
type packed struct{}

var _ kind.Resolver = packed{}

// Kind implements [kind.Resolver].
func (packed) Kind() string { return KindArchive }

// Match implements [kind.Resolver].
func (packed) Match(target mcpsf.Target) bool {
	name := strings.ToLower(target.Source)
	return slices.ContainsFunc(archive.Suffixes(), func(s string) bool { return strings.HasSuffix(name, s) })
}

// Resolve implements [kind.Resolver]. A directory can have such a name, too.
func (k packed) Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	at, err := staging.Locate(target.Source)
	if err != nil {
		return nil, nil, err
	}
	if at.File == "" {
		return local{}.Resolve(ctx, target, stageDir, opts)
	}
	dst, err := os.OpenRoot(stageDir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the stage directory: %w", err)
	}
	defer dst.Close()
	u := archive.New(target.Source, dst, opts.Limits)
	sum, err := u.Archive(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	t := u.Tree
	if t.Files() == 0 {
		return nil, nil, usererr.Usage("%s has no files in it that can be unpacked%s; name the archive that holds the server",
			usererr.Quote(target.Source), u.FirstRefusal())
	}
	opts.Logger.Debug("unpacked", "entries", len(t.Entries), "bytes", t.Bytes, "archive", sum)

	a := &mcpsf.Artifact{
		Kind: k.Kind(), Name: at.Name, Digest: t.Digest(), Files: t.Files(), Bytes: t.Bytes, Dir: stageDir,
	}
	p := &project.Project{Tree: t, Root: dst, Source: target.Source, Dir: filepath.Join(at.Dir, at.File), Unstarted: opts.Unstarted}
	p.ReadManifests()
	if in := p.Published(u.Top); in != nil {
		if in.Package, err = keepPackage(ctx, at, sum, stageDir, opts); err != nil {
			return nil, nil, err
		}
		a.Install = in
	}
	if err := p.Describe(a, target); err != nil {
		return nil, nil, err
	}
	a.Notes = append([]string{"unpacked from an archive with the digest " + sum}, t.Notes.All()...)
	return a, u.Facts(), nil
}

// keepPackage copies an archive beside the stage, under its own name, and
// checks that it is still the one that was unpacked.
func keepPackage(ctx context.Context, at staging.Place, sum, stageDir string, opts kind.Options) (string, error) {
	dir, err := published.Dir(stageDir)
	if err != nil {
		return "", err
	}
	in, size, err := archive.Open(at, opts.MaxBytes)
	if err != nil {
		return "", err
	}
	defer in.Close()
	name := filepath.Join(dir, at.File)
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("copying the package: %w", err)
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), archive.Stream(ctx, io.NewSectionReader(in, 0, size)))
	if err := errors.Join(err, out.Close()); err != nil {
		return "", fmt.Errorf("copying the package: %w", err)
	}
	if "sha256:"+hex.EncodeToString(h.Sum(nil)) != sum {
		return "", staging.Changed(at.Source)
	}
	return name, nil
}
