package server

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/compare"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// compare tells what is new between two jobs.
func (s *Server) compare(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	release, err := s.mayDraw(r.Context())
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
		j, err := s.jobNamed(r, k, id)
		if err != nil {
			return err
		}
		if j.State != job.Done {
			return notDone(j)
		}
		if reports[i], err = s.load(r.Context(), j); err != nil {
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

// point is what one job says of a package.
type point struct {
	ID string `json:"job_id"`

	job.Result

	Ended *time.Time `json:"ended,omitempty"`
}

// trend tells what became of a package, the oldest first.
func (s *Server) trend(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	name, ok := strings.CutSuffix(r.PathValue("rest"), "/trend")
	if !ok || name == "" || !isText(name) {
		return noSuchThing()
	}
	jobs, err := s.o.Store.Jobs(r.Context(), k.Project, &store.Filter{Name: name, State: job.Done, Limit: maxPage})
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
