package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// ProblemPage writes an error page. The key is nil if it is not known who asks.
// If it returns an error, it has written nothing.
type ProblemPage func(w http.ResponseWriter, r *http.Request, k *job.Key, status int, detail string) error

// Errors answers requests that failed, and logs failures of ours.
type Errors struct {
	auth     *authenticator
	proxies  Proxies
	logger   *slog.Logger
	timeouts *timeouts
	// page is nil if there are no pages.
	page ProblemPage
}

// Write answers with an error. If an answer was begun already, the connection is
// cut, so that the answer does not look complete.
func (e *Errors) Write(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	e.log(r, p, err)
	if a, ok := w.(*answer); ok && a.status != 0 {
		panic(http.ErrAbortHandler)
	}
	e.write(w, r, p)
}

// Describe says what an error is to a user: a status, and a line that says what
// to do. Failures of ours are logged.
func (e *Errors) Describe(r *http.Request, err error) (status int, detail string) {
	p := problemOf(err)
	e.log(r, p, err)
	return p.status, p.detail
}

func (e *Errors) log(r *http.Request, p *problem, err error) {
	if p.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) { // a client that went away is no failure
		e.logger.ErrorContext(r.Context(), "request failed",
			slog.String("method", r.Method), slog.String("route", r.Pattern), slog.String("client", e.proxies.clientName(r)), slog.Any("error", err))
	}
}

// write answers with a page for browsers, if there are pages and the request is
// not for the API, and with JSON otherwise.
func (e *Errors) write(w http.ResponseWriter, r *http.Request, p *problem) {
	if e.page == nil || !wantsPage(r) {
		p.write(w)
		return
	}
	p.prepare(w)
	if e.page(w, r, e.visitor(r, p), p.status, p.detail) != nil {
		p.write(w)
	}
}

// wantsPage tells whether a browser asks for a page. Scripts, and clients that
// accept anything, get JSON.
func wantsPage(r *http.Request) bool {
	if r.URL.Path == "/api" || slices.Contains(probes(), r.URL.Path) || strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return quality(accept, "text/html") > quality(accept, "application/problem+json")
}

// visitor is the key of whoever gets the error page, nil if it is not known.
// After a failure of ours, or too many requests, the store is not asked again.
func (e *Errors) visitor(r *http.Request, p *problem) *job.Key {
	if p.status >= http.StatusInternalServerError || p.status == http.StatusTooManyRequests {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeouts.request)
	defer cancel()
	k, err := e.auth.authenticate(r.WithContext(ctx))
	if err != nil {
		return nil
	}
	return k
}
