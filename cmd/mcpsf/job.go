package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// job runs one job of the service: a worker starts it, sends the task on standard
// input, and reads progress, events and the result from standard output.
func (a *app) job() *cobra.Command {
	return &cobra.Command{
		Use: "job", Hidden: true, Args: cobra.NoArgs, Short: "Run one job of the service; workers start this",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runJob(cmd.Context()) },
	}
}

func (a *app) runJob(ctx context.Context) error {
	in := bufio.NewReader(a.stdin)
	line, err := in.ReadBytes('\n')
	var task job.Task
	if err == nil {
		err = json.Unmarshal(line, &task)
	}
	if err != nil {
		return usage(fmt.Errorf("mcpsf job is started by mcpsf worker and mcpsf serve, not by users"))
	}
	// The worker closes our standard input to stop us.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	w := &listener{out: a.stdout}
	result, err := a.doTask(ctx, &task, w)
	if err != nil {
		p := job.NoRoom(err)
		if p == nil {
			p = &job.Problem{Code: mcpsf.ErrorCode(err), Message: safetext.Clean(a.secrets.Hide(err.Error()))}
		}
		fmt.Fprintln(a.stderr, safetext.Clean(a.secrets.Hide(err.Error()))) // for the operator
		w.say(&job.Line{Failed: p})
		return nil
	}
	w.say(&job.Line{Done: result})
	return nil
}

// doTask assesses as the command line does: the same flags, the same defaults.
func (a *app) doTask(ctx context.Context, t *job.Task, w *listener) (*job.Result, error) {
	if err := t.Request.Check(); err != nil {
		return nil, err
	}
	inner := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: a.stderr, getenv: a.getenv, secrets: a.secrets, watch: w, publicOnly: !t.AllowPrivate}
	cmd := inner.assess()
	if t.Request.Options.ScanOnly {
		cmd = inner.scan()
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(taskArgs(t))
	cmd.SetOut(io.Discard)
	cmd.SetErr(a.stderr)
	err := cmd.ExecuteContext(ctx)
	if _, decided := errors.AsType[*outcome](err); err != nil && !decided {
		return nil, err
	}
	r, err := report.Load(t.Output)
	if err != nil {
		return nil, err
	}
	return &job.Result{
		Name: r.Artifact.Name, Version: r.Artifact.Version, Digest: r.Artifact.Digest,
		Band: r.Verdict.Band, Score: r.Verdict.Score, Findings: len(r.Findings), Tool: r.Tool.Version,
	}, nil
}

// taskArgs is the command line for a task. Untrusted values are never where a flag
// could be.
func taskArgs(t *job.Task) []string {
	r, o := &t.Request, &t.Request.Options
	args := []string{"--output=" + t.Output, "--quiet", "--fail-on=never", "--executor=local"}
	add := func(name, value string) {
		if value != "" {
			args = append(args, "--"+name+"="+value)
		}
	}
	if !o.ScanOnly {
		add("profile", r.Profile)
		add("network", o.Network)
		add("timeout", o.Timeout)
		add("memory", o.Memory)
		if o.CPUs > 0 {
			add("cpus", fmt.Sprint(o.CPUs))
		}
		if o.Seed != nil {
			add("seed", fmt.Sprint(*o.Seed))
		}
		if o.MayAttack {
			args = append(args, "--yes-i-may-attack-this")
		}
		if t.AllowPrivate {
			args = append(args, "--yes")
		}
		for _, name := range slices.Sorted(maps.Keys(r.Env)) {
			add("env", name+"="+r.Env[name])
		}
	}
	if o.ScanOnly && o.NoInstall {
		args = append(args, "--no-install")
	}
	if o.NoRepository {
		args = append(args, "--no-repository")
	}
	add("image", o.Image)
	for _, d := range r.Detectors {
		add("detectors", d)
	}
	source := r.Source
	if t.Archive != "" {
		source = "./" + t.Archive
	}
	args = append(args, source)
	if command := append(slices.Clone(r.Command), r.Args...); len(command) > 0 {
		args = append(append(args, "--"), command...)
	}
	return args
}
