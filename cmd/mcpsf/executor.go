package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/executor"
	"github.com/mcpsf/mcpsf/internal/job"
	"github.com/mcpsf/mcpsf/internal/pipeline"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/source"
	"github.com/mcpsf/mcpsf/internal/source/kind"
)

// Where an assessment is done.
const (
	executorAuto  = "auto"
	executorLocal = "local"
	executorCloud = "cloud"
)

// where chooses who assesses: a service if the user has named one, else this
// machine if it can.
func (a *app) where(choice string) (string, error) {
	switch choice {
	case executorLocal, executorCloud:
		return choice, nil
	case executorAuto:
	default:
		return "", usage(fmt.Errorf("--executor is auto, local or cloud, not %q", choice))
	}
	switch {
	case a.getenv("MCPSF_API_URL") != "":
		return executorCloud, nil
	case runtime.GOOS == "linux":
		return executorLocal, nil
	}
	return "", &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the sandbox needs Linux; name a service that has it with MCPSF_API_URL and MCPSF_API_KEY"}
}

// notElsewhere are flags that only mean something on this machine.
func notElsewhere() []string {
	return []string{
		"rules", "keep", "platform", "boxes", "header", "oauth", "oauth-client-id", "no-env-hooks", "no-tls-intercept", "advisories", "sign", "yes",
	}
}

// assessCloud has a service assess, and brings back what a run here would have
// left.
func (a *app) assessCloud(ctx context.Context, f *assessFlags, target mcpsf.Target, dir string) (*pipeline.Result, string, error) {
	for _, name := range notElsewhere() {
		if _, given := f.given[name]; given {
			return nil, "", usage(fmt.Errorf("--%s is for assessments on this machine; leave it out, or add --executor local", name))
		}
	}
	c, err := executor.NewCloud(a.getenv("MCPSF_API_URL"), a.getenv("MCPSF_API_KEY"))
	if err != nil {
		return nil, "", err
	}
	progress := a.progress(f.quiet)
	defer progress.Stop()
	progress.Step("submit", target.Source)
	request, archive, clean, err := cloudRequest(ctx, f, target)
	if err != nil {
		return nil, "", err
	}
	defer clean()
	submitted, err := c.Submit(ctx, request, f.force, archive)
	if err != nil {
		return nil, "", err
	}
	progress.Done(report.Clean("job " + submitted.ID))
	j, err := a.follow(ctx, c, submitted.ID, progress)
	if err != nil {
		return nil, "", err
	}
	switch {
	case j.State == job.Done:
	case j.Problem != nil:
		return nil, "", &mcpsf.Error{Code: j.Problem.Code, Message: "the service says: " + j.Problem.Message}
	default:
		return nil, "", &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the service ended the job as " + string(j.State)}
	}
	return a.bring(ctx, c, f, j.ID, dir)
}

// follow shows how a job comes on. Who interrupts us ends the job, too.
func (a *app) follow(ctx context.Context, c *executor.Cloud, id string, p progress) (*job.Job, error) {
	step := ""
	j, err := c.Watch(ctx, id, func(at job.Progress) {
		if at.Step != step {
			step = at.Step
			p.Step(report.Clean(step), report.Clean(at.Text))
			return
		}
		p.Update(report.Clean(at.Text))
	})
	p.Stop()
	if ctx.Err() != nil {
		patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return nil, errors.Join(ctx.Err(), c.Cancel(patient, id))
	}
	return j, err
}

// bring downloads a run to where one of this machine would be.
func (a *app) bring(ctx context.Context, c *executor.Cloud, f *assessFlags, id, dir string) (*pipeline.Result, string, error) {
	at := dir
	if at == "" {
		at = filepath.Join("reports", fileName(id))
	}
	if err := c.Download(ctx, id, at); err != nil {
		return nil, "", err
	}
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
	style.Explain, style.FailOn = f.explain, f.failOn
	if _, err := report.SaveAs(at, f.keep.formats, r, events, style); err != nil {
		return nil, "", err
	}
	return &pipeline.Result{Report: r, Events: events}, at, nil
}

// cloudRequest is what the service is asked for. A local directory goes along
// as the copy that a sandbox here would get: without its secrets.
func cloudRequest(ctx context.Context, f *assessFlags, target mcpsf.Target) (r *job.Request, archive *executor.Archive, clean func(), err error) {
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
		return r, &executor.Archive{Name: filepath.Base(target.Source), Open: func() (io.ReadCloser, error) { return os.Open(target.Source) }}, clean, nil
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

// packLocal makes an archive of a local file or directory.
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
		return nil, fmt.Errorf("packing what is to be uploaded: %w", err)
	}
	return &executor.Archive{Name: fileName(a.Name) + ".tgz", Open: func() (io.ReadCloser, error) { return os.Open(name) }}, nil
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
