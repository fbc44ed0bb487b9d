package assess

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/acquire/tarfs"
	"github.com/mcpsf/mcpsf/internal/static/inspect"
)

// Inspection says how a package is read.
type Inspection struct {
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
}

// reading is an inspection under way: it takes as long as the first calls, and
// needs nothing of them.
type reading struct {
	// archive is what was installed when it began.
	archive string

	// compared are the words that the code compares its input with, set when
	// told is closed.
	compared []string
	told     chan struct{}
	// facts are what the source tells, set when sourced is closed.
	facts   []mcpsf.Fact
	sourced chan struct{}

	// hurry tells that everything else is done.
	hurry func()

	done   chan struct{}
	cancel context.CancelFunc
	result *inspect.Result
	err    error
}

// read begins to read the package, nil if that is not wanted.
func (st *stage) read(ctx context.Context) *reading {
	if st.opts.Inspect == nil || st.artifact.Dir == "" && st.artifact.Tree == nil && st.artifact.RootFS == "" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{archive: st.archive, told: make(chan struct{}), sourced: make(chan struct{}), done: make(chan struct{}), cancel: cancel}
	in := &inspect.Input{
		Artifact: st.artifact, Facts: st.facts, Self: st.opts.Inspect.Self, Memory: st.opts.Inspect.Memory, Gateway: install.GatewayHost,
		Advisories: st.opts.Inspect.Advisories, Missing: st.opts.Inspect.Missing, Now: st.opts.Now(),
		Compared: func(words []string) {
			r.compared = words
			close(r.told)
		},
		Sourced: func(facts []mcpsf.Fact) {
			r.facts = facts
			close(r.sourced)
		},
	}
	hurry := make(chan struct{})
	r.hurry = sync.OnceFunc(func() { close(hurry) })
	if fetched := st.repository; fetched != nil {
		in.Repository = func(ctx context.Context) *inspect.Repository { return fetched.wait(ctx, hurry) }
	}
	go func() {
		defer close(r.done)
		r.result, r.err = r.inspect(ctx, in)
	}()
	return r
}

// reread begins again if something else was installed meanwhile.
func (st *stage) reread(ctx context.Context) {
	if st.reading != nil && st.reading.archive != st.archive {
		st.reading.stop()
		st.reading = st.read(ctx)
	}
}

// wait gives what was read. A package that could not be read does not undo
// what the run shows: it is told.
func (r *reading) wait() *inspect.Result {
	if r == nil {
		return nil
	}
	r.hurry()
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
func (r *reading) words() []string {
	if r == nil {
		return nil
	}
	select {
	case <-r.told:
	case <-r.done: // the own source is read before that, or not at all
	}
	return slices.Clone(r.compared)
}

// source is what the source tells, as soon as all of it is read.
func (r *reading) source(ctx context.Context) []mcpsf.Fact {
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

// stop ends it if nobody waited.
func (r *reading) stop() {
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// inspect reads the package and what was installed for it.
func (r *reading) inspect(ctx context.Context, in *inspect.Input) (*inspect.Result, error) {
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

// inspected puts into the report what was read, and what the run showed of it.
func inspected(r *mcpsf.Report, found *inspect.Result, events []mcpsf.Event, seen []observed) {
	if found == nil {
		return
	}
	in := found.Inspection
	if len(events) > 0 && !r.Coverage.Static {
		var opened []string
		for i := range seen {
			opened = append(opened, seen[i].Received.Loaded...)
		}
		inspect.Used(&in, events, opened)
	}
	r.Inspection = &in
	if !r.Coverage.Static {
		r.Coverage.Gaps = append(r.Coverage.Gaps, unread(&in)...)
	}
	if !slices.Contains(r.Coverage.Phases, mcpsf.PhaseInspect) {
		r.Coverage.Phases = append([]mcpsf.Phase{mcpsf.PhaseInspect}, r.Coverage.Phases...)
	}
	r.Facts = append(append(r.Facts, found.Facts...), inspect.Dependencies(&in)...)
}

// unread says what the reading of the package did not see.
func unread(in *mcpsf.Inspection) []string {
	var blind []string
	if in.Lookup.Missing != "" && len(in.Packages) > 0 {
		blind = append(blind, "what is published about its packages: "+in.Lookup.Missing)
	}
	blind = append(blind, uncompared(in)...)
	if n := len(in.Gaps); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", and %d more notes of that kind", n-1)
		}
		blind = append(blind, "of its package: "+in.Gaps[0]+more)
	}
	return blind
}
