package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/clientconfig"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

func (a *app) runAssess(ctx context.Context, target mcpsf.Target, f *assessFlags) error {
	if err := f.model.prepare(&f.seed); err != nil {
		return err
	}
	if f.seed == 0 {
		f.seed = rand.Uint64()
	}
	opts, err := a.options(f)
	if err != nil {
		return err
	}
	defer opts.Cache.Close()
	defer opts.Inspect.Release()
	if err := a.record(target, f); err != nil {
		return err
	}
	servers, err := a.expand(target, f.servers, f.seed)
	if err != nil {
		return err
	}
	if warning := opts.Network.Warning(); warning != "" {
		fmt.Fprintln(a.stderr, "warning: "+warning)
	}
	if len(servers) == 1 && servers[0].Problem == "" {
		a.replaced(&servers[0])
		return a.assessOne(ctx, opts, f, servers[0].Target, f.output)
	}
	return a.assessAll(ctx, opts, f, servers)
}

// assessAll assesses one server after another. One that cannot be assessed
// does not keep the others from it; the most severe outcome decides.
func (a *app) assessAll(ctx context.Context, opts *assess.Options, f *assessFlags, servers []clientconfig.Server) error {
	worst := exitOK
	for i := range servers {
		s := &servers[i]
		fmt.Fprintf(a.stderr, "%s (%d of %d)\n", safetext.Clean(s.Name), i+1, len(servers))
		a.replaced(s)
		err := a.assessNamed(ctx, opts, f, s)
		if ctx.Err() != nil {
			return err
		}
		worst = moreSevere(worst, a.exitCode(ctx, err))
	}
	if worst == exitOK {
		return nil
	}
	return &outcome{worst}
}

func (a *app) assessNamed(ctx context.Context, opts *assess.Options, f *assessFlags, s *clientconfig.Server) error {
	if s.Problem != "" {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: s.Problem}
	}
	dir := f.output
	if dir != "" {
		dir = filepath.Join(dir, fileName(s.Name))
	}
	return a.assessOne(ctx, opts, f, s.Target, dir)
}

// replaced tells which values of a configuration stayed at home.
func (a *app) replaced(s *clientconfig.Server) {
	if len(s.Replaced) > 0 {
		fmt.Fprintln(a.stderr, safetext.Clean("fakes of the same shape stand in for "+strings.Join(s.Replaced, ", ")))
	}
}

// moreSevere picks the outcome that matters more: findings, then what failed,
// then what could not be decided.
func moreSevere(a, b int) int {
	rank := map[int]int{exitOK: 0, exitInconclusive: 1, exitUsage: 2, exitFailure: 3, exitFindings: 4}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// fileName is a server's name as a directory.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	if strings.Trim(safe, ".") == "" {
		return "server"
	}
	return safe
}

func (a *app) assessOne(ctx context.Context, shared *assess.Options, f *assessFlags, target mcpsf.Target, dir string) error {
	result, dir, err := a.assessTarget(ctx, shared, f, target, dir)
	if err != nil {
		return err
	}
	style := a.style(a.stdout)
	style.Dir, style.Explain, style.FailOn = dir, f.print.explain, f.failOn
	if err := report.Write(a.stdout, report.Format(f.print.format), result.Report, result.Events, style); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if result.Kept != "" {
		fmt.Fprintln(a.stderr, "kept "+result.Kept)
	}
	if err := a.locking(&f.keep, result); err != nil {
		return err
	}
	return gate(result.Report, f.failOn)
}

// assessTarget runs everything and keeps what is to be kept; it returns the
// directory that it is in.
func (a *app) assessTarget(ctx context.Context, shared *assess.Options, f *assessFlags, target mcpsf.Target, dir string) (*assess.Result, string, error) {
	where, err := a.where(f.executor)
	if err != nil {
		return nil, "", err
	}
	if where != executorLocal {
		return a.assessElsewhere(ctx, f, target, dir, where)
	}
	opts := *shared
	opts.Target = target
	elsewhere, done, err := a.elsewhere(ctx, target, opts.Profile, &f.remote)
	if err == nil && elsewhere != nil && f.scan {
		done()
		err = usage(errors.New("there is no package to read of a server that runs elsewhere; use mcpsf assess"))
	}
	if format := report.Format(f.print.format); err == nil && elsewhere != nil && (format == report.FormatCycloneDX || format == report.FormatSPDX) {
		done()
		err = usage(fmt.Errorf("what a server that runs elsewhere consists of is not known, so there is no %s of it", format))
	}
	if err == nil && elsewhere != nil && f.model.wanted() {
		done()
		err = usage(errors.New("agents only use servers that run in the sandbox; leave --agent and --llm out for one that runs elsewhere"))
	}
	if err != nil {
		return nil, "", err
	}
	defer done()
	opts.Remote = elsewhere
	progress := a.progress(f.quiet)
	defer progress.Stop()
	opts.Progress = progress
	out := &outputDir{path: dir}
	opts.Events, opts.Traffic = a.watch.events(out.events), out.traffic
	opts.Conversations = out.conversations
	closing, err := f.model.engage(a, out, &opts)
	if err != nil {
		return nil, "", err
	}
	run := assess.Assess
	if f.scan {
		run = assess.Scan
	}
	result, err := run(ctx, &opts)
	err = errors.Join(err, closing())
	progress.Stop()
	if err != nil {
		out.discard()
		return nil, "", err
	}
	if err := f.decided.apply(a, result.Report); err != nil {
		return nil, "", err
	}
	return result, out.path, a.keep(ctx, &opts, f, out.path, result)
}
