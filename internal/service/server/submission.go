package server

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/secretbox"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/service/tracing"
)

// submitted is what a client sends to have something assessed.
type submitted struct {
	job.Request

	Priority int `json:"priority"`
	// Force runs the assessment even if there is a result to share.
	Force bool `json:"force"`
}

// submission is the answer.
type submission struct {
	ID    string    `json:"job_id"`
	State job.State `json:"state"`
	// Shared is set if an earlier job answers the request.
	Shared bool  `json:"shared"`
	Links  links `json:"links"`
}

// Submissions queues jobs.
type Submissions struct {
	store   *store.Store
	secret  *secretbox.Key
	bodies  *bodyReader
	uploads *uploads
	checks  *requestCheck
	metrics *metrics
	// rates counts submissions for each key.
	rates *rateLimits
	// version and fresh decide which results are shared, waiting is how many
	// jobs a project may have in the queue.
	version string
	fresh   time.Duration
	waiting int
	now     func() time.Time
}

func newSubmissions(o *Options, bodies *bodyReader, u *uploads, checks *requestCheck, m *metrics) *Submissions {
	return &Submissions{
		store: o.Store, secret: o.Key, bodies: bodies, uploads: u, checks: checks, metrics: m, rates: newRateLimits(o.Limits.Submissions),
		version: o.Version, fresh: o.Fresh, waiting: o.Limits.Waiting, now: o.Now,
	}
}

// assess queues a job.
func (ss *Submissions) assess(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, shared, err := ss.submit(r, k, func() (*submitted, error) { return ss.read(w, r, k) })
	if err != nil {
		return err
	}
	answer := submission{ID: j.ID, State: j.State, Shared: shared, Links: linksOf(j.ID)}
	w.Header().Set("Location", answer.Links.Self)
	return writeJSON(w, http.StatusAccepted, answer)
}

// SubmitForm queues what the form of a page asks for, with the same checks,
// limits and counts as the API. The form is multipart/form-data; its file is in
// the field "archive", the other fields are added to fields, also if an error is
// returned. parse makes the request of them.
func (ss *Submissions) SubmitForm(w http.ResponseWriter, r *http.Request, k *job.Key, fields url.Values, parse ParseForm) (*job.Job, error) {
	ctx, cancel := context.WithTimeout(r.Context(), ss.bodies.timeouts.upload)
	defer cancel()
	r = r.WithContext(ctx)
	j, _, err := ss.submit(r, k, func() (*submitted, error) { return ss.uploads.readForm(w, r, k, fields, parse) })
	return j, err
}

// submit queues what a request asks for, and counts the result.
func (ss *Submissions) submit(r *http.Request, k *job.Key, read func() (*submitted, error)) (j *job.Job, shared bool, err error) {
	result := submissionRefused
	defer func() { ss.metrics.submissions.WithLabelValues(result).Inc() }()
	// Before anything is read: a refused request must cost nothing.
	if wait := ss.rates.take(k.ID, ss.now()); wait > 0 {
		return nil, false, retryLater(http.StatusTooManyRequests, "too-many-submissions", wait, "too many submissions with this key in a short time")
	}
	n, err := ss.newJob(r, k, read)
	if err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), ss.bodies.timeouts.request)
	defer cancel()
	if j, shared, err = ss.store.Add(ctx, n); err != nil {
		return nil, false, err
	}
	if result = submissionQueued; shared {
		result = submissionShared
	}
	tracing.Submitted(r.Context(), j.ID, shared)
	return j, shared, nil
}

// newJob is the job that a request asks for.
func (ss *Submissions) newJob(r *http.Request, k *job.Key, read func() (*submitted, error)) (*store.New, error) {
	name, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	a, err := read()
	if err != nil {
		return nil, err
	}
	n := &store.New{
		ID: job.NewID(), Project: k.Project, Request: a.Shown(), Priority: a.Priority,
		Same: a.Same(ss.secret.For("same"), ss.version), Force: a.Force, Fresh: ss.fresh,
		Idempotency: name, Waiting: ss.waiting, Trace: tracing.Carry(r.Context()),
	}
	if name != "" {
		n.Asked = a.Same(ss.secret.For("asked"), fmt.Sprint(a.Priority, a.Force))
	}
	if len(a.Env) == 0 {
		return n, nil
	}
	values, err := json.Marshal(a.Env)
	if err != nil {
		return nil, err
	}
	n.EncryptedEnv, err = ss.secret.Encrypt(values, []byte(n.ID))
	return n, err
}

// read reads and checks a request, as JSON or as a form with an archive.
func (ss *Submissions) read(w http.ResponseWriter, r *http.Request, k *job.Key) (*submitted, error) {
	var a submitted
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/json":
		if err := ss.bodies.json(w, r, &a); err != nil {
			return nil, err
		}
		return &a, ss.checks.submitted(&a)
	case err == nil && kind == "multipart/form-data" && params["boundary"] != "":
		return ss.uploads.read(w, r, k, params["boundary"])
	}
	return nil, refuse(http.StatusUnsupportedMediaType, "content-type", "Content-Type must be application/json, or multipart/form-data with the parts request and archive")
}

// idempotencyText is the format of Idempotency-Key headers.
var idempotencyText = lazyregexp.New(`^[!-~]{1,255}$`)

func idempotencyKey(r *http.Request) (string, error) {
	name := r.Header.Get("Idempotency-Key")
	if name != "" && !idempotencyText.MatchString(name) {
		return "", badRequest("Idempotency-Key must be 1 to 255 printable ASCII characters")
	}
	return name, nil
}
