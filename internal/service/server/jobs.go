package server

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// links are where more is told of a job.
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

// jobID is how ids of jobs look. Nothing else is looked up.
var jobID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// job is the one that a request names, if it is of the key's project. Of those
// of others nobody is told that they are there.
func (s *Server) job(r *http.Request, k *job.Key) (*job.Job, error) {
	return s.jobNamed(r, k, r.PathValue("id"))
}

func (s *Server) jobNamed(r *http.Request, k *job.Key, id string) (*job.Job, error) {
	return s.Job(r.Context(), k, id)
}

func (s *Server) showJob(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, show(j))
}

func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	if j.State.Ended() {
		return writeJSON(w, http.StatusOK, show(j))
	}
	if j, err = s.o.Store.Cancel(r.Context(), k.Project, j.ID); err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, show(j))
}

func (s *Server) listJobs(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	f, err := FilterOf(r.URL.Query())
	if err != nil {
		return err
	}
	jobs, err := s.o.Store.Jobs(r.Context(), k.Project, f)
	if err != nil {
		return err
	}
	page := struct {
		Jobs []shown `json:"jobs"`
		// Next is what before is for the next page, "" on the last.
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

// pageSize is how many jobs a list has if nothing else is asked for, maxPage how
// many at most.
const pageSize, maxPage = 50, 200

// FilterOf is what the address of a list asks for. The error is in one line, for
// whoever wrote it.
func FilterOf(q url.Values) (*store.Filter, error) {
	for name, values := range q {
		if !slices.Contains([]string{"state", "band", "q", "name", "before", "limit"}, name) || len(values) > 1 {
			return nil, badRequest("the list is chosen from by state, band, q, name, before and limit, once each")
		}
	}
	f := &store.Filter{
		State: job.State(q.Get("state")), Band: mcpsf.Band(q.Get("band")), Text: q.Get("q"), Name: q.Get("name"),
		Before: q.Get("before"), Limit: pageSize,
	}
	if limit := q.Get("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > maxPage {
			return nil, badRequest("limit is 1 to %d", maxPage)
		}
		f.Limit = n
	}
	switch {
	case f.State != "" && !slices.Contains(job.States(), f.State):
		return nil, badRequest("state is one of: %s", join(job.States()))
	case f.Band != "" && !slices.Contains(mcpsf.Bands(), f.Band):
		return nil, badRequest("band is one of: %s", join(mcpsf.Bands()))
	case f.Before != "" && !jobID.MatchString(f.Before):
		return nil, badRequest("before is what next of the page before is")
	case !isText(f.Text) || !isText(f.Name):
		return nil, badRequest("q and name are texts of at most %d bytes", maxText)
	}
	return f, nil
}

const maxText = 300

// isText tells what a database can look for: PostgreSQL has no nulls in texts.
func isText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
