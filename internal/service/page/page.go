// Package page is the web page of the service.
//
// In come the requests of people who have signed in with a key; out go pages
// that show what the API knows: what runs and waits, what a run does while it
// does it, verdicts, history, differences, rules, keys. Pages are written here
// and work without a script; the one script there is listens to what changes.
//
// All that was chosen by somebody else is text, made visible and cut to size
// before it reaches a template, and in the browser it is only ever the text of
// an element. The policy of every page lets nothing run, load or frame it that
// is not ours.
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

// Options of [Mount]. All are needed.
type Options struct {
	Store *store.Store
	Rules *rules.Set
}

// patience is how long a page may take to be made.
const patience = 30 * time.Second

// pages answers with pages.
type pages struct {
	Options

	api    *server.Server
	drawn  drawings
	assets assets
	queues *queues
}

// Mount adds the pages to a server. Call it before the server answers anything.
func Mount(api *server.Server, o Options) error {
	if o.Store == nil || o.Rules == nil {
		return errors.New("pages need a store and rules")
	}
	p := &pages{Options: o, api: api, queues: newQueues(o.Store)}
	var err error
	if p.assets, err = loadAssets(); err != nil {
		return err
	}
	if p.drawn, err = loadDrawings(); err != nil {
		return err
	}
	p.mountAssets()
	api.MountProblems(func(w http.ResponseWriter, r *http.Request, k *job.Key, status int, detail string) error {
		return p.showProblem(&visit{w, r, k}, status, sentence(detail))
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

// visit is a request that is answered with a page.
type visit struct {
	w http.ResponseWriter
	r *http.Request
	// key is nil for who has not signed in.
	key *job.Key
}

// route is what answers, and the role that it takes.
type route struct {
	need  job.Role
	serve func(*visit) error
}

type handler = func(http.ResponseWriter, *http.Request, *job.Key)

// anybody is for pages that need no key.
func (p *pages) anybody(serve func(*visit) error) handler {
	return func(w http.ResponseWriter, r *http.Request, k *job.Key) {
		v := &visit{w, r, k}
		p.answer(v, serve)
	}
}

// member is for those who have signed in. Others do that first, and come back.
func (p *pages) member(rt route) handler {
	return func(w http.ResponseWriter, r *http.Request, k *job.Key) {
		v := &visit{w, r, k}
		switch {
		case k == nil && r.Method == http.MethodPost:
			p.redirect(v, "/sign-in")
		case k == nil:
			p.redirect(v, "/sign-in?next="+url.QueryEscape(r.URL.RequestURI()))
		case !server.May(k.Role, rt.need):
			p.problem(v, http.StatusForbidden, "This takes a key of the role "+string(rt.need)+", and yours is "+string(k.Role)+".")
		default:
			p.answer(v, rt.serve)
		}
	}
}

func (p *pages) answer(v *visit, serve func(*visit) error) {
	if v.r.Method != http.MethodPost { // a form may bring a file, and has a time of its own
		ctx, cancel := context.WithTimeout(v.r.Context(), patience)
		defer cancel()
		v.r = v.r.WithContext(ctx)
	}
	if err := serve(v); err != nil {
		status, detail := p.api.Errors.Describe(v.r, err)
		p.problem(v, status, sentence(detail))
	}
}

// stream is for what the script listens to.
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

// redirect leads elsewhere in this service.
func (p *pages) redirect(v *visit, to string) {
	v.w.Header().Set("Location", to)
	v.w.WriteHeader(http.StatusSeeOther)
}

type problemView struct{ Heading, Detail string }

// problem is a page that says what cannot be done.
func (p *pages) problem(v *visit, status int, detail string) {
	// If even this cannot be written, nobody is left to be told.
	_ = p.showProblem(v, status, detail)
}

// showProblem does not repeat what was asked for: whoever makes a link would
// write on our page.
func (p *pages) showProblem(v *visit, status int, detail string) error {
	heading := http.StatusText(status)
	switch status {
	case http.StatusNotFound:
		heading = "Nothing here"
	case http.StatusInternalServerError:
		heading = "That failed"
	}
	return p.show(v, status, frame{Title: heading, Body: problemView{heading, detail}}, "problem")
}
