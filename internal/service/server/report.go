package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/report/html"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxDrawing is how many reports are drawn at once: each takes its events into
// memory. maxEvents is how large those may be.
const (
	maxDrawing = 2
	maxEvents  = 128 << 20
)

// drawn is a form of a report, what it is called in the address, and what in
// the header.
type drawn struct {
	name, contentType string
	format            report.Format
}

// forms are all of them, the one first that is answered with if nobody cares.
func forms() []drawn {
	return []drawn{
		{"json", "application/json", report.FormatJSON},
		{"sarif", "application/sarif+json", report.FormatSARIF},
		{"html", "text/html", report.FormatHTML},
		{"markdown", "text/markdown", report.FormatMarkdown},
	}
}

// reportPolicy is for pages whose texts an enemy wrote: nothing but our own
// script runs in them, and it is nobody there. Our own pages may frame them.
func reportPolicy() (string, error) {
	policy, err := html.Policy()
	return policy + "; frame-ancestors 'self'; sandbox allow-scripts", err
}

// report answers with the report of a job that is done.
func (s *Server) report(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	w.Header().Add("Vary", "Accept")
	form, err := chooseForm(r)
	if err != nil {
		return err
	}
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	if j.State != job.Done {
		return notDone(j)
	}
	if form.format == report.FormatJSON {
		return s.storedReport(w, r, j)
	}
	text, err := s.draw(r.Context(), j, form.format)
	if err != nil {
		return err
	}
	if form.format == report.FormatHTML {
		w.Header().Set("Content-Security-Policy", s.policy)
		w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	}
	w.Header().Set("Content-Type", form.contentType+charset(form.contentType))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, err = w.Write(text) //nolint:gosec // the report escapes everything, and the policy expects that it does not
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

// storedReport answers with the report as it was written.
func (s *Server) storedReport(w http.ResponseWriter, r *http.Request, j *job.Job) error {
	f, err := s.open(r.Context(), j, report.FileName)
	if err != nil {
		return lost(err)
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/json")
	return serveFile(w, r, f)
}

// lost makes of a file that has to be there and is not a failure of ours.
func lost(err error) error {
	if errors.Is(err, blob.ErrNotFound) {
		return errors.New("a file of a job that is done is not there")
	}
	return err
}

// draw writes the report of a job in another form.
func (s *Server) draw(ctx context.Context, j *job.Job, f report.Format) ([]byte, error) {
	release, err := s.mayDraw(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	r, err := s.load(ctx, j)
	if err != nil {
		return nil, err
	}
	events, err := s.loadEvents(ctx, j)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = report.Write(&text, f, r, events, report.Style{Unicode: true})
	return text.Bytes(), err
}

// mayDraw waits for a turn.
func (s *Server) mayDraw(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, s.pace.answer)
	defer cancel()
	select {
	case s.drawing <- struct{}{}:
		return func() { <-s.drawing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Server) load(ctx context.Context, j *job.Job) (*mcpsf.Report, error) {
	f, err := s.open(ctx, j, report.FileName)
	if err != nil {
		return nil, lost(err)
	}
	defer f.Close()
	r, err := report.Read(f)
	if err != nil {
		return nil, fmt.Errorf("reading the report of %s: %w", j.ID, err)
	}
	return r, nil
}

func (s *Server) loadEvents(ctx context.Context, j *job.Job) ([]mcpsf.Event, error) {
	f, err := s.open(ctx, j, report.EventsName)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil // a run without any
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > maxEvents {
		return nil, refuse(http.StatusUnprocessableEntity, "too-large", "this run has too many events to draw; take the files from %s/artifacts", linksOf(j.ID).Self)
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

// chooseForm picks what the client likes best: by the address, or by its header.
func chooseForm(r *http.Request) (drawn, error) {
	if r.URL.Query().Has("format") {
		for _, f := range forms() {
			if f.name == r.URL.Query().Get("format") {
				return f, nil
			}
		}
		return drawn{}, badRequest("format is json, sarif, html or markdown")
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		accept = "*/*"
	}
	best, most := drawn{}, 0.0
	for _, f := range forms() {
		if q := liking(accept, f.contentType); q > most {
			best, most = f, q
		}
	}
	if most == 0 {
		return drawn{}, refuse(http.StatusNotAcceptable, "not-acceptable", "a report is application/json, application/sarif+json, text/html or text/markdown")
	}
	return best, nil
}

// liking is how much a type is wanted, 0 to 1. The most exact word counts.
func liking(accept, contentType string) float64 {
	major, _, _ := strings.Cut(contentType, "/")
	best, exact := 0.0, -1
	for i, word := range strings.Split(accept, ",") {
		kind, params, err := mime.ParseMediaType(word)
		if err != nil || i > 100 {
			continue
		}
		q := 1.0 // NaN is not between 0 and 1, either
		if text, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) {
				continue
			}
		}
		how := map[string]int{"*/*": 0, major + "/*": 1, contentType: 2}
		if n, ok := how[kind]; ok && n > exact {
			best, exact = q, n
		}
	}
	return best
}
