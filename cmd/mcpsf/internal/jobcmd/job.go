package jobcmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/assesscmd"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// Job runs one job of the service: a worker starts it, sends the task on standard
// input, and reads progress, events and the result from standard output.
func Job(p *program.Program) *cobra.Command {
	return &cobra.Command{
		Use: "job", Hidden: true, Args: cobra.NoArgs, Short: "Run one job of the service; workers start this",
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), p) },
	}
}

func run(ctx context.Context, p *program.Program) error {
	in := bufio.NewReader(p.Stdin)
	line, err := in.ReadBytes('\n')
	var task job.Task
	if err == nil {
		err = json.Unmarshal(line, &task)
	}
	if err != nil {
		return program.Usage(fmt.Errorf("mcpsf job is started by mcpsf worker and mcpsf serve, not by users"))
	}
	// The worker closes our standard input to stop us.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	w := &lineWriter{out: p.Stdout}
	result, err := doTask(ctx, p, &task, w)
	if err != nil {
		message := safetext.Clean(p.Secrets.Hide(err.Error()))
		problem := job.NoRoom(err)
		if problem == nil {
			problem = &job.Problem{Code: mcpsf.ErrorCode(err), Message: message}
		}
		fmt.Fprintln(p.Stderr, message) // for the operator
		w.send(&job.Line{Failed: problem})
		return nil
	}
	w.send(&job.Line{Done: result})
	return nil
}

// doTask assesses like the command line does: with the same flags and defaults.
func doTask(ctx context.Context, p *program.Program, t *job.Task, w *lineWriter) (*job.Result, error) {
	if err := t.Request.Check(); err != nil {
		return nil, err
	}
	inner := *p
	inner.Stdin, inner.Stdout = strings.NewReader(""), io.Discard
	service := &assesscmd.Service{Watch: w, PublicOnly: !t.AllowPrivate}
	cmd := assesscmd.Assess(&inner, service)
	if t.Request.Options.ScanOnly {
		cmd = assesscmd.Scan(&inner, service)
	}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(taskArgs(t))
	cmd.SetOut(io.Discard)
	cmd.SetErr(p.Stderr)
	err := cmd.ExecuteContext(ctx)
	if _, decided := errors.AsType[*program.Outcome](err); err != nil && !decided {
		return nil, err
	}
	r, err := report.Load(t.Output)
	if err != nil {
		return nil, err
	}
	return &job.Result{
		Name: r.Artifact.Name, Version: r.Artifact.Version, Digest: r.Artifact.Digest,
		Band: r.Verdict.Band, Score: r.Verdict.Score, Confidence: r.Verdict.Confidence.Level, Findings: len(r.Findings), Tool: r.Tool.Version,
	}, nil
}
