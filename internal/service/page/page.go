// Package page is the web page of the service.
//
// In: requests of people who have signed in with a key.
//
// Out: HTML pages that show what the API knows: the queue, live runs, verdicts,
// history, comparisons, rules, keys. They work without a script; the one script
// only follows event streams.
//
// Never: put untrusted text into a page as anything but text. It is escaped and
// cut to size before it reaches a template, and the script only makes text
// nodes of it. The Content-Security-Policy of every page allows our own assets
// and nothing else.
package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// Options of [Mount]. All are required.
type Options struct {
	Store *store.Store
	Rules *rules.Set
}

// pageTimeout bounds how long making a page may take.
const pageTimeout = 30 * time.Second

// pages answers with pages.
type pages struct {
	Options

	*renderer

	api    *server.Server
	queues *queues
}

// Mount adds the pages to a server. Call it before the server answers anything.
func Mount(api *server.Server, o Options) error {
	if o.Store == nil || o.Rules == nil {
		return errors.New("pages need a store and rules")
	}
	r, err := newRenderer()
	if err != nil {
		return err
	}
	p := &pages{Options: o, renderer: r, api: api, queues: newQueues(o.Store)}
	r.assets.mount(api)
	api.MountProblems(func(w http.ResponseWriter, r *http.Request, k *job.Key, status int, detail string) error {
		return p.renderer.problem(&visit{w, r, k}, status, sentence(detail))
	})
	api.Mount("GET /sign-in", p.anybody(p.showSignIn))
	api.Mount("POST /sign-in", p.anybody(p.signIn))
	api.Mount("POST /sign-out", p.anybody(p.signOut))
	for pattern, route := range map[string]route{
		"GET /{$}":                {job.Reader, p.home},
		"POST /runs":              {job.Submitter, p.submit},
		"GET /runs/{id}":          {job.Reader, p.run},
		"POST /runs/{id}/cancel":  {job.Submitter, p.cancel},
		"GET /history":            {job.Reader, p.history},
		"GET /compare":            {job.Reader, p.compare},
		"GET /packages/{name...}": {job.Reader, p.trend},
		"GET /rules":              {job.Reader, p.rules},
		"GET /keys":               {job.Admin, p.keys},
		"POST /keys":              {job.Admin, p.addKey},
		"POST /keys/{id}/revoke":  {job.Admin, p.revokeKey},
	} {
		api.Mount(pattern, p.member(route))
	}
	api.Mount("GET /queue", p.stream(p.watchQueue))
	api.Mount("GET /runs/{id}/events", p.stream(p.watchRun))
	return nil
}

// visit is a request for a page.
type visit struct {
	w http.ResponseWriter
	r *http.Request
	// key is nil for a visitor who has not signed in.
	key *job.Key
}

// route is a handler and the role that it needs.
type route struct {
	need  job.Role
	serve func(*visit) error
}

type handler = func(http.ResponseWriter, *http.Request, *job.Key)

// anybody serves pages that need no key.
func (p *pages) anybody(serve func(*visit) error) handler {
	return func(w http.ResponseWriter, r *http.Request, k *job.Key) {
		v := &visit{w, r, k}
		p.answer(v, serve)
	}
}

// member serves visitors who have signed in. Others are sent to the sign-in page
// first.
func (p *pages) member(rt route) handler {
	return func(w http.ResponseWriter, r *http.Request, k *job.Key) {
		v := &visit{w, r, k}
		switch {
		case k == nil && r.Method == http.MethodPost:
			p.redirect(v, "/sign-in")
		case k == nil:
			p.redirect(v, "/sign-in?next="+url.QueryEscape(r.URL.RequestURI()))
		case !server.May(k.Role, rt.need):
			p.problem(v, http.StatusForbidden, "This needs a key with the role "+string(rt.need)+"; yours has the role "+string(k.Role)+".")
		default:
			p.answer(v, rt.serve)
		}
	}
}

func (p *pages) answer(v *visit, serve func(*visit) error) {
	if v.r.Method != http.MethodPost { // a form may have a file, and has time limits of its own
		ctx, cancel := context.WithTimeout(v.r.Context(), pageTimeout)
		defer cancel()
		v.r = v.r.WithContext(ctx)
	}
	if err := serve(v); err != nil {
		status, detail := p.api.Errors.Describe(v.r, err)
		p.problem(v, status, sentence(detail))
	}
}

// stream serves event streams for the script.
func (p *pages) stream(serve func(http.ResponseWriter, *http.Request, *job.Key) error) handler {
	return func(w http.ResponseWriter, r *http.Request, k *job.Key) {
		if k == nil {
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		if err := serve(w, r, k); err != nil {
			p.api.Errors.Write(w, r, err)
		}
	}
}

// redirect redirects to another page.
func (p *pages) redirect(v *visit, to string) {
	v.w.Header().Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
}

// problem shows an error page.
func (p *pages) problem(v *visit, status int, detail string) {
	// If even this page fails, there is nothing left to answer with.
	_ = p.renderer.problem(v, status, detail)
}
