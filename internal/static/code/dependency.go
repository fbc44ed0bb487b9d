package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/analysis"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// parcel is one dependency, analysed as a package of its own.
type parcel struct {
	purl    string
	entries []entry
	// key is a hash of its content; "" if that is not known.
	key   string
	files []*ir.File
	left  int
	// lost says that reading a file failed; the result is not stored, because
	// another try may succeed.
	lost bool
}

// dependencies runs the cheap analyses on the server's dependencies.
func (r *reading) dependencies(ctx context.Context) error {
	r.packages = map[mcpsf.CapabilityKind][]string{}
	limited, cancel := r.pool.Within(ctx, r.set.DependencyTime)
	defer cancel()
	parcels, wanted := r.parcels()
	unread, read := r.reuse(limited, parcels)
	notes := len(r.notes)
	more, err := r.open(limited, unread)
	if err != nil && (ctx.Err() != nil || limited.Err() == nil) {
		return fmt.Errorf("reading the source of dependencies: %w", err)
	}
	r.notes = r.notes[:notes] // notes on single dependency files are not reported
	if missing := wanted - read - more; missing > 0 {
		r.survey.notes = append(r.survey.notes, fmt.Sprintf("%d of %d source files of dependencies were not read: too large, too many or too slow", missing, wanted))
	}
	slices.SortStableFunc(r.result.Facts, func(a, b mcpsf.Fact) int { return strings.Compare(a.Package, b.Package) })
	return nil
}

// parcels returns the dependencies with at most as many files as are read, and
// the total number of files.
func (r *reading) parcels() (list []*parcel, files int) {
	byPURL := map[string]*parcel{}
	total := int64(0)
	for _, e := range r.survey.dependencies {
		if e.size > maxDependencyFile || total+e.size > r.set.DependencyBytes {
			continue
		}
		total += e.size
		p := byPURL[e.purl]
		if p == nil {
			p = &parcel{purl: e.purl}
			byPURL[e.purl], list = p, append(list, p)
		}
		p.entries = append(p.entries, e)
	}
	return list, len(r.survey.dependencies)
}

// open has the files of packages read, and returns how many were. A package is
// analysed as soon as its last file was read.
func (r *reading) open(ctx context.Context, parcels []*parcel) (read int, err error) {
	var entries []entry
	owner := map[string]*parcel{}
	for _, p := range parcels {
		p.left = len(p.entries)
		entries = append(entries, p.entries...)
		for _, e := range p.entries {
			owner[e.path] = p
		}
	}
	err = r.each(ctx, entries, func(path string, f *ir.File) {
		p := owner[path]
		if f != nil {
			read++
			p.files, p.lost = append(p.files, f), p.lost || f.Lost
		}
		if p.left--; p.left == 0 {
			r.dependency(p)
		}
	})
	for _, p := range parcels {
		if p.left > 0 && len(p.files) > 0 { // time ran out for the other files
			p.lost = true
			r.dependency(p)
		}
	}
	return read, err
}

// dependency analyses one package after all its files were read.
func (r *reading) dependency(p *parcel) {
	slices.SortFunc(p.files, func(a, b *ir.File) int { return cmpPath(a.Path, b.Path) })
	a := analysis.New(p.files, p.purl)
	t := &told{Facts: a.Facts(true), Read: len(p.files), Source: len(p.entries)}
	for _, place := range a.Places() {
		if !slices.Contains(t.Powers, place.Capability) {
			t.Powers = append(t.Powers, place.Capability)
		}
	}
	for _, f := range p.files {
		t.Bytes += r.bytes[f.Path]
		if f.Whole {
			t.Parsed++
		}
	}
	r.tell(p, t)
	if !p.lost {
		r.remember(p, t)
	}
	p.files = nil
}

// tell adds the results of a package to the overall result.
func (r *reading) tell(p *parcel, t *told) {
	r.result.Facts = append(r.result.Facts, t.Facts...)
	for _, power := range t.Powers {
		r.packages[power] = append(r.packages[power], p.purl)
	}
}
