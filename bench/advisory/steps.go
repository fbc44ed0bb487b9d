package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/advisory/export"
	"github.com/mcpsf/mcpsf/internal/static/advisory"
)

// The steps. Each runs in a process of its own.
const (
	stepImport = "import"
	stepLookUp = "look-up"
	stepOther  = "osvlocal"
)

// found is what a matcher has for a package, by name and version: for each
// advisory all its ids.
type found map[string][][]string

func (f found) add(name string, ids ...string) { f[name] = append(f[name], ids) }

// result is the measurement of a step.
type result struct {
	Records int
	// Took is the time of the step; Open and LookUp are parts of it.
	Took, Open, LookUp time.Duration
	Found              found

	// Memory is the peak memory of the process, CPU its processor time.
	Memory int64
	CPU    time.Duration
}

func doStep(ctx context.Context, s settings, stdout io.Writer) error {
	have, err := readSample(s.dir)
	if err != nil {
		return err
	}
	r := result{}
	start := time.Now()
	switch s.step {
	case stepImport:
		var done []advisory.Updated
		if done, err = advisory.Update(ctx, database(s), &advisory.UpdateOptions{From: s.dir}); err != nil {
			return err
		}
		for _, u := range done {
			r.Records += u.Records + u.Withdrawn
		}
	case stepLookUp:
		err = lookUp(ctx, s, have.Packages, &r)
	case stepOther:
		r.Found, err = byLibrary(ctx, s.dir, have.Packages)
	default:
		err = fmt.Errorf("there is no step %q", s.step)
	}
	if err != nil {
		return err
	}
	r.Took = time.Since(start)
	r.Memory = peak()
	return json.NewEncoder(stdout).Encode(r)
}

func database(s settings) string { return filepath.Join(s.dir, "database") }

func lookUp(ctx context.Context, s settings, packages []export.Wanted, r *result) error {
	start := time.Now()
	db, err := advisory.Open(database(s), nil)
	if err != nil {
		return err
	}
	defer db.Close()
	r.Open = time.Since(start)
	var all []mcpsf.Package
	for _, p := range packages {
		all = append(all, mcpsf.Package{Ecosystem: p.Ecosystem, Name: p.Name, Version: p.Version, PURL: p.Name + "@" + p.Version})
	}
	start = time.Now()
	advisories, lookup, err := db.Match(ctx, all)
	if err != nil {
		return err
	}
	r.LookUp = time.Since(start)
	if lookup.Packages != len(all) {
		return fmt.Errorf("%d of %d packages were looked up", lookup.Packages, len(all))
	}
	r.Found = found{}
	for _, a := range advisories {
		r.Found.add(a.Package, append([]string{a.ID}, a.Aliases...)...)
	}
	return nil
}

// best runs a step several times and keeps the fastest run. Other processes on
// the machine affect the wall time, but not the processor time.
func best(ctx context.Context, s settings, step string) (result, error) {
	var all []result
	for range s.rounds {
		r, err := once(ctx, s, step)
		if err != nil {
			return r, fmt.Errorf("%s: %w", step, err)
		}
		all = append(all, r)
	}
	return slices.MinFunc(all, func(a, b result) int { return int(a.Took + a.LookUp - b.Took - b.LookUp) }), nil
}

func once(ctx context.Context, s settings, step string) (r result, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, self, "-dir", s.dir, "-step", step)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return r, fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, err
	}
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, nil
}

// peak is the peak memory of this process, 0 where the system does not report
// it. The figure that wait reports for a child includes its parent's.
func peak() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kib int64
			_, _ = fmt.Sscan(rest, &kib)
			return kib << 10
		}
	}
	return 0
}
