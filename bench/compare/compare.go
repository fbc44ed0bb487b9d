package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
)

// outcome is the result for one server.
type outcome struct {
	server
	Listed       []pack
	Ours, Theirs found
	// Told are the files in which OSV-Scanner found a package.
	Told map[pack][]string
	// First is a scan without a cache of these packages, Again one with it.
	taken
}

// compare runs the whole comparison.
func (s *settings) compare(ctx context.Context) error {
	list := slices.DeleteFunc(servers(), func(v server) bool { return !strings.Contains(v.Name, s.only) })
	if len(list) == 0 {
		return fmt.Errorf("there is no server %q", s.only)
	}
	if _, err := os.Stat(s.peer); err != nil {
		return fmt.Errorf("%w; try: make compare", err)
	}
	var all []*outcome
	var packages []pack
	for _, v := range list {
		fmt.Fprintln(s.stderr, "installing", v.Package, "...")
		if err := v.install(ctx, s.dir(v)); err != nil {
			return err
		}
		o := &outcome{server: v}
		var err error
		if o.Listed, err = listed(s.dir(v)); err != nil {
			return err
		}
		all, packages = append(all, o), append(packages, o.Listed...)
	}
	slices.SortFunc(packages, func(a, b pack) int { return strings.Compare(a.String(), b.String()) })
	packages = slices.Compact(packages)
	made, err := makeRecords(packages)
	if err == nil && !s.kept {
		made, err = s.database(ctx, packages)
	}
	if err != nil {
		return err
	}
	for _, o := range all {
		if err := s.scanned(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", o.Name, err)
		}
		fmt.Fprintln(s.stderr, line(o))
	}
	result := judge(all, made)
	text := s.report(all, result)
	fmt.Fprint(s.stdout, text)
	if s.page != "" {
		if err := os.WriteFile(s.page, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return result.err()
}

func (s *settings) dir(v server) string { return filepath.Join(s.place, "trees", v.Name) }

// database makes the exports and imports them into mcpsf.
func (s *settings) database(ctx context.Context, packages []pack) (*made, error) {
	fmt.Fprintln(s.stderr, "making the exports ...")
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return nil, err
	}
	m, err := makeRecords(packages)
	if err != nil {
		return nil, err
	}
	if _, err := export.Generate(s.exports, s.size, m.Records); err != nil {
		return nil, err
	}
	_, err = s.once(ctx, []int{0}, []string{"MCPSF_CACHE=" + s.databases}, s.mcpsf, "db", "update", "-q", "--from", s.exports)
	return m, err
}

// taken is the usage of the scans of a server.
type taken struct{ First, Again, Peer usage }

// scanned scans a server, or uses the results of the last time.
func (s *settings) scanned(ctx context.Context, o *outcome) error {
	base := s.work
	s.work = filepath.Join(base, o.Name)
	defer func() { s.work = base }()
	file := filepath.Join(s.work, "taken.json")
	if !s.kept {
		if err := s.scanBoth(ctx, o); err != nil {
			return err
		}
		data, err := json.Marshal(o.taken)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var ours, theirs error
	o.Ours, _, ours = s.readOurs()
	o.Theirs, o.Told, theirs = s.readTheirs()
	return errors.Join(json.Unmarshal(data, &o.taken), ours, theirs)
}

// scanBoth scans one server with both scanners, in turns.
func (s *settings) scanBoth(ctx context.Context, o *outcome) error {
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return err
	}
	dir := s.dir(o.server)
	if err := s.forget(); err != nil {
		return err
	}
	var again, peer []usage
	for i := range s.rounds + 1 {
		u, err := s.scanOurs(ctx, dir)
		if err != nil {
			return err
		}
		if i == 0 {
			o.First = u
			continue
		}
		again = append(again, u)
		if u, err = s.scanTheirs(ctx, dir); err != nil {
			return err
		}
		peer = append(peer, u)
	}
	o.Again, o.Peer = median(again), median(peer)
	return nil
}

// forget removes mcpsf's cache of packages.
func (s *settings) forget() error { return os.RemoveAll(filepath.Join(s.databases, "source")) }
