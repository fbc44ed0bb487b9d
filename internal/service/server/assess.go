package server

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// maxPriority bounds how far a job can go before others of its project, or
// after them.
const maxPriority = 100

// asked is what a client sends to have something assessed.
type asked struct {
	job.Request

	Priority int `json:"priority"`
	// Force wants a run of its own.
	Force bool `json:"force"`
}

// submission is the answer.
type submission struct {
	ID    string    `json:"job_id"`
	State job.State `json:"state"`
	// Shared is set if there was a job already that answers the request.
	Shared bool  `json:"shared"`
	Links  links `json:"links"`
}

// assess queues a job.
func (s *Server) assess(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, shared, err := s.take(r, k, func() (*asked, error) { return s.readAsked(w, r, k) })
	if err != nil {
		return err
	}
	answer := submission{ID: j.ID, State: j.State, Shared: shared, Links: linksOf(j.ID)}
	w.Header().Set("Location", answer.Links.Self)
	return writeJSON(w, http.StatusAccepted, answer)
}

// take queues what a request asks for, and counts what became of it.
func (s *Server) take(r *http.Request, k *job.Key, read func() (*asked, error)) (j *job.Job, shared bool, err error) {
	result := "refused"
	defer func() { s.metrics.submissions.WithLabelValues(result).Inc() }()
	// Before anything is read: what is refused must not cost anything.
	if wait := s.submitted.take(k.ID, s.o.Now()); wait > 0 {
		return nil, false, later(http.StatusTooManyRequests, "too-many-submissions", wait, "this key has submitted too much in a short time")
	}
	n, err := s.asksFor(r, k, read)
	if err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.answer)
	defer cancel()
	if j, shared, err = s.o.Store.Add(ctx, n); err != nil {
		return nil, false, err
	}
	if result = "queued"; shared {
		result = "shared"
	}
	tracing.Submitted(r.Context(), j.ID, shared)
	return j, shared, nil
}

// asksFor is the job that a request asks for.
func (s *Server) asksFor(r *http.Request, k *job.Key, read func() (*asked, error)) (*store.New, error) {
	name, err := idempotency(r)
	if err != nil {
		return nil, err
	}
	a, err := read()
	if err != nil {
		return nil, err
	}
	n := &store.New{
		ID: job.NewID(), Project: k.Project, Request: a.Shown(), Priority: a.Priority,
		Same: a.Same(s.o.Key.For("same"), s.o.Version), Force: a.Force, Fresh: s.o.Fresh,
		Idempotency: name, Waiting: s.o.Limits.Waiting, Trace: tracing.Carry(r.Context()),
	}
	if name != "" {
		n.Asked = a.Same(s.o.Key.For("asked"), fmt.Sprint(a.Priority, a.Force))
	}
	if len(a.Env) == 0 {
		return n, nil
	}
	values, err := json.Marshal(a.Env)
	if err != nil {
		return nil, err
	}
	n.Sealed, err = s.o.Key.Seal(values, []byte(n.ID))
	return n, err
}

// readAsked reads a request in either of its two forms, and checks it.
func (s *Server) readAsked(w http.ResponseWriter, r *http.Request, k *job.Key) (*asked, error) {
	var a asked
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/json":
		if err := s.readJSON(w, r, &a); err != nil {
			return nil, err
		}
		return &a, s.checkAsked(&a)
	case err == nil && kind == "multipart/form-data" && params["boundary"] != "":
		return s.readUpload(w, r, k, params["boundary"])
	}
	return nil, refuse(http.StatusUnsupportedMediaType, "content-type", "send application/json, or multipart/form-data with the parts request and archive")
}

// checkAsked finds what is wrong with a request before anything is kept of it.
func (s *Server) checkAsked(a *asked) error {
	if a.Priority < -maxPriority || a.Priority > maxPriority {
		return badRequest("priority is -%d to %d, not %d", maxPriority, maxPriority, a.Priority)
	}
	// To name an archive by its digest would be to have what somebody else
	// uploaded.
	if a.Archive != "" || a.ArchiveName != "" {
		return badRequest("upload the archive: multipart/form-data with the parts request and archive")
	}
	return s.checkRequest(&a.Request)
}

func (s *Server) checkRequest(r *job.Request) error {
	if err := r.Check(); err != nil {
		return err
	}
	if len(r.Detectors) > 0 {
		if _, err := s.o.Rules.Only(r.Detectors); err != nil {
			return err
		}
	}
	return s.checkReach(r)
}

// idempotent is what a client may call its request.
var idempotent = regexp.MustCompile(`^[!-~]{1,255}$`)

func idempotency(r *http.Request) (string, error) {
	name := r.Header.Get("Idempotency-Key")
	if name != "" && !idempotent.MatchString(name) {
		return "", badRequest("Idempotency-Key is 1 to 255 printable ASCII characters")
	}
	return name, nil
}
