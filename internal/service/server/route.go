package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// api is where the API begins.
const api = "/api/v1"

// route is something that is answered.
type route struct {
	method, path string
	// need is the role that it takes, "" if no key is asked for.
	need job.Role
	// long ones are not ended by the clock: they have their own.
	long  bool
	serve func(w http.ResponseWriter, r *http.Request, k *job.Key) error
}

// routes are all of the API.
func (s *Server) routes() []route {
	return []route{
		{method: http.MethodPost, path: api + "/assess", need: job.Submitter, long: true, serve: s.assess},
		{method: http.MethodGet, path: api + "/jobs", need: job.Reader, serve: s.listJobs},
		{method: http.MethodGet, path: api + "/jobs/{id}", need: job.Reader, serve: s.showJob},
		{method: http.MethodDelete, path: api + "/jobs/{id}", need: job.Submitter, serve: s.cancelJob},
		{method: http.MethodGet, path: api + "/jobs/{id}/events", need: job.Reader, long: true, serve: s.events},
		{method: http.MethodGet, path: api + "/jobs/{id}/report", need: job.Reader, long: true, serve: s.report},
		{method: http.MethodGet, path: api + "/jobs/{id}/artifacts", need: job.Reader, serve: s.listArtifacts},
		{method: http.MethodGet, path: api + "/jobs/{id}/artifacts/{name...}", need: job.Reader, long: true, serve: s.artifact},
		{method: http.MethodGet, path: api + "/compare", need: job.Reader, serve: s.compare},
		// A name may have a slash in it, escaped or not, and what takes slashes
		// can only stand at the end of a pattern.
		{method: http.MethodGet, path: api + "/packages/{rest...}", need: job.Reader, serve: s.trend},
		{method: http.MethodGet, path: api + "/keys", need: job.Admin, serve: s.listKeys},
		{method: http.MethodPost, path: api + "/keys", need: job.Admin, serve: s.addKey},
		{method: http.MethodDelete, path: api + "/keys/{id}", need: job.Admin, serve: s.revokeKey},
		{method: http.MethodGet, path: api + "/rules", need: job.Reader, serve: s.listRules},
		{method: http.MethodGet, path: api + "/openapi.json", serve: s.showDocument},
		{method: http.MethodGet, path: "/healthz", serve: s.healthy},
		{method: http.MethodGet, path: "/readyz", serve: s.isReady},
		{method: http.MethodGet, path: "/metrics", serve: s.nearMetrics},
	}
}

// handle puts a route behind its lock.
func (s *Server) handle(rt route) {
	s.mux.HandleFunc(rt.method+" "+rt.path, func(w http.ResponseWriter, r *http.Request) {
		if !rt.long {
			ctx, cancel := context.WithTimeout(r.Context(), s.pace.answer)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := s.enter(w, r, rt); err != nil {
			s.fail(w, r, err)
		}
	})
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request, rt route) error {
	if rt.need == "" {
		return rt.serve(w, r, nil)
	}
	k, err := s.who(r)
	if err != nil {
		return err
	}
	if !May(k.Role, rt.need) {
		return refuse(http.StatusForbidden, "forbidden", "this takes a key of the role %s, and yours is %s", rt.need, k.Role)
	}
	return rt.serve(w, r, k)
}

// May tells whether a role includes another.
func May(has, needs job.Role) bool {
	all := job.Roles()
	return slices.Contains(all, has) && slices.Index(all, has) >= slices.Index(all, needs)
}
