package executor

import (
	"bufio"
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
	"github.com/mcpsf/mcpsf/internal/service/job"
)

const (
	// data is the directory of the image that belongs to its user, out what a
	// run leaves in it, and cache where packages are kept for the next one.
	data  = "/data"
	out   = data + "/out"
	cache = "/cache"
	// cacheVolume outlives the containers.
	cacheVolume = "mcpsf-cache"

	maxLine = 4 << 20
	// abandoned is how long a container lies there that nobody fetched
	// anything from.
	abandoned = 10 * time.Minute
)

// Assess runs a request in a container, and puts what it left into a directory,
// which is made.
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

// create makes a container that may do next to nothing. The filter of system
// calls is the one thing that is taken off: gVisor makes namespaces, and has a
// tighter one of its own.
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
		return "", fmt.Errorf("making a container of %s: %w", d.image, err)
	}
	return made.ID, nil
}

// run starts the container, tells it what to do and listens until it ends. Its
// standard input is open as long as we live, and it ends with it.
func (d *Docker) run(ctx context.Context, id string, task *job.Task, progress func(job.Progress)) error {
	attached, err := d.engine.ContainerAttach(ctx, id, client.ContainerAttachOptions{Stream: true, Stdin: true, Stdout: true, Stderr: true})
	if err != nil {
		return fmt.Errorf("listening to the container: %w", err)
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
		return fmt.Errorf("telling the container what to do: %w", err)
	}
	said := &ending{}
	r, w := io.Pipe()
	go func() {
		_, err := stdcopy.StdCopy(w, said, attached.Reader)
		w.CloseWithError(err)
	}()
	last, err := listen(r, progress)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case last != nil && last.Failed != nil:
		return &mcpsf.Error{Code: last.Failed.Code, Message: last.Failed.Message}
	case last != nil:
		return nil
	}
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: "the container of " + d.image + " ended without a result: " + said.String(), Err: err}
}

// listen takes in what a job says until it is silent, and returns its last
// word.
func listen(from *io.PipeReader, progress func(job.Progress)) (*job.Line, error) {
	defer from.Close()
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), maxLine)
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

// remove ends a container and what is in it, also if we were told to end.
func (d *Docker) remove(ctx context.Context, id string) {
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_, _ = d.engine.ContainerRemove(patient, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
}

// sweep removes containers of runs that were killed before they could.
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

// ending keeps the end of what a container complains of.
type ending struct{ text []byte }

func (e *ending) Write(p []byte) (int, error) {
	const most = 1 << 10
	e.text = append(e.text, p...)
	e.text = e.text[max(0, len(e.text)-most):]
	return len(p), nil
}

func (e *ending) String() string {
	if len(e.text) == 0 {
		return "it said nothing"
	}
	return string(e.text)
}

// errManyFiles is a run that left more than a run leaves.
var errManyFiles = errors.New("the container left more files than a run does")
