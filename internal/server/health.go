package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/blob"
	"github.com/mcpsf/mcpsf/internal/job"
)

// healthy says that the process answers, and nothing of what it needs.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request, _ *job.Key) error {
	return writeJSON(w, http.StatusOK, status{"ok"})
}

type status struct {
	Status string `json:"status"`
}

// isReady says whether requests can be answered. Anybody may ask, so the database
// is not asked each time.
func (s *Server) isReady(w http.ResponseWriter, r *http.Request, _ *job.Key) error {
	select {
	case <-s.closed:
		return later(http.StatusServiceUnavailable, "closing", 5*time.Second, "the service is being ended")
	default:
	}
	if err := s.ready.get(s.o.Now(), func() error { return s.looks(r.Context()) }); err != nil {
		return later(http.StatusServiceUnavailable, "unavailable", 5*time.Second, "the database or the files cannot be reached")
	}
	return writeJSON(w, http.StatusOK, status{"ready"})
}

// looks asks the database and the files. Who asks may go away; that is no
// answer for the others.
func (s *Server) looks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := s.o.Store.Ping(ctx)
	if err == nil {
		f, failed := s.o.Files.Open(ctx, "uploads/none")
		if failed == nil {
			_ = f.Close()
		} else if !errors.Is(failed, blob.ErrNotFound) {
			err = failed
		}
	}
	if err != nil {
		s.o.Logger.WarnContext(ctx, "the service is not ready", slog.Any("error", err))
	}
	return err
}

// readiness is what was found out last.
type readiness struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

func (r *readiness) get(now time.Time, look func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() || now.Sub(r.at) >= time.Second {
		r.at, r.err = now, look()
	}
	return r.err
}
