package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/analysiscache"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
	"github.com/mcpsf/mcpsf/internal/static/code"
	"github.com/mcpsf/mcpsf/internal/static/inventory"
)

// goal is the maximum time of a scan with a cache.
const goal = 5 * time.Second

// parts measures a scan of one tree: as a whole with the binary, and its parts
// in this process.
func (s *settings) parts(ctx context.Context) error {
	if err := installNode(ctx, s.tree, thousand()...); err != nil {
		return err
	}
	packages, err := listed(s.tree)
	if err != nil {
		return err
	}
	if _, err := s.database(ctx, packages); err != nil {
		return err
	}
	if err := s.forget(); err != nil {
		return err
	}
	var runs []usage
	for range s.rounds + 1 {
		u, err := s.scanOurs(ctx, s.tree)
		if err != nil {
			return err
		}
		runs = append(runs, u)
	}
	_, report, err := s.readOurs()
	if err != nil {
		return err
	}
	in := report.Inspection
	fmt.Fprintf(s.stdout, "%d packages installed, %d found; %d files, %d of source, %.0f MB of it read; %d advisories\n\n", len(packages), len(in.Packages),
		in.Files.Seen, in.Files.Source, float64(in.Files.Bytes)/1e6, len(in.Advisories))
	again := median(runs[1:])
	met := "met"
	if again.Wall > goal {
		met = "MISSED"
	}
	fmt.Fprintf(s.stdout, "%-28s %s\n%-28s %s (median of %d; %s: %s)\n", "scan, first", runs[0], "scan, again", again, s.rounds, goal, met)
	return s.split(ctx, in.Packages)
}

// split measures the parts separately, the best of the rounds each.
func (s *settings) split(ctx context.Context, packages []mcpsf.Package) error {
	root, err := os.OpenRoot(s.tree)
	if err != nil {
		return err
	}
	defer root.Close()
	var view *staging.View
	look := func() (err error) {
		view, err = s.view(ctx, root)
		return err
	}
	db, err := advisory.Open(filepath.Join(s.databases, "advisories"), nil)
	if err != nil {
		return err
	}
	defer db.Close()
	cache := analysiscache.Open(s.work, "bench", time.Now())
	read := func() error {
		_, err := code.Read(ctx, view, &code.Options{Self: []string{s.mcpsf, "read-source"}, Memory: cache})
		return err
	}
	for _, part := range []struct {
		name   string
		rounds int
		do     func() error
	}{
		{"listing and digest", s.rounds, look},
		{"inventory", s.rounds, func() error { _, err := inventory.Read(ctx, view, nil); return err }},
		{"source, first", 1, read},
		{"source, again", s.rounds, read},
		{"look-up", s.rounds, func() error { _, _, err := db.Match(ctx, packages); return err }},
	} {
		var took []time.Duration
		for range part.rounds {
			began := time.Now()
			if err := part.do(); err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
			took = append(took, time.Since(began))
		}
		fmt.Fprintf(s.stdout, "%-28s %.2f s\n", "of it "+part.name, slices.Min(took).Seconds())
	}
	return nil
}

// view opens the tree as a scan does.
func (s *settings) view(ctx context.Context, root *os.Root) (*staging.View, error) {
	at, err := staging.Locate(s.tree)
	if err != nil {
		return nil, err
	}
	elsewhere, err := os.OpenRoot(s.work)
	if err != nil {
		return nil, err
	}
	defer elsewhere.Close()
	t, err := at.Survey(ctx, root, elsewhere, staging.Limits{MaxBytes: kind.DefaultMaxBytes, MaxFiles: kind.DefaultMaxFiles, MaxDepth: kind.DefaultMaxDepth})
	if err != nil {
		return nil, err
	}
	t.MarkSecrets()
	v, _, err := t.View(ctx, root)
	return v, err
}
