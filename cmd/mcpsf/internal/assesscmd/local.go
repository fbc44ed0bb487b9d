package assesscmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
)

// assessLocal assesses a server with this machine's sandbox, or a remote one by
// its address.
func (a *assessor) assessLocal(ctx context.Context, s *setup, f *assessFlags, target mcpsf.Target, dir string) (*assess.Result, string, error) {
	server, done, err := a.remoteServer(ctx, target, s.profile, &f.remote)
	if err != nil {
		return nil, "", err
	}
	defer done()
	if server != nil {
		if err := checkRemote(f); err != nil {
			return nil, "", err
		}
	}
	one := &serverRun{target: target, remote: server, progress: a.progress(f.output.quiet), out: &outputDir{path: dir}}
	defer one.progress.Stop()
	if one.models, err = f.model.open(a.Getenv, s.profile, one.out); err != nil {
		return nil, "", err
	}
	run := assess.Assess
	if f.scan {
		run = assess.Scan
	}
	result, err := run(ctx, a.assessOptions(f, s, one))
	if a.service != nil && ctx.Err() != nil { // the worker does it again, or nobody wants it
		err = errors.Join(err, ctx.Err())
	}
	err = errors.Join(err, one.models.close())
	one.progress.Stop()
	if err != nil {
		one.out.discard()
		return nil, "", err
	}
	if err := f.judge.waivers.Apply(a.Stderr, result.Report); err != nil {
		return nil, "", err
	}
	return result, one.out.path, a.keep(context.WithoutCancel(ctx), s, f, one.out.path, result)
}

// checkRemote refuses flags that do not work with a remote server.
func checkRemote(f *assessFlags) error {
	format := report.Format(f.output.print.Format)
	switch {
	case f.scan:
		return program.Usage(errors.New("there is no package to read of a server that runs elsewhere; use mcpsf assess"))
	case format == report.FormatCycloneDX || format == report.FormatSPDX:
		return program.Usage(fmt.Errorf("what a server that runs elsewhere consists of is not known, so there is no %s of it", format))
	case f.model.wanted():
		return program.Usage(errors.New("agents only use servers that run in the sandbox; leave --agent and --llm out for one that runs elsewhere"))
	}
	return nil
}
