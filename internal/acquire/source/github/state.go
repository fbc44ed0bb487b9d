package github

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// State is an unpacked repository at one commit.
type State struct {
	// Repository is "owner/name", Commit the full hash, and Ref what led to it.
	Repository, Commit, Ref string
}

// ErrNoSuchState says that a repository exists but has none of the requested
// commits and tags.
var ErrNoSuchState = errors.New("none of the commits and tags is in the repository")

// Unpack unpacks a whole repository into dir, an empty directory, at the first
// of the commits and tags that exists. address is written as packages write it;
// a directory or ref in it is ignored. Archives are cached as those of
// [Resolver] are.
func Unpack(ctx context.Context, address string, refs []string, dir string, opts kind.Options) (*State, error) {
	repo, err := parseSpec(address)
	if err != nil || !matches(address) {
		return nil, usererr.Usage("%s is no repository on GitHub", usererr.Quote(address))
	}
	if opts.Registry == nil {
		return nil, usererr.Usage("there is no way to GitHub here")
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), "github-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the download: %w", err)
	}
	defer os.RemoveAll(scratch)
	f := &fetcher{api: opts.Registry.GitHub(), opts: opts, dir: scratch}
	pin, ref, err := f.first(ctx, repository{owner: repo.owner, name: repo.name}, refs)
	if err != nil {
		return nil, err
	}
	file, err := f.archive(ctx, &pin)
	if err != nil {
		return nil, err
	}
	if err := f.unpackAll(ctx, pin, file, dir); err != nil {
		return nil, err
	}
	return &State{Repository: pin.repo.String(), Commit: pin.commit, Ref: ref}, nil
}

// first finds the first existing ref. A ref that is no full commit must be a
// tag, because a branch moves.
func (f *fetcher) first(ctx context.Context, repo repository, refs []string) (pinned, string, error) {
	for _, ref := range refs {
		repo.ref = ref
		if !isCommit(ref) {
			repo.ref = "tags/" + ref
		}
		if !isRef(repo.ref) {
			continue
		}
		pin, err := f.resolve(ctx, repo)
		if errors.Is(err, errUnknownRef) {
			continue
		}
		return pin, ref, err
	}
	return pinned{}, "", ErrNoSuchState
}

func (f *fetcher) unpackAll(ctx context.Context, pin pinned, file, dir string) error {
	dst, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening a directory for a repository: %w", err)
	}
	defer dst.Close()
	g := &tarball{Unpacker: archive.New(pin.repo.String(), dst, f.opts.Limits), pin: pin}
	if err := g.unpack(ctx, file); err != nil {
		return err
	}
	f.keep(pin, file)
	return nil
}
