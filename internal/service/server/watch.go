package server

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

const (
	// maxBehind is how many messages a listener may be behind. Who is slower is
	// cut off, and may come back and go on from where it was.
	maxBehind = 256
	// hurry is the pause while there is more to read.
	hurry = 50 * time.Millisecond
	// longest is the pause while the database is gone.
	longest = 3 * time.Second
	// maxFailures is how often in a row a job may fail to be read.
	maxFailures = 20
)

// hub watches jobs for all who listen: each job is looked at by one, however
// many there are, and by nobody if there is none.
type hub struct {
	store  *store.Store
	logger *slog.Logger
	pace   *pace

	mu      sync.Mutex
	watched map[string]*watch
}

func newHub(s *store.Store, logger *slog.Logger, p *pace) *hub {
	return &hub{store: s, logger: logger, pace: p, watched: map[string]*watch{}}
}

// watch is a job that is watched. The hub's lock is for all of it.
type watch struct {
	// job is as it was seen last, place what was read of what it told.
	job       *job.Job
	place     store.Place
	listeners map[*listener]bool
	cancel    context.CancelFunc
	done      chan struct{}
}

// message is something that listeners are sent.
type message struct {
	// place is what it tells up to; 0 for what is not told by the job itself.
	place store.Place
	text  []byte
	// ended is set for the last one.
	ended bool
}

// listener is one of those who listen.
type listener struct {
	hub   *hub
	watch *watch
	// queue is closed if the listener is too slow, or nothing more will come.
	queue chan message
	// job and from are what the watch knew when the listener came: what is in
	// the queue comes after.
	job  *job.Job
	from store.Place
}

// join begins to listen to a job. A watch that is begun for it starts from the
// listener's own place.
func (h *hub) join(ctx context.Context, j *job.Job, place store.Place) *listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.watched[j.ID]
	if w == nil {
		// It goes on for others when the one who began it has gone.
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		w = &watch{job: j, place: place, listeners: map[*listener]bool{}, cancel: cancel, done: make(chan struct{})}
		h.watched[j.ID] = w
		go h.follow(ctx, w)
	}
	l := &listener{hub: h, watch: w, queue: make(chan message, maxBehind), job: w.job, from: w.place}
	w.listeners[l] = true
	return l
}

// leave ends listening. The last one to leave waits for the watch to end.
func (l *listener) leave() {
	h, w := l.hub, l.watch
	h.mu.Lock()
	delete(w.listeners, l)
	last := len(w.listeners) == 0
	if last {
		h.forget(w)
	}
	h.mu.Unlock()
	if last {
		<-w.done
	}
}

// forget ends a watch. Who comes later begins another.
func (h *hub) forget(w *watch) {
	w.cancel()
	if h.watched[w.job.ID] == w {
		delete(h.watched, w.job.ID)
	}
}

// follow looks at a job until it has ended or nobody listens.
func (h *hub) follow(ctx context.Context, w *watch) {
	defer close(w.done)
	failed := 0
	for {
		pause, ended, err := h.look(ctx, w)
		switch {
		case err == nil:
			failed = 0
		case ctx.Err() != nil:
			return
		default:
			h.logger.WarnContext(ctx, "cannot look at a job", slog.String("job", w.job.ID), slog.Any("error", err))
			failed++
			// Who listens while the database is gone need not come back.
			ended = errors.Is(err, store.ErrNotFound) || failed >= maxFailures && !errors.Is(err, store.ErrGone)
			pause = min(time.Duration(failed)*pause, longest)
		}
		if ended {
			h.end(w)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// end sends everybody away.
func (h *hub) end(w *watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range w.listeners {
		w.drop(l)
	}
	h.forget(w)
}

// look passes on what is new. A job that has ended tells nothing more: once all
// was read that came before, that is the end.
func (h *hub) look(ctx context.Context, w *watch) (pause time.Duration, ended bool, err error) {
	j, err := h.store.Job(ctx, w.job.Project, w.job.ID)
	if err != nil {
		return h.pace.poll, false, err
	}
	told, place, err := h.store.Told(ctx, j, w.place)
	if err != nil {
		return h.pace.poll, false, err
	}
	messages := partsOf(told, place)
	ended = j.State.Ended() && len(told) == 0
	if j.State.Ended() && !ended {
		j = w.job // not before everything was told that came first
	}
	if changed(w.job, j) {
		messages = append([]message{{text: stateOf(j)}}, messages...)
	}
	if ended {
		messages = append(messages, message{text: endOf(j), ended: true})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	w.job, w.place = j, place
	for _, m := range messages {
		w.send(m)
	}
	if len(told) > 0 {
		return hurry, ended, nil
	}
	return h.pace.poll, ended, nil
}

// changed tells whether listeners should hear of it.
func changed(old, now *job.Job) bool {
	return old.State != now.State || old.Attempt != now.Attempt || old.Cancelling != now.Cancelling
}

// partsOf makes messages of what a job told. The parts are numbered without
// gaps, and place is that of the last.
func partsOf(told [][]byte, place store.Place) []message {
	var messages []message
	for i, lines := range told {
		at := store.Place{Attempt: place.Attempt, Part: place.Part - int64(len(told)-1-i)}
		messages = append(messages, message{place: at, text: toldText(lines, at)})
	}
	return messages
}

func (w *watch) send(m message) {
	for l := range w.listeners {
		select {
		case l.queue <- m:
		default:
			w.drop(l)
		}
	}
}

// drop cuts a listener off.
func (w *watch) drop(l *listener) {
	delete(w.listeners, l)
	close(l.queue)
}
