package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// Events streams what jobs do while they run, and replays it afterwards.
type Events struct {
	store     *store.Store
	jobs      *Jobs
	artifacts *Artifacts
	streams   *Streams
	hub       *hub
	timeouts  *timeouts
	closed    <-chan struct{}
}

// Serve answers with the event stream of the job in the path of a request.
func (es *Events) Serve(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := es.jobs.named(r, k)
	if err != nil {
		return err
	}
	seen := sinceOf(r.Header.Get("Last-Event-ID"))
	if seen.ended && seen.Attempt == j.Attempt && j.State.Ended() {
		w.WriteHeader(http.StatusNoContent) // tells a browser not to reconnect
		return nil
	}
	out, leave, err := es.streams.begin(w, k)
	if err != nil {
		return err
	}
	defer leave()
	if r.Method == http.MethodHead {
		return nil
	}
	err = (&subscription{Events: es, out: out, job: j, seen: seen, key: k}).run(r.Context())
	if errors.Is(err, errStreamEnded) {
		return nil // the client may reconnect
	}
	return err
}

// errStreamEnded says that a stream ends before the job does.
var errStreamEnded = errors.New("the stream ended")

// writeFailed marks an error of writing: the client is gone.
func writeFailed(err error) error { return errors.Join(errStreamEnded, err) }

// subscription is one client's stream of one job.
type subscription struct {
	*Events

	out *stream
	job *job.Job
	// seen is what the client got so far.
	seen since
	key  *job.Key
}

func (s *subscription) run(ctx context.Context) error {
	if err := s.out.send(stateEvent(s.job)); err != nil {
		return writeFailed(err)
	}
	if s.job.State.Ended() {
		return s.replay(ctx)
	}
	// First from the store, as fast as the client reads: only a client that is
	// up to date joins the hub, which cuts off slow ones.
	if err := s.catchUp(ctx, nil); err != nil {
		return err
	}
	l := s.hub.join(ctx, s.job, s.seen.Place)
	defer l.leave()
	if changed(s.job, l.job) {
		s.job = l.job
		if err := s.out.send(stateEvent(s.job)); err != nil {
			return writeFailed(err)
		}
	}
	if err := s.catchUp(ctx, &l.from); err != nil {
		return err
	}
	return s.follow(ctx, l)
}

// follow sends what the hub sends.
func (s *subscription) follow(ctx context.Context, l *listener) error {
	heartbeat := time.NewTicker(s.timeouts.heartbeat)
	defer heartbeat.Stop()
	for {
		select {
		case m, ok := <-l.queue:
			if !ok {
				return errStreamEnded
			}
			if m.place != (store.Place{}) && !after(m.place, s.seen.Place) {
				continue // it was sent while catching up
			}
			if err := s.out.send(m.text); err != nil {
				return writeFailed(err)
			}
			if m.ended {
				return nil
			}
		case <-heartbeat.C:
			if err := s.streams.heartbeat(ctx, s.out, s.key); err != nil {
				return err
			}
		case <-ctx.Done():
			return errStreamEnded
		case <-s.closed:
			return errStreamEnded
		}
	}
}

func after(a, b store.Place) bool {
	return a.Attempt > b.Attempt || a.Attempt == b.Attempt && a.Part > b.Part
}

// catchUp sends what the store has, up to a place or, if that is nil, up to the
// end.
func (s *subscription) catchUp(ctx context.Context, upTo *store.Place) error {
	for upTo == nil || after(*upTo, s.seen.Place) {
		told, place, err := s.store.Told(ctx, s.job, s.seen.Place)
		if errors.Is(err, store.ErrGone) {
			if err := s.waitForDatabase(ctx); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return orEnded(ctx, err)
		}
		if len(told) == 0 {
			s.seen.Place = place
			return nil
		}
		for _, m := range messagesOf(told, place) {
			if err := s.send(ctx, m.text); err != nil {
				return err
			}
			s.seen.Place = m.place
		}
	}
	return nil
}

// waitForDatabase waits a moment, and tells the client that the stream is alive: a
// stream stays open while the database is gone, also one that is still catching up.
func (s *subscription) waitForDatabase(ctx context.Context) error {
	select {
	case <-s.closed:
		return errStreamEnded
	case <-time.After(s.timeouts.poll):
	case <-ctx.Done():
		return errStreamEnded
	}
	return s.send(ctx, heartbeatText())
}

// orEnded is the error, unless the client is gone.
func orEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errStreamEnded
	}
	return err
}

// send sends a piece of a long history, unless the server shuts down or the
// client is gone.
func (s *subscription) send(ctx context.Context, text []byte) error {
	select {
	case <-s.closed:
		return errStreamEnded
	case <-ctx.Done():
		return errStreamEnded
	default:
	}
	if err := s.out.send(text); err != nil {
		return writeFailed(err)
	}
	return nil
}
