// Package inspection reads a package statically in the background of an assessment, together
// with the repository that it says it was made of.
package inspection

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/acquire/tarfs"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
)

// Options say how a package is read.
type Options struct {
	// Self is the command line that starts this program as the process that
	// reads source.
	Self []string
	// Memory keeps what was read of dependencies; nil keeps nothing.
	Memory inspect.Memory
	// Advisories looks packages up; nil if that cannot be done, and Missing
	// says why.
	Advisories inspect.Advisories
	Missing    string
	// Release gives them up.
	Release func()
	// NoInstall has a package read without what it depends on, where its server is not
	// started.
	NoInstall bool
	// NoRepository leaves the repository alone that a package names.
	NoRepository bool
}

// Reading is an inspection under way: it takes as long as the first calls, and
// needs nothing of them.
type Reading struct {
	// archive is what was installed when it began.
	archive string

	// compared are the words that the code compares its input with, set when
	// told is closed.
	compared []string
	told     chan struct{}
	// facts are what the source tells, set when sourced is closed.
	facts   []mcpsf.Fact
	sourced chan struct{}

	// runEnded tells that everything else is done.
	runEnded func()

	done   chan struct{}
	cancel context.CancelFunc
	result *inspect.Result
	err    error
}

// Subject is what is read.
type Subject struct {
	Artifact *mcpsf.Artifact
	Facts    []mcpsf.Fact
	// Archive is what was installed, "" if nothing was.
	Archive string
	// Repository is on its way, nil if there is none.
	Repository *Repository
	Now        time.Time
}

// Start begins to read a package, nil if that is not wanted or there is nothing to read.
func Start(ctx context.Context, opts *Options, s *Subject) *Reading {
	if opts == nil || s.Artifact.Dir == "" && s.Artifact.Tree == nil && s.Artifact.RootFS == "" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Reading{archive: s.Archive, told: make(chan struct{}), sourced: make(chan struct{}), done: make(chan struct{}), cancel: cancel}
	in := &inspect.Input{
		Artifact: s.Artifact, Facts: s.Facts, Self: opts.Self, Memory: opts.Memory, Gateway: install.GatewayHost,
		Advisories: opts.Advisories, Missing: opts.Missing, Now: s.Now,
		Compared: func(words []string) {
			r.compared = words
			close(r.told)
		},
		Sourced: func(facts []mcpsf.Fact) {
			r.facts = facts
			close(r.sourced)
		},
	}
	ended := make(chan struct{})
	r.runEnded = sync.OnceFunc(func() { close(ended) })
	if fetched := s.Repository; fetched != nil {
		in.Repository = func(ctx context.Context) *inspect.Repository { return fetched.wait(ctx, ended) }
	}
	go func() {
		defer close(r.done)
		r.result, r.err = r.inspect(ctx, in)
	}()
	return r
}

// Of tells whether it reads what was installed in this archive.
func (r *Reading) Of(archive string) bool { return r == nil || r.archive == archive }

// Wait gives what was read. A package that could not be read does not undo
// what the run shows: it is told.
func (r *Reading) Wait() *inspect.Result {
	if r == nil {
		return nil
	}
	r.runEnded()
	<-r.done
	r.cancel()
	if r.err != nil {
		return &inspect.Result{Inspection: mcpsf.Inspection{
			Gaps:   []string{"the package was not read: " + r.err.Error()},
			Lookup: mcpsf.Lookup{Missing: "the package was not read"},
		}}
	}
	return r.result
}

// words are those that the code compares its input with, as soon as it is read.
func (r *Reading) words() []string {
	if r == nil {
		return nil
	}
	select {
	case <-r.told:
	case <-r.done: // the own source is read before that, or not at all
	}
	return slices.Clone(r.compared)
}

// maxCompared is how many words are said to a server.
const maxCompared = 64

// ComparedWords are the words that the package's code compares texts with: those
// that its parts were understood to, then those that only look like it.
func (r *Reading) ComparedWords(dir string) []string {
	if dir == "" {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	words := r.words()
	for _, w := range entry.Compared(root.FS()) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words[:min(len(words), maxCompared)]
}

// Source is what the source tells, as soon as all of it is read.
func (r *Reading) Source(ctx context.Context) []mcpsf.Fact {
	if r == nil {
		return nil
	}
	select {
	case <-r.sourced:
	case <-r.done:
	case <-ctx.Done():
	}
	select {
	case <-r.sourced: // though the rest may be done, too
		return r.facts
	default: // it could not be read
		return nil
	}
}

// Stop ends it if nobody waited.
func (r *Reading) Stop() {
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// inspect reads the package and what was installed for it.
func (r *Reading) inspect(ctx context.Context, in *inspect.Input) (*inspect.Result, error) {
	dir := in.Artifact.Dir
	in.At = mcpsf.WorkDir
	if in.Files = in.Artifact.Tree; in.Files != nil {
		return inspect.Read(ctx, in)
	}
	if dir == "" {
		dir, in.At, in.Image, in.Dir = in.Artifact.RootFS, "/", true, strings.Trim(in.Artifact.WorkDir, "/")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	in.Files = root.FS()
	if r.archive != "" {
		file, installed, err := openTree(r.archive)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in.Installed = installed
	}
	return inspect.Read(ctx, in)
}

// openTree opens what an installation left in the home.
func openTree(archive string) (*os.File, fs.FS, error) {
	file, err := os.Open(archive)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	tree, err := tarfs.New(file, info.Size())
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	home, err := fs.Sub(tree, strings.TrimPrefix(mcpsf.Home, "/"))
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, home, nil
}
