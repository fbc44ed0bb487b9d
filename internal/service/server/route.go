package server

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// api is the path that all routes of the API begin with.
const api = "/api/v1"

// route is one operation of the API.
type route struct {
	method, path string
	// need is the role that the key must have, "" if no key is needed.
	need job.Role
	// long routes have deadlines of their own instead of the one for requests.
	long  bool
	serve func(w http.ResponseWriter, r *http.Request, k *job.Key) error
}

// routes are all of the API.
func (s *Server) routes() []route {
	return []route{
		{method: http.MethodPost, path: api + "/assess", need: job.Submitter, long: true, serve: s.Submissions.assess},
		{method: http.MethodGet, path: api + "/jobs", need: job.Reader, serve: s.Jobs.list},
		{method: http.MethodGet, path: api + "/jobs/{id}", need: job.Reader, serve: s.Jobs.show},
		{method: http.MethodDelete, path: api + "/jobs/{id}", need: job.Submitter, serve: s.Jobs.cancel},
		{method: http.MethodGet, path: api + "/jobs/{id}/events", need: job.Reader, long: true, serve: s.Events.Serve},
		{method: http.MethodGet, path: api + "/jobs/{id}/report", need: job.Reader, long: true, serve: s.Reports.serve},
		{method: http.MethodGet, path: api + "/jobs/{id}/artifacts", need: job.Reader, serve: s.Artifacts.list},
		{method: http.MethodGet, path: api + "/jobs/{id}/artifacts/{name...}", need: job.Reader, long: true, serve: s.Artifacts.download},
		{method: http.MethodGet, path: api + "/compare", need: job.Reader, serve: s.Reports.compare},
		// A package name may contain a slash, escaped or not, and only the last
		// wildcard of a pattern matches slashes.
		{method: http.MethodGet, path: api + "/packages/{rest...}", need: job.Reader, serve: s.Jobs.trend},
		{method: http.MethodGet, path: api + "/keys", need: job.Admin, serve: s.Keys.list},
		{method: http.MethodPost, path: api + "/keys", need: job.Admin, serve: s.Keys.create},
		{method: http.MethodDelete, path: api + "/keys/{id}", need: job.Admin, serve: s.Keys.revoke},
		{method: http.MethodGet, path: api + "/rules", need: job.Reader, serve: s.catalogue.listRules},
		{method: http.MethodGet, path: api + "/openapi.json", serve: s.catalogue.showDocument},
		{method: http.MethodGet, path: "/healthz", serve: s.health.live},
		{method: http.MethodGet, path: "/readyz", serve: s.health.ready},
		{method: http.MethodGet, path: "/metrics", serve: s.metrics.serveLocal},
	}
}

// router checks the key and the role of a request before the route answers it.
type router struct {
	mux      *http.ServeMux
	auth     *authenticator
	errors   *Errors
	timeouts *timeouts
}

// handle adds a route of the API.
func (rt *router) handle(to route) {
	rt.mux.HandleFunc(to.method+" "+to.path, func(w http.ResponseWriter, r *http.Request) {
		if !to.long {
			ctx, cancel := context.WithTimeout(r.Context(), rt.timeouts.request)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := rt.serve(w, r, to); err != nil {
			rt.errors.Write(w, r, err)
		}
	})
}

func (rt *router) serve(w http.ResponseWriter, r *http.Request, to route) error {
	if to.need == "" {
		return to.serve(w, r, nil)
	}
	k, err := rt.auth.authenticate(r)
	if err != nil {
		return err
	}
	if !May(k.Role, to.need) {
		return refuse(http.StatusForbidden, "forbidden", "this needs a key with the role %s; yours has the role %s", to.need, k.Role)
	}
	return to.serve(w, r, k)
}

// mount adds a route that also clients without a key may use.
func (rt *router) mount(pattern string, h func(http.ResponseWriter, *http.Request, *job.Key)) {
	rt.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		k, err := rt.auth.authenticate(r)
		if p, ok := errors.AsType[*problem](err); err != nil && (!ok || p.status != http.StatusUnauthorized) {
			rt.errors.Write(w, r, err)
			return
		}
		h(w, r, k)
	})
}

// May tells whether a role includes another.
func May(has, needs job.Role) bool {
	all := job.Roles()
	return slices.Contains(all, has) && slices.Index(all, has) >= slices.Index(all, needs)
}
