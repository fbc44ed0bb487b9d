//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// disk is a small disk, made for a test in namespaces of its own.
type disk struct {
	t    *testing.T
	path string
}

func newDisk(t *testing.T, path string, megabytes int) *disk {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	// Mounts made here are not visible elsewhere.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NODEV, fmt.Sprintf("size=%dm,mode=0755", megabytes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(path, unix.MNT_DETACH) })
	return &disk{t, path}
}

// fill leaves no free space.
func (d *disk) fill() {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.path, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for piece := make([]byte, 1<<20); len(piece) > 0; {
		if _, err := f.Write(piece); errors.Is(err, syscall.ENOSPC) {
			piece = piece[:len(piece)/2]
		} else if err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *disk) free() {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.path, "filler")); err != nil {
		d.t.Fatal(err)
	}
}

// refuses expects submissions to be refused with the reason, and everything
// else to work.
func (a *api) refuses(archive []byte, finished string) {
	a.Helper()
	got := a.upload(scanned(), "refused.tgz", archive)
	if got == nil || got.status != http.StatusInsufficientStorage || got.kind != "no-room" || !strings.Contains(got.detail, "out of disk space") {
		a.Errorf("a submission to a full disk: %v", got)
	}
	a.wait("not being ready", func() bool {
		got = a.get("/readyz")
		return got != nil && got.status == http.StatusServiceUnavailable
	}, func() any { return got })
	if got.kind != "no-room" {
		a.Errorf("not ready because of %v", got)
	}
	for _, path := range []string{"/healthz", "/metrics", "/api/v1/jobs", "/api/v1/jobs/" + finished, "/api/v1/jobs/" + finished + "/events"} {
		if got := a.get(path); got == nil || got.status != http.StatusOK {
			a.Errorf("%s with a full disk: %v", path, got)
		}
	}
	var r mcpsf.Report
	if got := a.get("/api/v1/jobs/" + finished + "/report"); got == nil || got.status != http.StatusOK || json.Unmarshal(got.text, &r) != nil {
		a.Errorf("a report with a full disk: %v", got)
	}
}

// goesOn expects a service that is ready again and accepts what it refused.
func (a *api) goesOn(archive []byte, data string) {
	a.Helper()
	var got *answered
	a.wait("being ready", func() bool {
		got = a.get("/readyz")
		return got != nil && got.status == http.StatusOK
	}, func() any { return got })
	a.whole(a.accepted(scanned(), "refused.tgz", archive), data)
}

// hidden expects nothing to be shown of a job that has no report yet.
func (a *api) hidden(id string) {
	a.Helper()
	if got := a.get("/api/v1/jobs/" + id + "/report"); got == nil || got.status != http.StatusConflict {
		a.Errorf("half a report is shown: %v", got)
	}
	if got := a.get("/api/v1/jobs/" + id + "/artifacts"); got == nil || got.status != http.StatusOK || bytes.Contains(got.text, []byte("href")) {
		a.Errorf("half of the files are shown: %v", got)
	}
}

// driving waits until a job's server is being called.
func (a *api) driving(id string) {
	a.Helper()
	a.until(id, "to call the server", func(j *job.Job) bool { return j.Progress.Step == "drive" || j.State.Ended() })
}

// TestFullData fills the disk with the database and the files while a job runs:
// the job keeps its report until there is space, and then everything goes on.
func TestFullData(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	openKernel(t).up("lo")
	p := newPlace(t, 3, 0)
	data := filepath.Join(p.home, "data")
	d := newDisk(t, data, 64)
	s := p.serve(t)
	a := s.api(t)
	script, err := os.ReadFile(filepath.Join(p.target, "server.py"))
	if err != nil {
		t.Fatal(err)
	}
	first := a.accepted(scanned(), "first.tgz", packed(t, map[string]string{"server.py": "print(1)\n"}))
	a.whole(first, data)
	slow := a.accepted(driven(), "slow.tgz", packed(t, map[string]string{"server.py": string(script)}))
	a.driving(slow)
	next := a.accepted(scanned(), "next.tgz", packed(t, map[string]string{"server.py": "print(2)\n"}))
	d.fill()
	refused := packed(t, map[string]string{"server.py": "print(3)\n"})
	a.refuses(refused, first)
	s.until(t, "the report that cannot be kept", func() bool { return strings.Contains(s.stderr.String(), "cannot store the report yet") })
	a.hidden(slow)
	a.refuses(refused, first)
	d.free()
	a.goesOn(refused, data)
	r := a.whole(slow, data)
	a.whole(next, data)
	if j := a.job(slow); j.Attempt != 1 || len(r.Session.Tools) != 1 {
		t.Errorf("the job that ran took %d attempts, %d tools", j.Attempt, len(r.Session.Tools))
	}
	if left, err := os.ReadDir(filepath.Join(data, "files", ".incoming")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	t.Logf("a job ended on a full disk and waited; %d writes of the service failed meanwhile", strings.Count(s.stderr.String(), "no space left")+strings.Count(s.stderr.String(), "disk is full"))
}

// TestFullTemp fills the temporary disk while a job runs: the job fails with
// the reason, no job begins, and when there is space all are done.
func TestFullTemp(t *testing.T) {
	t.Parallel()
	if !inNamespace(t) {
		return
	}
	openKernel(t).up("lo")
	p := newPlace(t, 3, 0)
	d := newDisk(t, p.temp, 128)
	s := p.serve(t, "--retry", "1s")
	a := s.api(t)
	data := filepath.Join(p.home, "data")
	script, err := os.ReadFile(filepath.Join(p.target, "server.py"))
	if err != nil {
		t.Fatal(err)
	}
	first := a.accepted(scanned(), "first.tgz", packed(t, map[string]string{"server.py": "print(1)\n"}))
	a.whole(first, data)
	slow := a.accepted(driven(), "slow.tgz", packed(t, map[string]string{"server.py": string(script)}))
	a.driving(slow)
	next := a.accepted(scanned(), "next.tgz", packed(t, map[string]string{"server.py": "print(2)\n"}))
	d.fill()
	refused := packed(t, map[string]string{"server.py": "print(3)\n"})
	a.refuses(refused, first)
	failed := a.until(slow, "to fail", func(j *job.Job) bool { return j.State != job.Running })
	if failed.State != job.Queued || failed.Problem == nil || failed.Problem.Code != mcpsf.CodeUnavailable || !strings.Contains(failed.Problem.Message, "disk of the worker is full") {
		t.Errorf("on a full disk it is %s: %+v", failed.State, failed.Problem)
	}
	a.hidden(slow)
	s.until(t, "a worker that begins nothing", func() bool { return strings.Contains(s.stderr.String(), "and a job needs") })
	for _, id := range []string{slow, next} {
		if j := a.job(id); j.State != job.Queued {
			t.Errorf("a job is %s on a full disk", j.State)
		}
	}
	d.free()
	a.goesOn(refused, data)
	r := a.whole(slow, data)
	a.whole(next, data)
	if j := a.job(slow); j.Attempt != 2 || len(r.Session.Tools) != 1 {
		t.Errorf("the job that ran took %d attempts, %d tools", j.Attempt, len(r.Session.Tools))
	}
	if j := a.job(next); j.Attempt != 1 {
		t.Errorf("the job that waited took %d attempts", j.Attempt)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.wait(); code != program.ExitOK {
		t.Errorf("the service ended with %d: %s", code, s.stderr.String())
	}
	if left := p.left(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
