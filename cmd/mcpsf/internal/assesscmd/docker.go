package assesscmd

import (
	"context"
	"runtime"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// assessDocker runs an assessment in a container of our image. It caches no
// results, so force has no effect.
func (a *assessor) assessDocker(ctx context.Context, request *job.Request, _ bool, archive *executor.Archive, dir string, progress *jobProgress) error {
	image := a.Getenv("MCPSF_DOCKER_IMAGE")
	if image == "" {
		image = imageOf(a.Version)
	}
	progress.to.Step("container", image)
	d, err := executor.NewDocker(ctx, a.Getenv, image)
	if err != nil {
		if runtime.GOOS != "linux" {
			return &mcpsf.Error{
				Code: mcpsf.CodeUnavailable, Err: err,
				Message: "the sandbox needs Linux: start Docker, or name a service with MCPSF_API_URL and MCPSF_API_KEY",
			}
		}
		return err
	}
	defer d.Close()
	return d.Assess(ctx, request, archive, dir, progress.show)
}

// imageOf is the published image of a version.
func imageOf(version string) string {
	if strings.HasPrefix(version, "v") && !strings.ContainsAny(version, "+ ") {
		return "mcpsf/mcpsf:" + version
	}
	return "mcpsf/mcpsf:latest"
}
