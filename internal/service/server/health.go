package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// health answers the probes of load balancers and orchestrators.
type health struct {
	store  *store.Store
	files  blob.Store
	logger *slog.Logger
	closed <-chan struct{}
	now    func() time.Time
	last   readiness
}

type status struct {
	Status string `json:"status"`
}

// live says that the process answers; it checks no dependencies.
func (h *health) live(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	return writeJSON(w, http.StatusOK, status{"ok"})
}

// ready says whether requests can be answered. It needs no key, so the result is
// cached: probing must not load the database.
func (h *health) ready(w http.ResponseWriter, r *http.Request, _ *job.Key) error {
	select {
	case <-h.closed:
		return retryLater(http.StatusServiceUnavailable, "closing", 5*time.Second, "the service is shutting down")
	default:
	}
	err := h.last.get(h.now, func() error { return h.check(r.Context()) })
	switch {
	case isDiskFull(err):
		return retryLater(http.StatusServiceUnavailable, "no-room", 5*time.Second, "no disk space left for the database or files")
	case err != nil:
		return retryLater(http.StatusServiceUnavailable, "unavailable", 5*time.Second, "the database or the files cannot be reached")
	}
	return writeJSON(w, http.StatusOK, status{"ready"})
}

// check tests that the database, the files and the temporary directory can be
// written: a server that cannot take submissions is of no use. It goes on when
// the client goes away, because others wait for the same result.
func (h *health) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := h.store.Ready(ctx)
	if err == nil {
		err = h.files.Ready(ctx)
	}
	if err == nil {
		err = canUpload()
	}
	if err != nil {
		h.logger.WarnContext(ctx, "not ready", slog.Any("error", err))
	}
	return err
}

// canUpload tests that there is room for a small archive.
func canUpload() error {
	f, err := createUnnamed()
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10))
	return errors.Join(err, f.Close())
}

// readiness is the last result of a check.
type readiness struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// get returns a result that is at most a second old. Callers that come during a
// check wait for its result.
func (r *readiness) get(now func() time.Time, check func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() || now().Sub(r.at) >= time.Second {
		r.err = check()
		r.at = now()
	}
	return r.err
}
