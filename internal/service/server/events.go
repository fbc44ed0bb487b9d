package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/report"
	"github.com/mcpsf/mcpsf/internal/service/blob"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// events tells what a job does while it does it, and then what it did.
func (s *Server) events(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	j, err := s.job(r, k)
	if err != nil {
		return err
	}
	seen := sinceOf(r.Header.Get("Last-Event-ID"))
	if seen.ended && seen.Attempt == j.Attempt && j.State.Ended() {
		w.WriteHeader(http.StatusNoContent) // a browser does not ask again then
		return nil
	}
	out, leave, err := s.openStream(w, k)
	if err != nil {
		return err
	}
	defer leave()
	if r.Method == http.MethodHead {
		return nil
	}
	err = s.tell(r.Context(), out, &telling{job: j, seen: seen, key: k})
	if errors.Is(err, errGone) {
		return nil // the client may come back
	}
	return err
}

// openStream begins a stream, if whoever asks may have another one.
func (s *Server) openStream(w http.ResponseWriter, k *job.Key) (out *stream, leave func(), err error) {
	left := s.streams.enter(k.ID)
	if left == nil {
		return nil, nil, later(http.StatusTooManyRequests, "too-many-streams", 5*time.Second, "this key has too many event streams open")
	}
	s.metrics.streams.Inc()
	return newStream(w), func() {
		s.metrics.streams.Dec()
		left()
	}, nil
}

// errGone says that a stream ends before the job does.
var errGone = errors.New("the stream was ended")

// telling is a stream under way: of which job, what the client has seen of it,
// and who it is.
type telling struct {
	job  *job.Job
	seen since
	key  *job.Key
}

func (s *Server) tell(ctx context.Context, out *stream, t *telling) error {
	if err := out.send(stateOf(t.job)); err != nil {
		return gone(err)
	}
	if t.job.State.Ended() {
		return s.replay(ctx, out, t)
	}
	// Alone first, as fast as the client reads: only who is up to date listens
	// together with others.
	if err := s.catchUp(ctx, out, t, nil); err != nil {
		return err
	}
	l := s.hub.join(ctx, t.job, t.seen.Place)
	defer l.leave()
	if changed(t.job, l.job) {
		t.job = l.job
		if err := out.send(stateOf(t.job)); err != nil {
			return gone(err)
		}
	}
	if err := s.catchUp(ctx, out, t, &l.from); err != nil {
		return err
	}
	return s.listen(ctx, out, t, l)
}

// gone marks an error of writing: there is nobody any more to be told of it.
func gone(err error) error { return errors.Join(errGone, err) }

// listen passes on what the hub sends.
func (s *Server) listen(ctx context.Context, out *stream, t *telling, l *listener) error {
	beat := time.NewTicker(s.pace.beat)
	defer beat.Stop()
	for {
		select {
		case m, ok := <-l.queue:
			if !ok {
				return errGone
			}
			if m.place != (store.Place{}) && !after(m.place, t.seen.Place) {
				continue // it was told while catching up
			}
			if err := out.send(m.text); err != nil {
				return gone(err)
			}
			if m.ended {
				return nil
			}
		case <-beat.C:
			if err := s.beat(ctx, out, t.key); err != nil {
				return err
			}
		case <-ctx.Done():
			return errGone
		case <-s.closed:
			return errGone
		}
	}
}

// beat gives a sign of life. A key that was revoked meanwhile opens nothing any
// more.
func (s *Server) beat(ctx context.Context, out *stream, k *job.Key) error {
	asking, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, _, err := s.o.Store.Key(asking, k.ID); errors.Is(err, store.ErrNotFound) {
		return errGone
	}
	if err := out.send(beatText()); err != nil {
		return gone(err)
	}
	return nil
}

func after(a, b store.Place) bool {
	return a.Attempt > b.Attempt || a.Attempt == b.Attempt && a.Part > b.Part
}

// catchUp tells what was told before, up to a place or, if that is nil, to where
// nothing more has been told yet.
func (s *Server) catchUp(ctx context.Context, out *stream, t *telling, upTo *store.Place) error {
	for upTo == nil || after(*upTo, t.seen.Place) {
		told, place, err := s.o.Store.Told(ctx, t.job, t.seen.Place)
		if err != nil {
			return s.broken(ctx, err)
		}
		if len(told) == 0 {
			t.seen.Place = place
			return nil
		}
		for _, m := range partsOf(told, place) {
			if err := s.pass(ctx, out, m.text); err != nil {
				return err
			}
			t.seen.Place = m.place
		}
	}
	return nil
}

// broken ends a stream that cannot go on. The client is told by the end of it.
func (s *Server) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errGone
	}
	return err
}

// pass sends a piece of something long, which ends when we do.
func (s *Server) pass(ctx context.Context, out *stream, text []byte) error {
	select {
	case <-s.closed:
		return errGone
	case <-ctx.Done():
		return errGone
	default:
	}
	if err := out.send(text); err != nil {
		return gone(err)
	}
	return nil
}

// replay tells what a job did that has ended: what it told, for who has heard a
// part of that already, or else the events that were kept.
func (s *Server) replay(ctx context.Context, out *stream, t *telling) error {
	heard, err := s.hasHeard(ctx, t)
	if err != nil {
		return s.broken(ctx, err)
	}
	if !heard {
		line := int64(0)
		if t.seen.Attempt == t.job.Attempt {
			line = t.seen.line
		}
		kept, err := s.replayFile(ctx, out, t.job, line)
		if err != nil {
			return err
		}
		t.seen.Place = store.Place{Attempt: t.job.Attempt}
		heard = !kept
	}
	if heard {
		if err := s.catchUp(ctx, out, t, nil); err != nil {
			return err
		}
	}
	return s.pass(ctx, out, endOf(t.job))
}

// hasHeard tells whether the client was told by the job itself, and what it was
// told last is still there.
func (s *Server) hasHeard(ctx context.Context, t *telling) (bool, error) {
	if t.seen.Attempt != t.job.Attempt || t.seen.Part == 0 {
		return false, nil
	}
	before := t.seen.Place
	before.Part--
	told, _, err := s.o.Store.Told(ctx, t.job, before)
	return len(told) > 0, err
}

// replayFile tells the events of a job that were kept, beginning after a line.
// It returns false if there are none.
func (s *Server) replayFile(ctx context.Context, out *stream, j *job.Job, line int64) (bool, error) {
	f, err := s.open(ctx, j, report.EventsName)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, s.broken(ctx, err)
	}
	defer f.Close()
	var text bytes.Buffer
	err = trace.Read(f, func(e mcpsf.Event) error {
		if e.Seq <= line {
			return nil
		}
		text.Write(eventText("event", compact(e), fmt.Sprintf("%d.e%d", j.Attempt, e.Seq)))
		if text.Len() < piece {
			return nil
		}
		defer text.Reset()
		return s.pass(ctx, out, text.Bytes())
	})
	if err != nil {
		return true, err
	}
	return true, s.pass(ctx, out, text.Bytes())
}

// piece is how much is sent at once of what is all there.
const piece = 32 << 10
