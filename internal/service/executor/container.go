package executor

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

const (
	// data is the directory in the image that its user may write to, out the
	// output of a run, and cache the package cache for later runs.
	data  = "/data"
	out   = data + "/out"
	cache = "/cache"
	// cacheVolume is a volume that outlives the containers.
	cacheVolume = "mcpsf-cache"

	// abandoned is the age at which a stopped container is removed.
	abandoned = 10 * time.Minute
)

// Assess runs a request in a container, and copies the files of the run into a
// directory, which is created.
func (d *Docker) Assess(ctx context.Context, r *job.Request, archive *Archive, dir string, progress func(job.Progress)) error {
	d.sweep(ctx)
	if err := d.ensureImage(ctx, progress); err != nil {
		return err
	}
	id, err := d.create(ctx)
	if err != nil {
		return err
	}
	defer d.remove(ctx, id)
	task := &job.Task{Request: *r, Output: out, AllowPrivate: true}
	if archive != nil {
		task.Archive = job.ArchiveName(archive.Name)
		task.Request.Archive = task.Archive
		if err := d.carryIn(ctx, id, task.Archive, archive); err != nil {
			return err
		}
	}
	if err := d.run(ctx, id, task, progress); err != nil {
		return err
	}
	return d.carryOut(ctx, id, dir)
}

// create creates a container without privileges. Only its seccomp filter is
// disabled: gVisor needs namespaces, and installs a tighter filter of its own.
func (d *Docker) create(ctx context.Context) (string, error) {
	confined, err := d.confined(ctx)
	if err != nil {
		return "", err
	}
	options := []string{"seccomp=unconfined", "no-new-privileges"}
	if confined {
		options = append(options, "apparmor=unconfined")
	}
	processes, reaper := int64(4096), true
	made, err := d.engine.ContainerCreate(ctx, client.ContainerCreateOptions{
		Config: &container.Config{
			Image: d.image, Cmd: []string{"job"}, User: "1000:1000", Env: d.settings, Labels: map[string]string{label: "assess"}, WorkingDir: data,
			OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true,
			Healthcheck: &container.HealthConfig{Test: []string{"NONE"}},
		},
		HostConfig: &container.HostConfig{
			SecurityOpt: options, CapDrop: []string{"ALL"}, ReadonlyRootfs: true, Init: &reaper,
			Tmpfs:     map[string]string{"/tmp": "mode=1777,nosuid,nodev"},
			Mounts:    []mount.Mount{{Type: mount.TypeVolume, Source: cacheVolume, Target: cache}},
			Resources: container.Resources{PidsLimit: &processes},
		},
	})
	if err != nil {
		return "", fmt.Errorf("creating a container of %s: %w", d.image, err)
	}
	return made.ID, nil
}

// run starts the container, sends it the task and reads its output until it ends.
// The container ends when its standard input is closed, so also when we die.
func (d *Docker) run(ctx context.Context, id string, task *job.Task, progress func(job.Progress)) error {
	attached, err := d.engine.ContainerAttach(ctx, id, client.ContainerAttachOptions{Stream: true, Stdin: true, Stdout: true, Stderr: true})
	if err != nil {
		return fmt.Errorf("attaching to the container: %w", err)
	}
	defer attached.Close()
	defer context.AfterFunc(ctx, attached.Close)()
	if _, err := d.engine.ContainerStart(ctx, id, client.ContainerStartOptions{}); err != nil {
		return fmt.Errorf("starting the container: %w", err)
	}
	text, err := json.Marshal(task)
	if err != nil {
		return err
	}
	if _, err := attached.Conn.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("sending the task to the container: %w", err)
	}
	stderr := &job.Tail{Max: 1 << 10}
	r, w := io.Pipe()
	go func() {
		_, err := stdcopy.StdCopy(w, stderr, attached.Reader)
		w.CloseWithError(err)
	}()
	last, err := readLines(r, progress)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case last != nil && last.Failed != nil:
		return &mcpsf.Error{Code: last.Failed.Code, Message: last.Failed.Message}
	case last != nil:
		return nil
	}
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the container of " + d.image + " ended without a result; its stderr: " + cmp.Or(safetext.Clean(stderr.String()), "empty"), Err: err}
}

// readLines reads the output of a job until it ends, and returns the final line.
func readLines(from *io.PipeReader, progress func(job.Progress)) (*job.Line, error) {
	defer from.Close()
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), job.MaxLine)
	var last *job.Line
	for lines.Scan() {
		var l job.Line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if l.Progress != nil {
			progress(*l.Progress)
		}
		if l.Done != nil || l.Failed != nil {
			last = &l
		}
	}
	return last, lines.Err()
}

// remove removes a container, also if ctx has ended.
func (d *Docker) remove(ctx context.Context, id string) {
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_, _ = d.engine.ContainerRemove(detached, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
}

// sweep removes containers of runs that were killed.
func (d *Docker) sweep(ctx context.Context) {
	list, err := d.engine.ContainerList(ctx, client.ContainerListOptions{
		All: true, Filters: make(client.Filters).Add("label", label).Add("status", "exited", "dead"),
	})
	if err != nil {
		return
	}
	for i := range list.Items {
		c, err := d.engine.ContainerInspect(ctx, list.Items[i].ID, client.ContainerInspectOptions{})
		if err != nil || c.Container.State == nil {
			continue
		}
		ended, err := time.Parse(time.RFC3339Nano, c.Container.State.FinishedAt)
		if err == nil && time.Since(ended) > abandoned {
			d.remove(ctx, list.Items[i].ID)
		}
	}
}

// errManyFiles is returned for a container with more files than a run has.
var errManyFiles = errors.New("the container has more files than a run")
