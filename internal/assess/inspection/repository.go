package inspection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/github"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
	"github.com/mcpsf/mcpsf/internal/static/repodiff"
)

// repositoryPatience is how long a repository is waited for when everything else
// is done.
const repositoryPatience = 5 * time.Second

// Bounds for fetching a repository. One that exceeds them is reported.
// gap: repository
const (
	maxRepositoryBytes = 512 << 20
	maxRepositoryFiles = 100_000
)

// Repository is a fetch in progress. It begins with the run, so that the
// comparison seldom waits for it.
type Repository struct {
	done   chan struct{}
	cancel context.CancelFunc
	state  *inspect.Repository
	root   *os.Root
}

// Fetcher fetches repositories.
type Fetcher struct {
	Registry *registry.Client
	Cache    *cache.Cache
	Logger   *slog.Logger
	// Dir is where they are unpacked.
	Dir string
}

// Fetch begins to fetch the repository that a published package names. It
// returns nil if there is none, or the package is not read.
func (f *Fetcher) Fetch(ctx context.Context, opts *Options, a *mcpsf.Artifact) *Repository {
	if opts == nil || a.Origin == nil || a.Kind != "npm" && a.Kind != "pypi" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Repository{done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(r.done)
		r.state = &inspect.Repository{}
		if opts.NoRepository {
			r.state.Missing = "--no-repository was given"
			return
		}
		r.state.Missing = f.unpack(ctx, a, r)
	}()
	return r
}

// unpack fetches the repository, or says why that is not possible.
func (f *Fetcher) unpack(ctx context.Context, a *mcpsf.Artifact, r *Repository) (missing string) {
	said := a.Origin.Repository
	if said == nil {
		return "the package does not say where its repository is"
	}
	r.state.Name = said.URL
	dir, err := os.MkdirTemp(f.Dir, "repository-")
	if err != nil {
		return "there is no room for it"
	}
	state, err := github.Unpack(ctx, said.URL, repodiff.Refs(a.Name, a.Version, said.Dir, said.Commit), dir, f.options())
	switch {
	case errors.Is(err, github.ErrNoSuchState):
		return fmt.Sprintf("%s has no tag for version %s, nor a commit that the package names", said.URL, a.Version)
	case err != nil:
		return strings.TrimSpace(safetext.Clean(err.Error()))
	}
	r.state.Name, r.state.Commit, r.state.Ref = state.Repository, state.Commit, state.Ref
	if r.root, err = os.OpenRoot(dir); err != nil {
		return "it cannot be read"
	}
	r.state.Files = r.root.FS()
	return ""
}

func (f *Fetcher) options() kind.Options {
	o := &kind.Options{Logger: f.Logger, Registry: f.Registry}
	o.MaxBytes, o.MaxFiles = maxRepositoryBytes, maxRepositoryFiles
	if f.Cache != nil {
		o.Cache = f.Cache
	}
	return o.Complete()
}

// wait returns the repository once it is fetched. While the run continues there
// is no time limit; when only the repository is missing there is a short one.
func (r *Repository) wait(ctx context.Context, runEnded <-chan struct{}) *inspect.Repository {
	select {
	case <-r.done:
		return r.state
	case <-ctx.Done():
		return &inspect.Repository{Missing: "the run ended"}
	case <-runEnded:
	}
	timer := time.NewTimer(repositoryPatience)
	defer timer.Stop()
	select {
	case <-r.done:
		return r.state
	case <-ctx.Done():
		return &inspect.Repository{Missing: "the run ended"}
	case <-timer.C:
		return &inspect.Repository{Missing: "its host did not answer in time"}
	}
}

// Stop ends the fetch if nobody waited for it.
func (r *Repository) Stop() {
	if r == nil {
		return
	}
	r.cancel()
	<-r.done
	if r.root != nil {
		_ = r.root.Close()
	}
}

// Uncompared says in a line why a package was not compared with its repository.
func Uncompared(in *mcpsf.Inspection) []mcpsf.Gap {
	if in.Repository == nil || in.Repository.Missing == "" {
		return nil
	}
	return []mcpsf.Gap{gap.Detailed(gap.Repository, "whether the package is what its repository has: "+in.Repository.Missing)}
}
