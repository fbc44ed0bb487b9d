//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// api is a client of a service that checks all of its answers.
type api struct {
	*testing.T
	url, key string
}

func (s *serving) api(t *testing.T) *api {
	t.Helper()
	return &api{t, s.url, s.key}
}

// answered is an answer. A problem has a kind and a detail, a submission an id.
type answered struct {
	status       int
	kind, detail string
	id           string
	shared       bool
	text         []byte
}

// String omits the text, which may be long.
func (a *answered) String() string {
	if a == nil {
		return "no answer"
	}
	return fmt.Sprintf("%d %s %q, %d bytes", a.status, a.kind, a.detail, len(a.text))
}

// ask sends a request. It returns nil if there is no answer.
func (a *api) ask(method, path string, body io.Reader, headers ...string) *answered {
	a.Helper()
	req, err := http.NewRequestWithContext(a.Context(), method, a.url+path, body)
	if err != nil {
		a.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.key)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := (&http.Client{Timeout: stalled}).Do(req)
	if err != nil {
		return nil
	}
	defer res.Body.Close()
	got := &answered{status: res.StatusCode}
	if got.text, err = io.ReadAll(io.LimitReader(res.Body, 64<<20)); err != nil {
		return nil
	}
	var said struct {
		Type, Detail string
		ID           string `json:"job_id"`
		Shared       bool
	}
	if json.Unmarshal(got.text, &said) == nil && (res.Header.Get("Content-Type") == "application/problem+json") == (got.status >= 400) {
		got.kind, got.detail, got.id, got.shared = strings.TrimPrefix(said.Type, "urn:mcpsf:problem:"), said.Detail, said.ID, said.Shared
	}
	return got
}

func (a *api) get(path string) *answered {
	a.Helper()
	return a.ask(http.MethodGet, path, nil)
}

// scanned is a request that needs no sandbox and no network.
func scanned() *job.Request {
	return &job.Request{Options: job.Options{ScanOnly: true, NoInstall: true, NoRepository: true}}
}

// driven is a request that runs a server in the sandbox.
func driven() *job.Request {
	return &job.Request{Profile: "safe", Command: []string{"python3", "server.py"}, Options: job.Options{NoRepository: true}}
}

// upload submits an archive.
func (a *api) upload(r *job.Request, name string, archive []byte, headers ...string) *answered {
	a.Helper()
	kind, body := a.form(r, name, archive)
	return a.ask(http.MethodPost, "/api/v1/assess", bytes.NewReader(body), append([]string{"Content-Type", kind}, headers...)...)
}

func (a *api) form(r *job.Request, name string, archive []byte) (kind string, body []byte) {
	a.Helper()
	return a.formWith(r, false, name, archive)
}

func (a *api) formWith(r *job.Request, force bool, name string, archive []byte) (kind string, body []byte) {
	a.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	text, err := json.Marshal(struct {
		*job.Request
		Force bool `json:"force"`
	}{r, force})
	if err == nil {
		err = form.WriteField("request", string(text))
	}
	if err != nil {
		a.Fatal(err)
	}
	part, err := form.CreateFormFile("archive", name)
	if err == nil {
		_, err = part.Write(archive)
	}
	if err != nil || form.Close() != nil {
		a.Fatal(err)
	}
	return form.FormDataContentType(), b.Bytes()
}

// accepted submits an archive and expects it to be accepted.
func (a *api) accepted(r *job.Request, name string, archive []byte) string {
	a.Helper()
	got := a.upload(r, name, archive)
	if got == nil || got.status != http.StatusAccepted {
		a.Fatalf("%s was not taken: %v", name, got)
	}
	return got.id
}

// job is a job's current state, nil if it is not available.
func (a *api) job(id string) *job.Job {
	a.Helper()
	got := a.get("/api/v1/jobs/" + id)
	var j job.Job
	if got == nil || got.status != http.StatusOK || json.Unmarshal(got.text, &j) != nil {
		return nil
	}
	return &j
}

// until waits until a job is in the wanted state.
func (a *api) until(id, what string, good func(*job.Job) bool) *job.Job {
	a.Helper()
	var j *job.Job
	a.wait("job "+what, func() bool {
		if now := a.job(id); now != nil {
			j = now
		}
		return j != nil && good(j)
	}, func() any { return j })
	return j
}

func (a *api) ended(id string) *job.Job {
	a.Helper()
	return a.until(id, "to end", func(j *job.Job) bool { return j.State.Ended() })
}

// wait waits for a condition, and reports the actual state if it is not met.
func (a *api) wait(what string, good func() bool, is func() any) {
	a.Helper()
	for began := time.Now(); !good(); time.Sleep(30 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			a.Fatalf("still waiting for %s: %+v", what, is())
		}
	}
}

// whole expects a finished job with a complete report, and returns it.
func (a *api) whole(id, data string) *mcpsf.Report {
	a.Helper()
	j := a.ended(id)
	if j.State != job.Done {
		a.Fatalf("job %s ended %s: %+v", id, j.State, j.Problem)
	}
	dir := filepath.Join(data, "files", "jobs", id, strconv.Itoa(j.Attempt))
	r, err := report.Load(dir)
	if err != nil {
		a.Fatal(err)
	}
	for _, name := range []string{"report.json", "evidence.tar.zst"} {
		if got := a.get("/api/v1/jobs/" + id + "/artifacts/" + name); got == nil || got.status != http.StatusOK || len(got.text) == 0 {
			a.Errorf("%s of job %s: %v", name, id, got)
		}
	}
	return r
}

// left are the files that programs left in their directories.
func (p place) left(t *testing.T) []string {
	t.Helper()
	var left []string
	err := filepath.WalkDir(p.temp, func(name string, _ fs.DirEntry, err error) error {
		if name != p.temp {
			left = append(left, strings.TrimPrefix(name, p.temp))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return left
}

// packed is an archive with these files.
func packed(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openBytes(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}
