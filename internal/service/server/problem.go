package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// problem is an error answer in the format of RFC 9457.
type problem struct {
	status int
	// kind is for programs, detail tells people what to do.
	kind, detail string
	// retry is when to try again, 0 if that is of no use.
	retry time.Duration
}

func (p *problem) Error() string { return p.detail }

func refuse(status int, kind, format string, args ...any) *problem {
	return &problem{status: status, kind: kind, detail: fmt.Sprintf(format, args...)}
}

// retryLater is a refusal with a Retry-After header.
func retryLater(status int, kind string, retry time.Duration, detail string) *problem {
	return &problem{status: status, kind: kind, detail: detail, retry: retry}
}

func badRequest(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, "bad-request", format, args...)
}

func notFound() *problem {
	return refuse(http.StatusNotFound, "not-found", "no such page, job, key or file in this project")
}

func internalError() *problem {
	return refuse(http.StatusInternalServerError, "internal", "internal error; see the log of the service")
}

// problemOf turns an error into an answer. Details of our own failures are only
// logged.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, "too-large", "the request is larger than %d bytes", e.Limit)
	}
	switch {
	case isDiskFull(err):
		return retryLater(http.StatusInsufficientStorage, "no-room", 30*time.Second, "the service is out of disk space; its operator has to free some")
	case errors.Is(err, store.ErrGone):
		return retryLater(http.StatusServiceUnavailable, "unavailable", 5*time.Second, "the service cannot reach its database; try again")
	case errors.Is(err, store.ErrNotFound), errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrName):
		return notFound()
	case errors.Is(err, store.ErrConflict):
		return refuse(http.StatusUnprocessableEntity, "idempotency-conflict", "this Idempotency-Key was used for a different request; use a new one")
	case errors.Is(err, store.ErrFull):
		return retryLater(http.StatusTooManyRequests, "queue-full", 30*time.Second, "the queue of this project is full; try again when some jobs have finished")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "too-slow", "the request took too long to arrive")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return retryLater(http.StatusServiceUnavailable, "timeout", 5*time.Second, "the request timed out; try again")
	}
	switch e, _ := errors.AsType[*mcpsf.Error](err); mcpsf.ErrorCode(err) {
	case mcpsf.CodeUsage:
		return refuse(http.StatusBadRequest, "bad-request", "%s", e.Message)
	case mcpsf.CodeUnavailable:
		return retryLater(http.StatusServiceUnavailable, "unavailable", 5*time.Second, e.Message)
	}
	return internalError()
}

// isDiskFull tells whether something cannot be stored because a disk is full.
func isDiskFull(err error) bool {
	return errors.Is(err, store.ErrNoRoom) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// prepare sets the headers of an error answer, whatever its format.
func (p *problem) prepare(w http.ResponseWriter) {
	// Headers of the answer that was begun do not describe this one.
	for _, name := range []string{"Content-Disposition", "Content-Length", "Content-Range", "Accept-Ranges", "Location", "Etag"} {
		w.Header().Del(name)
	}
	setSecurityHeaders(w.Header())
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
