package assesscmd

import (
	"context"
	"errors"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// assessCloud runs an assessment in the service at MCPSF_API_URL.
func (a *assessor) assessCloud(ctx context.Context, request *job.Request, force bool, archive *executor.Archive, dir string, progress *jobProgress) error {
	c, err := executor.NewCloud(a.Getenv("MCPSF_API_URL"), a.Getenv("MCPSF_API_KEY"))
	if err != nil {
		return err
	}
	progress.to.Step("submit", "")
	submitted, err := c.Submit(ctx, request, force, archive)
	if err != nil {
		return err
	}
	progress.to.Done(safetext.Clean("job " + submitted.ID))
	j, err := follow(ctx, c, submitted.ID, progress)
	if err != nil {
		return err
	}
	switch {
	case j.State == job.Done:
		return c.Download(ctx, j.ID, dir)
	case j.Problem != nil:
		return &mcpsf.Error{Code: j.Problem.Code, Message: "the service reports: " + j.Problem.Message}
	}
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the job in the service is " + string(j.State)}
}

// follow shows the progress of a job. If ctx ends, the job is cancelled.
func follow(ctx context.Context, c *executor.Cloud, id string, progress *jobProgress) (*job.Job, error) {
	j, err := c.Watch(ctx, id, progress.show)
	progress.to.Stop()
	if ctx.Err() != nil {
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return nil, errors.Join(ctx.Err(), c.Cancel(detached, id))
	}
	return j, err
}
