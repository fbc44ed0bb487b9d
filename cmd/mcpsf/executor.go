package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Where an assessment runs.
const (
	executorAuto   = "auto"
	executorLocal  = "local"
	executorDocker = "docker"
	executorCloud  = "cloud"
)

// where chooses the executor: a service if MCPSF_API_URL is set, else this machine
// if it runs Linux, else its Docker engine.
func (a *app) where(choice string) (string, error) {
	switch choice {
	case executorLocal, executorDocker, executorCloud:
		return choice, nil
	case executorAuto:
	default:
		return "", usage(fmt.Errorf("--executor must be auto, local, docker or cloud, not %q", choice))
	}
	switch {
	case a.getenv("MCPSF_API_URL") != "":
		return executorCloud, nil
	case runtime.GOOS == "linux":
		return executorLocal, nil
	}
	return executorDocker, nil
}

// notElsewhere are flags that only work with the local executor.
func notElsewhere() []string {
	return []string{
		"rules", "keep", "platform", "boxes", "header", "oauth", "oauth-client-id", "no-env-hooks", "no-tls-intercept", "advisories", "sign", "yes", "agent",
		"llm", "llm-url", "llm-budget", "llm-runs", "llm-replay", "api-key",
	}
}

// assessElsewhere runs an assessment in a service or a container, and leaves the
// same files as a local run.
func (a *app) assessElsewhere(ctx context.Context, f *assessFlags, target mcpsf.Target, dir, where string) (*assess.Result, string, error) {
	for _, name := range notElsewhere() {
		if _, given := f.given[name]; given {
			return nil, "", usage(fmt.Errorf("--%s works only on this machine; leave it out, or add --executor local", name))
		}
	}
	assessing := a.assessCloud
	if where == executorDocker {
		assessing = a.assessDocker
	}
	progress := &following{to: a.progress(f.quiet)}
	defer progress.to.Stop()
	request, archive, clean, err := requestElsewhere(ctx, f, target)
	if err != nil {
		return nil, "", err
	}
	defer clean()
	at := dir
	if at == "" {
		at = filepath.Join("reports", "run-"+rand.Text())
	}
	if err := assessing(ctx, request, f.force, archive, at, progress); err != nil {
		return nil, "", err
	}
	progress.to.Stop()
	return a.settle(f, dir, at)
}

// following shows the progress of a run elsewhere.
type following struct {
	to   progress
	step string
}

func (f *following) tell(at job.Progress) {
	if at.Step != f.step {
		f.step = at.Step
		f.to.Step(safetext.Clean(at.Step), safetext.Clean(at.Text))
		return
	}
	f.to.Update(safetext.Clean(at.Text))
}

// settle renames the directory of a downloaded run like that of a local one, and
// applies waivers and baselines of the user.
func (a *app) settle(f *assessFlags, dir, at string) (*assess.Result, string, error) {
	r, events, err := stored(at)
	if err != nil {
		return nil, "", err
	}
	if dir == "" && r.Run.ID != "" {
		to := filepath.Join("reports", fileName(r.Run.ID))
		if err := os.Rename(at, to); err == nil {
			at = to
		}
	}
	waived := len(r.Waived)
	if err := f.decided.apply(a, r); err != nil {
		return nil, "", err
	}
	if len(r.Waived) != waived {
		if err := report.Save(at, r); err != nil {
			return nil, "", err
		}
	}
	style := a.style(a.stdout)
	style.Explain, style.FailOn = f.print.explain, f.failOn
	if _, err := report.SaveAs(at, f.keep.formats, r, events, style); err != nil {
		return nil, "", err
	}
	return &assess.Result{Report: r, Events: events}, at, nil
}

// requestElsewhere makes the request. A local directory is uploaded as the copy
// that a local sandbox would get: without its secrets.
func requestElsewhere(ctx context.Context, f *assessFlags, target mcpsf.Target) (r *job.Request, archive *executor.Archive, clean func(), err error) {
	seed := f.seed
	r = &job.Request{
		Source: target.Source, Command: target.Command, Args: target.Args, Profile: f.profile, Detectors: f.detectors, Env: envMap(target.Env),
		Options: job.Options{
			Network: f.network, Image: f.image, Seed: &seed, Timeout: f.timeout.String(), Memory: f.memory, CPUs: f.cpus,
			ScanOnly: f.scan, NoInstall: f.noInstall, NoRepository: f.noRepository, MayAttack: f.remote.allowed,
		},
	}
	clean = func() {}
	switch source.KindOf(target) {
	case source.KindLocal:
	case source.KindArchive:
		r.Source = ""
		archive, err = archiveOf(target.Source, filepath.Base(target.Source))
		return r, archive, clean, err
	default:
		return r, nil, clean, nil
	}
	temp, err := os.MkdirTemp("", "mcpsf-upload-")
	if err != nil {
		return nil, nil, clean, err
	}
	clean = func() { _ = os.RemoveAll(temp) }
	archive, err = packLocal(ctx, target, temp)
	if err != nil {
		clean()
		return nil, nil, clean, err
	}
	r.Source = ""
	return r, archive, clean, nil
}

// packLocal packs a local file or directory into an archive.
func packLocal(ctx context.Context, target mcpsf.Target, temp string) (*executor.Archive, error) {
	staged := filepath.Join(temp, "tree")
	if err := os.Mkdir(staged, 0o700); err != nil {
		return nil, err
	}
	a, err := source.Resolve(ctx, target, staged, &kind.Options{Unstarted: true})
	if err != nil {
		return nil, err
	}
	if a.Release != nil {
		defer a.Release()
	}
	name := filepath.Join(temp, "upload.tgz")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(executor.Pack(ctx, staged, f), f.Close()); err != nil {
		return nil, fmt.Errorf("packing the upload: %w", err)
	}
	return archiveOf(name, fileName(a.Name)+".tgz")
}

// archiveOf is a local file to upload under a name.
func archiveOf(file, name string) (*executor.Archive, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return &executor.Archive{Name: name, Size: info.Size(), Open: func() (io.ReadCloser, error) { return os.Open(file) }}, nil
}

func envMap(env []string) map[string]string {
	if len(env) == 0 {
		return nil
	}
	m := map[string]string{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		m[name] = value
	}
	return m
}
