package executor

import (
	"context"
	"fmt"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// ensureImage pulls the image unless the engine has it.
func (d *Docker) ensureImage(ctx context.Context, progress func(job.Progress)) error {
	_, err := d.engine.ImageInspect(ctx, d.image)
	if err == nil {
		return nil
	}
	if !errdefs.IsNotFound(err) {
		return fmt.Errorf("asking the Docker engine for %s: %w", d.image, err)
	}
	if err := d.pull(ctx, progress); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &mcpsf.Error{
			Code: mcpsf.CodeUnavailable, Err: err,
			Message: "the image " + d.image + " cannot be pulled; build one with docker build -f deploy/Dockerfile, and name it with MCPSF_DOCKER_IMAGE",
		}
	}
	return nil
}

func (d *Docker) pull(ctx context.Context, progress func(job.Progress)) error {
	pulling, err := d.engine.ImagePull(ctx, d.image, client.ImagePullOptions{})
	if err != nil {
		return err
	}
	defer pulling.Close()
	for message, err := range pulling.JSONMessages(ctx) {
		if err != nil {
			return err
		}
		if message.Error != nil {
			return message.Error
		}
		progress(job.Progress{Step: "image", Text: message.Status})
	}
	return nil
}
