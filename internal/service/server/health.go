package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
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
	err := s.ready.get(s.o.Now, func() error { return s.looks(r.Context()) })
	switch {
	case noRoom(err):
		return later(http.StatusServiceUnavailable, "no-room", 5*time.Second, "there is no room left for the database or files")
	case err != nil:
		return later(http.StatusServiceUnavailable, "unavailable", 5*time.Second, "the database or the files cannot be reached")
	}
	return writeJSON(w, http.StatusOK, status{"ready"})
}

// looks asks the database and the files, and whether both can be written: one
// that cannot take a submission is of no use. Who asks may go away; that is no
// answer for the others.
func (s *Server) looks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := s.o.Store.Ready(ctx)
	if err == nil {
		err = s.o.Files.Ready(ctx)
	}
	if err == nil {
		err = canReceive()
	}
	if err != nil {
		s.o.Logger.WarnContext(ctx, "the service is not ready", slog.Any("error", err))
	}
	return err
}

// canReceive tells whether there is room for an archive to come in, however
// small.
func canReceive() error {
	f, err := receive()
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10))
	return errors.Join(err, f.Close())
}

// readiness is what was found out last.
type readiness struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// get looks if nobody has lately. Who asks while somebody looks is told what
// that one finds: it may take its time.
func (r *readiness) get(now func() time.Time, look func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() || now().Sub(r.at) >= time.Second {
		r.err = look()
		r.at = now()
	}
	return r.err
}
