package server

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/pause"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	// maxBehind is how many messages a listener may be behind. A slower one is
	// cut off; it may reconnect and resume.
	maxBehind = 256
	// busyPoll is the pause while there is more to read.
	busyPoll = 50 * time.Millisecond
	// maxPause is the longest pause while the database is gone.
	maxPause = 3 * time.Second
	// maxFailures is how often in a row reading a job may fail.
	maxFailures = 20
)

// hub polls jobs for all event streams: each job by one goroutine, however many
// streams there are, and not at all if there is none.
type hub struct {
	store    *store.Store
	logger   *slog.Logger
	timeouts *timeouts

	mu      sync.Mutex
	watched map[string]*watch
}

func newHub(s *store.Store, logger *slog.Logger, t *timeouts) *hub {
	return &hub{store: s, logger: logger, timeouts: t, watched: map[string]*watch{}}
}

// watch is a job that is polled. The hub's lock guards all of it.
type watch struct {
	// job is as it was read last, place what was read of its live events.
	job       *job.Job
	place     store.Place
	listeners map[*listener]bool
	cancel    context.CancelFunc
	done      chan struct{}
}

// message is something to send to the clients.
type message struct {
	// place is the position after it; zero if it is not one of the job's events.
	place store.Place
	text  []byte
	// ended is set for the last one.
	ended bool
}

// listener is one event stream.
type listener struct {
	hub   *hub
	watch *watch
	// queue is closed if the listener is too slow, or there will be nothing more.
	queue chan message
	// job and from are the state of the watch when the listener joined: what is
	// in the queue comes after.
	job  *job.Job
	from store.Place
}

// join adds a listener to a job. If nobody watches the job yet, the watch starts
// at the listener's place.
func (h *hub) join(ctx context.Context, j *job.Job, place store.Place) *listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.watched[j.ID]
	if w == nil {
		// It must outlive the request that started it: others may join.
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		w = &watch{job: j, place: place, listeners: map[*listener]bool{}, cancel: cancel, done: make(chan struct{})}
		h.watched[j.ID] = w
		go h.follow(ctx, w)
	}
	l := &listener{hub: h, watch: w, queue: make(chan message, maxBehind), job: w.job, from: w.place}
	w.listeners[l] = true
	return l
}

// leave removes the listener. The last one waits for the watch to end.
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

// forget ends a watch. A later listener begins another.
func (h *hub) forget(w *watch) {
	w.cancel()
	if h.watched[w.job.ID] == w {
		delete(h.watched, w.job.ID)
	}
}

// follow polls a job until it has ended or nobody listens.
func (h *hub) follow(ctx context.Context, w *watch) {
	defer close(w.done)
	failed, gone := 0, 0 // in a row
	for {
		wait, ended, err := h.poll(ctx, w)
		switch {
		case err == nil:
			failed, gone = 0, 0
		case ctx.Err() != nil:
			return
		default:
			h.logger.WarnContext(ctx, "cannot read a job", slog.String("job", w.job.ID), slog.Any("error", err))
			if errors.Is(err, store.ErrGone) {
				gone++ // streams stay open, also if another failure follows
			} else {
				failed++
			}
			ended = errors.Is(err, store.ErrNotFound) || failed >= maxFailures
			wait = min(time.Duration(failed+gone)*wait, maxPause)
		}
		if ended {
			h.end(w)
			return
		}
		if pause.For(ctx, wait) != nil {
			return
		}
	}
}

// end cuts off all listeners.
func (h *hub) end(w *watch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range w.listeners {
		w.drop(l)
	}
	h.forget(w)
}

// poll sends what is new. When a job has ended and all its live events were
// read, that is the end of the stream.
func (h *hub) poll(ctx context.Context, w *watch) (wait time.Duration, ended bool, err error) {
	j, err := h.store.Job(ctx, w.job.Project, w.job.ID)
	if err != nil {
		return h.timeouts.poll, false, err
	}
	told, place, err := h.store.Told(ctx, j, w.place)
	if err != nil {
		return h.timeouts.poll, false, err
	}
	messages := messagesOf(told, place)
	ended = j.State.Ended() && len(told) == 0
	if j.State.Ended() && !ended {
		j = w.job // the end is sent after all events
	}
	if changed(w.job, j) {
		messages = append([]message{{text: stateEvent(j)}}, messages...)
	}
	if ended {
		messages = append(messages, message{text: endEvent(j), ended: true})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	w.job, w.place = j, place
	for _, m := range messages {
		w.send(m)
	}
	if len(told) > 0 {
		return busyPoll, ended, nil
	}
	return h.timeouts.poll, ended, nil
}

// changed tells whether clients should get a new state event.
func changed(old, now *job.Job) bool {
	return old.State != now.State || old.Attempt != now.Attempt || old.Cancelling != now.Cancelling
}

// messagesOf makes messages of a job's live events. The parts are numbered
// without gaps, and place is that of the last.
func messagesOf(told [][]byte, place store.Place) []message {
	var messages []message
	for i, lines := range told {
		at := store.Place{Attempt: place.Attempt, Part: place.Part - int64(len(told)-1-i)}
		messages = append(messages, message{place: at, text: progressEvents(lines, at)})
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
