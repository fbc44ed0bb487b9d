// Package inspect reads a server's package before anything of it runs.
//
// It takes the artifact's files, the installed tree, and a way to look up
// advisories. It returns an [mcpsf.Inspection], the facts that rules judge, and
// words for the fuzzer: those that the code compares its input with, and the
// answers that it expects to its requests. It runs nothing of the package.
package inspect

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code"
	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
	"github.com/mcpsf/mcpsf/internal/static/inventory"
	"github.com/mcpsf/mcpsf/internal/static/lookalike"
)

// Advisories looks up packages.
type Advisories interface {
	Match(ctx context.Context, packages []mcpsf.Package) ([]mcpsf.Advisory, mcpsf.Lookup, error)
}

// Memory stores the results for dependencies.
type Memory interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
}

// Input is the input of [Read].
type Input struct {
	Artifact *mcpsf.Artifact
	// Files are the artifact's own, and At is their path in the sandbox.
	Files fs.FS
	At    string
	// Image is set if they are a whole container image, in which Dir is the
	// server's directory; "" if unknown.
	Image bool
	Dir   string
	// Installed is what was installed for it, nil if nothing was. It contains
	// the package again, among its dependencies.
	Installed fs.FS
	// Advisories is nil if there is no advisory database; Missing says why.
	Advisories Advisories
	Missing    string
	// Repository fetches the repository that the package names; nil if they are
	// not compared.
	Repository func(ctx context.Context) *Repository
	// Facts are those from acquiring the package.
	Facts []mcpsf.Fact
	// Gateway is the host of our own package gateway. It is removed from the
	// addresses of packages, because it is not where they come from.
	Gateway string
	// Self starts this program as the process that reads source.
	Self []string
	// Memory is nil if nothing is stored.
	Memory Memory
	// Compared is called with the words that the code compares its input with,
	// as soon as they are known.
	Compared func(words []string)
	// Expected is called with what the code expects of the answers to its
	// requests, as soon as it is known.
	Expected func(answers []mcpsf.ExpectedAnswer)
	// Sourced is called with the results of the source analysis, before
	// anything is looked up.
	Sourced func(facts []mcpsf.Fact)
	Now     time.Time
}

// Result is the result of [Read].
type Result struct {
	Inspection mcpsf.Inspection
	Facts      []mcpsf.Fact
	// Own are the server's own source files.
	Own []analysis.OwnFile
}

// maxPlaces is how many places of a capability are listed.
// no gap: bounds what is shown or what excuses; the rest of the source is read
const maxPlaces = 20

// Read reads all of it.
func Read(ctx context.Context, in *Input) (*Result, error) {
	out := &Result{}
	if in.Installed != nil {
		trees := *in
		trees.Installed = &dependencyTrees{FS: in.Installed, own: in.Files, name: in.Artifact.Name}
		in = &trees
	}
	parts, err := out.inventory(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := out.source(ctx, in, parts.Root.PURL); err != nil {
		return nil, err
	}
	if in.Sourced != nil {
		in.Sourced(slices.Clone(out.Facts))
	}
	if err := out.lookup(ctx, in); err != nil {
		return nil, err
	}
	out.names(in, parts)
	out.age(in)
	out.declare(in)
	if err := out.repository(ctx, in); err != nil {
		return nil, err
	}
	return out, nil
}

// inventory finds the packages of the server.
func (r *Result) inventory(ctx context.Context, in *Input) (*inventory.Result, error) {
	opts := &inventory.Options{Self: self(in.Artifact), Dir: in.Dir, At: in.At}
	if in.Installed != nil {
		opts.Extra = []inventory.Tree{{Name: "installed", FS: in.Installed, At: mcpsf.Home}}
	}
	found, err := inventory.Read(ctx, in.Files, opts)
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	withoutGateway(found, in.Gateway)
	r.Inspection.Packages = found.Packages
	if found.Root.Name != "" {
		r.Inspection.Packages = append([]mcpsf.Package{found.Root}, found.Packages...)
	}
	r.Inspection.Gaps = append(r.Inspection.Gaps, found.Notes...)
	return found, nil
}

// withoutGateway removes our own host from the addresses of packages.
func withoutGateway(found *inventory.Result, gateway string) {
	if gateway == "" {
		return
	}
	plain := func(purl string) string {
		before, _, _ := strings.Cut(purl, "?download_url=http://"+gateway+"/")
		return before
	}
	clean := func(p *mcpsf.Package) {
		p.PURL = plain(p.PURL)
		for i := range p.Needs {
			p.Needs[i] = plain(p.Needs[i])
		}
		for i := range p.Via {
			p.Via[i] = plain(p.Via[i])
		}
	}
	clean(&found.Root)
	for i := range found.Packages {
		clean(&found.Packages[i])
	}
}

// self returns the server's own package as the artifact names it.
func self(a *mcpsf.Artifact) mcpsf.Package {
	p := mcpsf.Package{Name: a.Name, Version: a.Version}
	switch a.Kind {
	case "npm":
		p.Ecosystem = mcpsf.EcosystemNPM
	case "pypi":
		p.Ecosystem = mcpsf.EcosystemPyPI
	default:
		return mcpsf.Package{}
	}
	return p
}

// source reads the code. Dependencies are read in the installed tree, the
// package's own files where they were published; own is its purl.
func (r *Result) source(ctx context.Context, in *Input, own string) error {
	tree := in.Files
	switch {
	case in.Image && (in.Dir == "" || !isDir(in.Files, in.Dir)):
		r.Inspection.Gaps = append(r.Inspection.Gaps, "the source of the server: the image does not say where in it that is")
		return nil
	case in.Image:
		var err error
		if tree, err = fs.Sub(in.Files, in.Dir); err != nil {
			return fmt.Errorf("reading source: %w", err)
		}
	case in.Installed != nil:
		tree = beside{in.Files, in.Installed}
	}
	where := placesOf(r.Inspection.Packages)
	where.own, where.top = own, path.Join(in.At, in.Dir)
	read, err := code.Read(ctx, tree, &code.Options{Self: in.Self, Memory: in.Memory, Compared: in.Compared, Expected: in.Expected, Dependency: where.dependency})
	if err != nil {
		return fmt.Errorf("reading source: %w", err)
	}
	for i := range read.Capabilities {
		a := &read.Capabilities[i]
		a.Places = a.Places[:min(len(a.Places), maxPlaces)]
	}
	r.Inspection.Capabilities, r.Inspection.Tools, r.Inspection.Files = read.Capabilities, read.Tools, read.Files
	r.Inspection.Gaps, r.Own = append(r.Inspection.Gaps, read.Gaps...), read.Own
	r.Facts = append(r.Facts, read.Facts...)
	return nil
}

// lookup looks up the advisories about the packages.
func (r *Result) lookup(ctx context.Context, in *Input) error {
	if in.Advisories == nil {
		r.Inspection.Lookup = mcpsf.Lookup{Missing: in.Missing, Unknown: len(r.Inspection.Packages)}
		return nil
	}
	found, lookup, err := in.Advisories.Match(ctx, r.Inspection.Packages)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		lookup.Missing = err.Error()
	}
	r.Inspection.Advisories, r.Inspection.Lookup = found, lookup
	return nil
}

// names looks for lookalike names of packages.
func (r *Result) names(in *Input, found *inventory.Result) {
	finder := lookalike.New()
	if own := self(in.Artifact); own.Name != "" {
		if l, ok := finder.Find(own.Ecosystem, own.Name); ok {
			r.Facts = append(r.Facts, likeness(l))
		}
	}
	for i := range found.Packages {
		p := &found.Packages[i]
		if p.Dev || p.Via == nil || len(p.Via) > 0 {
			continue // not chosen by this project
		}
		if l, ok := finder.Find(p.Ecosystem, p.Name); ok {
			fact := likeness(l)
			fact.Package, fact.Path = p.PURL, first(p.Found)
			r.Facts = append(r.Facts, fact)
		}
	}
}

func likeness(l lookalike.Likeness) mcpsf.Fact {
	level := mcpsf.SeverityLow
	if l.Strong {
		level = mcpsf.SeverityHigh
	}
	return mcpsf.Fact{Kind: "provenance.lookalike", Name: l.Of, Text: l.Why, Level: level}
}

// youngFor is how long a package counts as new.
const youngFor = 30 * 24 * time.Hour

// age reports a new package.
func (r *Result) age(in *Input) {
	i := slices.IndexFunc(in.Facts, func(f mcpsf.Fact) bool { return f.Kind == "provenance.first" })
	if i < 0 {
		return
	}
	first, err := time.Parse(time.DateOnly, in.Facts[i].Text)
	if err != nil || in.Now.Sub(first) > youngFor {
		return
	}
	r.Facts = append(r.Facts, mcpsf.Fact{Kind: "provenance.young", Text: "first published on " + strings.TrimSpace(in.Facts[i].Text)})
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}
