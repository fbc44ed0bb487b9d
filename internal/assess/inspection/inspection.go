// Package inspection reads a package statically in the background of an
// assessment, together with the repository that it claims to be built from.
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
	// Memory caches the results for dependencies; nil caches nothing.
	Memory inspect.Memory
	// Advisories looks packages up; nil if that is not possible, and Missing
	// says why.
	Advisories inspect.Advisories
	Missing    string
	// Release frees Advisories.
	Release func()
	// NoInstall reads a package without its dependencies in a scan.
	NoInstall bool
	// NoRepository skips the repository that a package names.
	NoRepository bool
}

// Reading is an inspection in progress. It runs parallel to the first calls, on
// which it does not depend.
type Reading struct {
	// archive is what was installed when the inspection began.
	archive string

	// compared are the words that the code compares its input with; valid once
	// told is closed.
	compared []string
	told     chan struct{}
	// expected is what the code expects of the answers to its requests; valid
	// once answered is closed.
	expected []mcpsf.ExpectedAnswer
	answered chan struct{}
	// facts are the facts from the source; valid once sourced is closed.
	facts   []mcpsf.Fact
	sourced chan struct{}

	// runEnded signals that everything else is done.
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
	// Repository is the fetch in progress, nil if there is none.
	Repository *Repository
	Now        time.Time
}

// Start begins to read a package. It returns nil if there is nothing to read.
func Start(ctx context.Context, opts *Options, s *Subject) *Reading {
	if opts == nil || s.Artifact.Dir == "" && s.Artifact.Tree == nil && s.Artifact.RootFS == "" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Reading{archive: s.Archive, told: make(chan struct{}), answered: make(chan struct{}), sourced: make(chan struct{}), done: make(chan struct{}), cancel: cancel}
	in := &inspect.Input{
		Artifact: s.Artifact, Facts: s.Facts, Self: opts.Self, Memory: opts.Memory, Gateway: install.GatewayHost,
		Advisories: opts.Advisories, Missing: opts.Missing, Now: s.Now,
		Compared: func(words []string) {
			r.compared = words
			close(r.told)
		},
		Expected: func(answers []mcpsf.ExpectedAnswer) {
			r.expected = answers
			close(r.answered)
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

// Of tells whether the inspection reads what was installed in this archive.
func (r *Reading) Of(archive string) bool { return r == nil || r.archive == archive }

// Wait returns the result. A package that could not be read does not invalidate
// the run: the report says so.
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

// words returns the words that the code compares its input with, as soon as they are known.
func (r *Reading) words() []string {
	if r == nil {
		return nil
	}
	select {
	case <-r.told:
	case <-r.done: // its own source is read before that, or not at all
	}
	return slices.Clone(r.compared)
}

// ComparedWords returns the words that the package's code compares texts with:
// first those found by analysis, then those that only look like it.
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
	return words
}

// ExpectedAnswers returns what the package's code expects of the answers to its
// requests, as soon as it is known; nothing if the context ends before, or if
// the source cannot be read. The shapes are shared: do not change them.
func (r *Reading) ExpectedAnswers(ctx context.Context) []mcpsf.ExpectedAnswer {
	if r == nil {
		return nil
	}
	select {
	case <-r.answered:
	case <-r.done: // its own source is read before that, or not at all
	case <-ctx.Done():
	}
	select {
	case <-r.answered:
		return slices.Clone(r.expected)
	default:
		return nil
	}
}

// Source returns the facts from the source, as soon as all of it is read.
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
	case <-r.sourced: // also if done is closed too
		return r.facts
	default: // the source could not be read
		return nil
	}
}

// Stop ends the inspection if nobody waited for it.
func (r *Reading) Stop() {
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// inspect reads the package and its installed dependencies.
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

// openTree opens the files that an installation left in the home.
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
