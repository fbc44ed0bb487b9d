package assess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/github"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
	"github.com/mcpsf/mcpsf/internal/static/repodiff"
)

// repositoryPatience is how long a repository is waited for when everything
// else is done.
const repositoryPatience = 5 * time.Second

// The most that a repository is fetched of. What has more is told.
const (
	maxRepositoryBytes = 512 << 20
	maxRepositoryFiles = 100_000
)

// fetching is a repository on its way. It begins with the run, so that the
// comparison seldom has to wait for it.
type fetching struct {
	done   chan struct{}
	cancel context.CancelFunc
	state  *inspect.Repository
	root   *os.Root
}

// fetchRepository begins to fetch what a published package says it was made of;
// nil if there is no such package, or nobody reads it.
func (st *stage) fetchRepository(ctx context.Context) *fetching {
	a := st.artifact
	if st.opts.Inspect == nil || a.Origin == nil || a.Kind != "npm" && a.Kind != "pypi" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	f := &fetching{done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(f.done)
		f.state = &inspect.Repository{}
		f.state.Missing = st.missingRepository(ctx, f)
	}()
	return f
}

// missingRepository brings the repository, or says why it cannot be had.
func (st *stage) missingRepository(ctx context.Context, f *fetching) string {
	a := st.artifact
	said := a.Origin.Repository
	switch {
	case st.opts.NoRepository:
		return "--no-repository was given"
	case said == nil:
		return "the package does not say where its repository is"
	}
	f.state.Name = said.URL
	dir, err := os.MkdirTemp(st.run.Path, "repository-")
	if err != nil {
		return "there is no room for it"
	}
	state, err := github.Unpack(ctx, said.URL, repodiff.Refs(a.Name, a.Version, said.Dir, said.Commit), dir, st.repositoryOptions())
	switch {
	case errors.Is(err, github.ErrNoSuchState):
		return fmt.Sprintf("%s has no tag for version %s, nor a commit that the package names", said.URL, a.Version)
	case err != nil:
		return strings.TrimSpace(safetext.Clean(err.Error()))
	}
	f.state.Name, f.state.Commit, f.state.Ref = state.Repository, state.Commit, state.Ref
	if f.root, err = os.OpenRoot(dir); err != nil {
		return "it cannot be read"
	}
	f.state.Files = f.root.FS()
	return ""
}

func (st *stage) repositoryOptions() kind.Options {
	o := &kind.Options{Logger: st.opts.Logger, Registry: st.opts.Registry}
	o.MaxBytes, o.MaxFiles = maxRepositoryBytes, maxRepositoryFiles
	if st.opts.Cache != nil {
		o.Cache = st.opts.Cache
	}
	return o.Complete()
}

// wait gives the repository when it is there. As long as the run goes on
// anyway it may take its time; when it is all that is missing, a little.
func (f *fetching) wait(ctx context.Context, hurry <-chan struct{}) *inspect.Repository {
	select {
	case <-f.done:
		return f.state
	case <-ctx.Done():
		return &inspect.Repository{Missing: "the run ended"}
	case <-hurry:
	}
	timer := time.NewTimer(repositoryPatience)
	defer timer.Stop()
	select {
	case <-f.done:
		return f.state
	case <-ctx.Done():
		return &inspect.Repository{Missing: "the run ended"}
	case <-timer.C:
		return &inspect.Repository{Missing: "its host did not answer in time"}
	}
}

// stop ends it if nobody waited.
func (f *fetching) stop() {
	if f == nil {
		return
	}
	f.cancel()
	<-f.done
	if f.root != nil {
		_ = f.root.Close()
	}
}

// uncompared says in a line why a package was not compared with its repository.
func uncompared(in *mcpsf.Inspection) []string {
	if in.Repository == nil || in.Repository.Missing == "" {
		return nil
	}
	return []string{"whether the package is what its repository has: " + in.Repository.Missing}
}
