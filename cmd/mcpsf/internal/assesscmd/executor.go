package assesscmd

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/runresult"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// The places where an assessment can run.
const (
	executorAuto   = "auto"
	executorLocal  = "local"
	executorDocker = "docker"
	executorCloud  = "cloud"
)

// executorFlags are about where an assessment runs.
type executorFlags struct {
	name  string
	force bool
}

func (f *executorFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "executor", executorAuto, "where to run: local, docker (a container of MCPSF_DOCKER_IMAGE), cloud (the service at MCPSF_API_URL, with\nMCPSF_API_KEY), or auto: the service if MCPSF_API_URL is set, else this machine, else docker")
	flags.BoolVar(&f.force, "force", false, "ignore cached results (of a service)")
}

// choose chooses the executor: a service if MCPSF_API_URL is set, else this
// machine if it runs Linux, else its Docker engine.
func (f *executorFlags) choose(getenv func(string) string) (string, error) {
	switch f.name {
	case executorLocal, executorDocker, executorCloud:
		return f.name, nil
	case executorAuto:
	default:
		return "", program.Usage(fmt.Errorf("--executor must be auto, local, docker or cloud, not %q", f.name))
	}
	switch {
	case getenv("MCPSF_API_URL") != "":
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
		"llm", "llm-url", "llm-budget", "llm-runs", "llm-replay", "api-key", "world",
	}
}

// assessElsewhere runs an assessment in a service or a container, and leaves the
// same files as a local run.
func (a *assessor) assessElsewhere(ctx context.Context, f *assessFlags, target mcpsf.Target, dir, where string) (*assess.Result, string, error) {
	for _, name := range notElsewhere() {
		if _, given := f.given[name]; given {
			return nil, "", program.Usage(fmt.Errorf("--%s works only on this machine; leave it out, or add --executor local", name))
		}
	}
	assessing := a.assessCloud
	if where == executorDocker {
		assessing = a.assessDocker
	}
	progress := &jobProgress{to: a.progress(f.output.quiet)}
	defer progress.to.Stop()
	request, archive, clean, err := newRequest(ctx, f, target)
	if err != nil {
		return nil, "", err
	}
	defer clean()
	at := dir
	if at == "" {
		at = filepath.Join("reports", "run-"+rand.Text())
	}
	if err := assessing(ctx, request, f.executor.force, archive, at, progress); err != nil {
		return nil, "", err
	}
	progress.to.Stop()
	return a.finishElsewhere(f, dir, at)
}

// jobProgress shows the progress of a run elsewhere.
type jobProgress struct {
	to   program.Progress
	step string
}

func (f *jobProgress) show(at job.Progress) {
	if at.Step != f.step {
		f.step = at.Step
		f.to.Step(safetext.Clean(at.Step), safetext.Clean(at.Text))
		return
	}
	f.to.Update(safetext.Clean(at.Text))
}

// finishElsewhere renames the directory of a downloaded run like that of a local
// one, and applies waivers and baselines of the user.
func (a *assessor) finishElsewhere(f *assessFlags, dir, at string) (*assess.Result, string, error) {
	r, events, err := runresult.Load(at)
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
	if err := f.judge.waivers.Apply(a.Stderr, r); err != nil {
		return nil, "", err
	}
	if len(r.Waived) != waived {
		if err := report.Save(at, r); err != nil {
			return nil, "", err
		}
	}
	if _, err := report.SaveAs(at, f.output.keep.formats, r, events, a.style(f)); err != nil {
		return nil, "", err
	}
	return &assess.Result{Report: r, Events: events}, at, nil
}
