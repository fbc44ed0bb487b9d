package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// links are the addresses of what belongs to a job.
type links struct {
	Self   string `json:"self"`
	Events string `json:"events"`
	Report string `json:"report"`
	Page   string `json:"page"`
}

func linksOf(id string) links {
	self := api + "/jobs/" + id
	return links{Self: self, Events: self + "/events", Report: self + "/report", Page: "/runs/" + id}
}

// shown is a job as clients see it.
type shown struct {
	*job.Job

	Links links `json:"links"`
}

func show(j *job.Job) shown { return shown{j, linksOf(j.ID)} }

// jobID is the format of job ids. Anything else is not looked up.
var jobID = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// Jobs shows, lists and cancels the jobs of a project.
type Jobs struct {
	store *store.Store
}

// Get returns a job of the key's project. Jobs of other projects do not exist
// for it.
func (js *Jobs) Get(ctx context.Context, k *job.Key, id string) (*job.Job, error) {
	if !jobID.MatchString(id) {
		return nil, notFound()
	}
	return js.store.Job(ctx, k.Project, id)
}

// named is the job in the path of a request.
func (js *Jobs) named(r *http.Request, k *job.Key) (*job.Job, error) {
	return js.Get(r.Context(), k, r.PathValue("id"))
}

func (js *Jobs) show(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := js.named(r, k)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, show(j))
}

func (js *Jobs) cancel(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := js.named(r, k)
	if err != nil {
		return err
	}
	if j.State.Ended() {
		return writeJSON(w, http.StatusOK, show(j))
	}
	if j, err = js.store.Cancel(r.Context(), k.Project, j.ID); err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, show(j))
}

func (js *Jobs) list(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	f, err := FilterOf(r.URL.Query())
	if err != nil {
		return err
	}
	jobs, err := js.store.Jobs(r.Context(), k.Project, f)
	if err != nil {
		return err
	}
	page := struct {
		Jobs []shown `json:"jobs"`
		// Next is the parameter before of the next page, "" on the last.
		Next string `json:"next,omitempty"`
	}{Jobs: []shown{}}
	for i := range jobs {
		page.Jobs = append(page.Jobs, show(&jobs[i]))
	}
	if len(jobs) == f.Limit {
		page.Next = jobs[len(jobs)-1].ID
	}
	return writeJSON(w, http.StatusOK, page)
}

// point is one result in the trend of a package.
type point struct {
	ID string `json:"job_id"`

	job.Result

	Ended *time.Time `json:"ended,omitempty"`
}

// trend lists the results of a package, the oldest first.
func (js *Jobs) trend(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	name, ok := strings.CutSuffix(r.PathValue("rest"), "/trend")
	if !ok || name == "" || !isText(name) {
		return notFound()
	}
	jobs, err := js.store.Jobs(r.Context(), k.Project, &store.Filter{Name: name, State: job.Done, Limit: maxPage})
	if err != nil {
		return err
	}
	answer := struct {
		Name   string  `json:"name"`
		Points []point `json:"points"`
	}{Name: name, Points: []point{}}
	for _, j := range slices.Backward(jobs) {
		answer.Points = append(answer.Points, point{ID: j.ID, Result: *j.Result, Ended: j.Ended})
	}
	return writeJSON(w, http.StatusOK, answer)
}
