package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// problem is an answer that something cannot be done, as RFC 9457 has it.
type problem struct {
	status int
	// kind tells programs what it is, detail tells people what to do.
	kind, detail string
	// retry is when it may be tried again, 0 if that is of no use.
	retry time.Duration
}

func (p *problem) Error() string { return p.detail }

func refuse(status int, kind, format string, args ...any) *problem {
	return &problem{status: status, kind: kind, detail: fmt.Sprintf(format, args...)}
}

// later is a refusal that time heals.
func later(status int, kind string, retry time.Duration, detail string) *problem {
	return &problem{status: status, kind: kind, detail: detail, retry: retry}
}

func noSuchThing() *problem {
	return refuse(http.StatusNotFound, "not-found", "there is nothing here by that name")
}

// fail answers with what went wrong. An answer that was begun already is cut
// off: it must not look whole.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	s.log(r, p, err)
	if a, ok := w.(*answer); ok && a.status != 0 {
		panic(http.ErrAbortHandler)
	}
	s.refuse(w, r, p)
}

// refuse answers with a problem: with a page for people, if there are pages and
// they did not ask the API.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	if s.problems == nil || !forPeople(r) {
		p.write(w)
		return
	}
	p.prepare(w)
	if s.problems(w, r, s.visitor(r, p), p.status, p.detail) != nil {
		p.write(w)
	}
}

// forPeople tells a request of a browser for a page. What scripts ask for, and
// what is content with anything, gets what programs read.
func forPeople(r *http.Request) bool {
	if slices.Contains([]string{"/api", "/healthz", "/readyz", "/metrics"}, r.URL.Path) || strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return liking(accept, "text/html") > liking(accept, "application/problem+json")
}

// visitor is who is shown a problem, nil if that is not known. What failed here
// is not asked again.
func (s *Server) visitor(r *http.Request, p *problem) *job.Key {
	if p.status >= http.StatusInternalServerError || p.status == http.StatusTooManyRequests {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.pace.answer)
	defer cancel()
	k, err := s.who(r.WithContext(ctx))
	if err != nil {
		return nil
	}
	return k
}

// problemOf says what an error is to a client. What failed in our own house is
// not told in detail.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, "too-large", "the request is larger than %d bytes", e.Limit)
	}
	switch {
	case noRoom(err):
		return later(http.StatusInsufficientStorage, "no-room", 30*time.Second, "the service has no room left to keep anything; its operator has to make some")
	case errors.Is(err, store.ErrGone):
		return later(http.StatusServiceUnavailable, "unavailable", 5*time.Second, "the database of the service cannot be reached; try again")
	case errors.Is(err, store.ErrNotFound), errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrName):
		return noSuchThing()
	case errors.Is(err, store.ErrConflict):
		return refuse(http.StatusUnprocessableEntity, "idempotency-conflict", "this Idempotency-Key was used for another request; take a new one")
	case errors.Is(err, store.ErrFull):
		return later(http.StatusTooManyRequests, "queue-full", 30*time.Second, "too many jobs of this project are waiting; try again when some have ended")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "too-slow", "the request took too long to arrive")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return later(http.StatusServiceUnavailable, "timeout", 5*time.Second, "this took too long; try again")
	}
	switch e, _ := errors.AsType[*mcpsf.Error](err); mcpsf.ErrorCode(err) {
	case mcpsf.CodeUsage:
		return refuse(http.StatusBadRequest, "bad-request", "%s", e.Message)
	case mcpsf.CodeUnavailable:
		return later(http.StatusServiceUnavailable, "unavailable", 5*time.Second, e.Message)
	}
	return refuse(http.StatusInternalServerError, "internal", "the service failed; its log says why")
}

// noRoom tells whether something cannot be kept because a disk is full.
func noRoom(err error) bool {
	return errors.Is(err, store.ErrNoRoom) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// prepare sets what an answer with the problem has, whatever it is written in.
func (p *problem) prepare(w http.ResponseWriter) {
	// What was said of another answer is not true of this one.
	for _, name := range []string{"Content-Disposition", "Content-Length", "Content-Range", "Accept-Ranges", "Location", "Etag"} {
		w.Header().Del(name)
	}
	secure(w.Header())
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retry.Seconds()))))
	}
	switch p.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="mcpsf"`)
	case http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		w.Header().Set("Connection", "close")
	}
}

func (p *problem) write(w http.ResponseWriter) {
	p.prepare(w)
	_ = writeAs(w, p.status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"urn:mcpsf:problem:" + p.kind, http.StatusText(p.status), p.status, p.detail})
}

// writeJSON answers with a value, written so that a terminal can show it.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	return writeAs(w, status, "application/json", v)
}

func writeAs(w http.ResponseWriter, status int, contentType string, v any) error {
	text, err := safetext.JSON(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err = w.Write(text) //nolint:gosec // JSON, said to be that and nothing else
	return err
}
