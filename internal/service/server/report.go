package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/compare"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/html"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxRendering is how many reports are loaded or rendered at once: each holds
// its events in memory. maxEvents is how large those may be, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	maxRendering = 2
	maxEvents    = 128 << 20
)

// Reports serves the reports of jobs that are done, and compares them.
type Reports struct {
	jobs      *Jobs
	artifacts *Artifacts
	// rendering has a token for each report that is being loaded or rendered.
	rendering chan struct{}
	// policy is the Content-Security-Policy of HTML reports.
	policy   string
	timeouts *timeouts
}

func newReports(jobs *Jobs, artifacts *Artifacts, t *timeouts) (*Reports, error) {
	policy, err := html.Policy()
	if err != nil {
		return nil, err
	}
	return &Reports{
		jobs: jobs, artifacts: artifacts, rendering: make(chan struct{}, maxRendering), timeouts: t,
		// An attacker wrote the texts in a report: only our own script runs in
		// it, in an origin of its own. Our own pages may frame it.
		policy: policy + "; frame-ancestors 'self'; sandbox allow-scripts",
	}, nil
}

// Load reads the report of a job that is done. It waits if many are being read.
func (rs *Reports) Load(ctx context.Context, j *job.Job) (*mcpsf.Report, error) {
	if j.State != job.Done {
		return nil, notDone(j)
	}
	release, err := rs.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return rs.load(ctx, j)
}

// serve answers with the report of a job that is done.
func (rs *Reports) serve(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	w.Header().Add("Vary", "Accept")
	form, err := negotiate(r)
	if err != nil {
		return err
	}
	j, err := rs.jobs.named(r, k)
	if err != nil {
		return err
	}
	if j.State != job.Done {
		return notDone(j)
	}
	if form.format == report.FormatJSON {
		return rs.serveStored(w, r, j)
	}
	text, err := rs.render(r.Context(), j, form.format)
	if err != nil {
		return err
	}
	if form.format == report.FormatHTML {
		w.Header().Set("Content-Security-Policy", rs.policy)
		w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	}
	w.Header().Set("Content-Type", form.contentType+charset(form.contentType))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, err = w.Write(text) //nolint:gosec // the report escapes everything, and the policy does not rely on it
	return err
}

// compare answers with the differences between two jobs.
func (rs *Reports) compare(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	release, err := rs.acquire(r.Context())
	if err != nil {
		return err
	}
	defer release()
	var reports [2]*mcpsf.Report
	for i, name := range []string{"old", "new"} {
		id := r.URL.Query().Get(name)
		if id == "" {
			return badRequest("name two jobs: ?old=ID&new=ID")
		}
		j, err := rs.jobs.Get(r.Context(), k, id)
		if err != nil {
			return err
		}
		if j.State != job.Done {
			return notDone(j)
		}
		if reports[i], err = rs.load(r.Context(), j); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := compare.Write(&text, compare.FormatJSON, compare.Runs(reports[0], reports[1])); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(text.Bytes())
	return err
}

func notDone(j *job.Job) *problem {
	if j.State.Ended() {
		return refuse(http.StatusConflict, "no-report", "there is no report: the job is %s", j.State)
	}
	return refuse(http.StatusConflict, "not-done", "there is no report yet: the job is %s", j.State)
}

func charset(contentType string) string {
	if strings.HasPrefix(contentType, "text/") {
		return "; charset=utf-8"
	}
	return ""
}

// serveStored answers with the report file itself.
func (rs *Reports) serveStored(w http.ResponseWriter, r *http.Request, j *job.Job) error {
	f, err := rs.artifacts.open(r.Context(), j, report.FileName)
	if err != nil {
		return missingFile(err)
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/json")
	return serveFile(w, r, f)
}

// missingFile reports a file that has to exist and does not as a failure of
// ours instead of 404.
func missingFile(err error) error {
	if errors.Is(err, blob.ErrNotFound) {
		return errors.New("the report file of a job that is done is missing")
	}
	return err
}

// render writes the report of a job in another format.
func (rs *Reports) render(ctx context.Context, j *job.Job, f report.Format) ([]byte, error) {
	release, err := rs.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	r, err := rs.load(ctx, j)
	if err != nil {
		return nil, err
	}
	events, err := rs.loadEvents(ctx, j)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = report.Write(&text, f, r, events, report.Style{Unicode: true})
	return text.Bytes(), err
}

// acquire waits until a report may be loaded.
func (rs *Reports) acquire(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, rs.timeouts.request)
	defer cancel()
	select {
	case rs.rendering <- struct{}{}:
		return func() { <-rs.rendering }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (rs *Reports) load(ctx context.Context, j *job.Job) (*mcpsf.Report, error) {
	f, err := rs.artifacts.open(ctx, j, report.FileName)
	if err != nil {
		return nil, missingFile(err)
	}
	defer f.Close()
	r, err := report.Read(f)
	if err != nil {
		return nil, fmt.Errorf("reading the report of %s: %w", j.ID, err)
	}
	return r, nil
}

func (rs *Reports) loadEvents(ctx context.Context, j *job.Job) ([]mcpsf.Event, error) {
	f, err := rs.artifacts.open(ctx, j, report.EventsName)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil // the run has no events
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > maxEvents {
		return nil, refuse(http.StatusUnprocessableEntity, "too-large", "this run has too many events to render; download the files from %s/artifacts", linksOf(j.ID).Self)
	}
	var events []mcpsf.Event
	err = trace.Read(f, func(e mcpsf.Event) error {
		events = append(events, e)
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("reading the events of %s: %w", j.ID, err)
	}
	return events, nil
}
