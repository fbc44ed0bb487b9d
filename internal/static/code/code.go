package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
	"github.com/mcpsf/mcpsf/internal/static/code/child"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// Options control how a package is read. Self is required; a zero value of any
// other field means its default.
type Options struct {
	// Self is the command line that starts this program so that it calls
	// [Child].
	Self []string
	// Dependency returns the dependency that a file belongs to, by purl, and ""
	// for the server's own source. If it is nil or does not know, the folders
	// of package managers decide.
	Dependency func(path string) (purl string, known bool)
	// Compared is called with the short strings that the server's own code
	// compares its input with, before dependencies are read.
	Compared func(words []string)
	// Expected is called with what the server's own code expects of the answers
	// to its requests, before dependencies are read.
	Expected func(answers []mcpsf.ExpectedAnswer)
	// Memory keeps the results for dependencies between runs; nil keeps
	// nothing.
	Memory Memory
	// FileTime bounds the processor time for one file, DependencyTime that for all
	// dependencies.
	FileTime, DependencyTime time.Duration
	// DependencyBytes bounds how much of dependencies is read.
	DependencyBytes int64
	// Children is how many files are read at once.
	Children int
}

// Result is the result of the source analysis.
type Result struct {
	Facts []mcpsf.Fact
	// Capabilities lists each capability with all places in the server's own
	// source that use it, and the dependencies that have it.
	Capabilities []mcpsf.Capability
	// Own are the server's own source files.
	Own   []analysis.OwnFile
	Tools []mcpsf.SourceTool
	Files mcpsf.FileTotals
	Gaps  []string
}

// Child must be called by the command Options.Self: it reads requests from r,
// parses the files and writes the results to w.
func Child(r io.Reader, w io.Writer) error { return child.Serve(r, w) }

// Read reads the source of a package.
func Read(ctx context.Context, fsys fs.FS, o *Options) (*Result, error) {
	if o == nil {
		return nil, errors.New("reading source needs to know how to start the reading process: set Self")
	}
	set := *o
	if set.FileTime == 0 {
		set.FileTime = 20 * time.Second
	}
	if set.DependencyTime == 0 {
		set.DependencyTime = 80 * time.Second
	}
	if set.DependencyBytes == 0 {
		set.DependencyBytes = 40 << 20
	}
	if set.Children == 0 {
		set.Children = min(2, runtime.NumCPU())
	}
	pool, err := child.NewPool(set.Self, set.Children, set.FileTime)
	if err != nil {
		return nil, err
	}
	s, err := survey(ctx, fsys, set.Dependency)
	if err != nil {
		return nil, err
	}
	r := &reading{fsys: fsys, pool: pool, set: &set, survey: s, result: &Result{}, bytes: map[string]int64{}}
	if err := r.own(ctx); err != nil {
		return nil, err
	}
	if err := r.dependencies(ctx); err != nil {
		return nil, err
	}
	r.finish()
	return r.result, nil
}

// finish sorts the results for the report.
func (r *reading) finish() {
	out := r.result
	out.Files.Seen = r.survey.seen
	out.Gaps = append(out.Gaps, r.survey.notes...)
	r.blinds(&out.Gaps)
	for _, power := range []mcpsf.CapabilityKind{mcpsf.CapabilityExec, mcpsf.CapabilityFiles, mcpsf.CapabilityNetwork, mcpsf.CapabilityDynamic, mcpsf.CapabilityNative, mcpsf.CapabilityEnviron, mcpsf.CapabilityCredential} {
		a := mcpsf.Capability{Kind: power, Places: r.places[power], Count: len(r.places[power]), Packages: r.packages[power]}
		slices.Sort(a.Packages)
		a.Packages = slices.Compact(a.Packages)
		if a.Count > 0 || len(a.Packages) > 0 {
			out.Capabilities = append(out.Capabilities, a)
		}
	}
	slices.SortStableFunc(out.Facts, func(a, b mcpsf.Fact) int {
		if (a.Package == "") != (b.Package == "") {
			if a.Package == "" {
				return -1
			}
			return 1
		}
		return 0
	})
}

// own reads the server's own source.
func (r *reading) own(ctx context.Context) error {
	files, err := r.read(ctx, r.survey.own)
	if err != nil {
		return err
	}
	p := analysis.New(files, "")
	r.result.Facts = append(r.result.Facts, p.Facts(false)...)
	if r.set.Compared != nil {
		r.set.Compared(p.Compared())
	}
	if r.set.Expected != nil {
		clients, err := r.clients(ctx)
		if err != nil {
			return err
		}
		r.set.Expected(p.ExpectedAnswers(clients, r.described()))
	}
	r.result.Tools, r.result.Own = tools(p.Files), p.OwnFiles()
	r.places = map[mcpsf.CapabilityKind][]mcpsf.CodePlace{}
	for _, place := range p.Places() {
		r.places[place.Capability] = append(r.places[place.Capability], place.CodePlace)
	}
	return nil
}

// read lets the child processes read files, and returns the results in order of
// their paths.
func (r *reading) read(ctx context.Context, entries []entry) ([]*ir.File, error) {
	var files []*ir.File
	err := r.each(ctx, entries, func(_ string, f *ir.File) {
		if f != nil {
			files = append(files, f)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("reading source: %w", err)
	}
	slices.SortFunc(files, func(a, b *ir.File) int { return cmpPath(a.Path, b.Path) })
	return files, nil
}
