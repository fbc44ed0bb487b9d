package server

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// Streams opens event streams within the limits of each key, and keeps them
// alive.
type Streams struct {
	store *store.Store
	// open counts the streams of each key.
	open     *openCounts
	metrics  *metrics
	timeouts *timeouts
	closed   <-chan struct{}
}

// begin opens a stream, if the key may have another one.
func (ss *Streams) begin(w http.ResponseWriter, k *job.Key) (out *stream, leave func(), err error) {
	left := ss.open.enter(k.ID)
	if left == nil {
		return nil, nil, retryLater(http.StatusTooManyRequests, "too-many-streams", 5*time.Second, "this key has too many event streams open")
	}
	ss.metrics.streams.Inc()
	return newStream(w), func() {
		ss.metrics.streams.Dec()
		left()
	}, nil
}

// heartbeat sends a comment line. A stream whose key was revoked ends.
func (ss *Streams) heartbeat(ctx context.Context, out *stream, k *job.Key) error {
	asking, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, _, err := ss.store.Key(asking, k.ID); errors.Is(err, store.ErrNotFound) {
		return errStreamEnded
	}
	if err := out.send(heartbeatText()); err != nil {
		return writeFailed(err)
	}
	return nil
}

// Poll streams what look returns as events of one name: at once, and whenever it
// has changed, until the client or its key is gone or the server shuts down.
func (ss *Streams) Poll(w http.ResponseWriter, r *http.Request, k *job.Key, name string, every time.Duration, look func(context.Context) ([]byte, error)) error {
	out, leave, err := ss.begin(w, k)
	if err != nil {
		return err
	}
	defer leave()
	if r.Method == http.MethodHead {
		return nil
	}
	poll, heartbeat := time.NewTicker(every), time.NewTicker(ss.timeouts.heartbeat)
	defer poll.Stop()
	defer heartbeat.Stop()
	var last []byte
	for {
		now, err := look(r.Context())
		if err == nil && !bytes.Equal(now, last) {
			err = out.send(eventText(name, now, ""))
			last = now
		}
		if err != nil && !errors.Is(err, store.ErrGone) { // the database may come back
			return nil // the stream ends, and the client reconnects
		}
		select {
		case <-poll.C:
		case <-heartbeat.C:
			if ss.heartbeat(r.Context(), out, k) != nil {
				return nil
			}
		case <-r.Context().Done():
			return nil
		case <-ss.closed:
			return nil
		}
	}
}
