package session

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
)

var errStreamEnd = errors.New("the stream ended before the answer")

// watch finds out when no answer can come any more. What is under way when
// the process ends may have its last words in it.
func (w *web) watch() {
	defer close(w.lost)
	select {
	case w.reason = <-w.fail:
		return
	case <-w.tap.full:
		w.reason = "the server was stopped: it wrote " + w.tap.why
		return
	case <-w.quit:
		return
	case <-w.proc.Done():
		w.reason = "the server ended"
	}
	end := time.Now().Add(w.opts.StopGrace)
	for w.flying() && time.Now().Before(end) {
		w.await(nil, glance/10)
	}
}

func (w *web) flying() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.flights) > 0
}

// stop says goodbye, ends the process if there is one, and waits for every
// goroutine of the link.
func (w *web) stop(ctx context.Context) (closed, ending string) {
	deserted := isClosed(w.lost)
	closed, ending = w.end(ctx, isClosed(w.proc.Done()), []step{
		{func() { w.leave(ctx); w.signal(ctx, syscall.SIGTERM) }, closedOrderly, ""},
		{func() { w.signal(ctx, syscall.SIGKILL) }, closedKilled, "the server ignored SIGTERM"},
	})
	w.close()
	w.drain(ctx)
	w.others.Wait()
	switch {
	case w.tap.reached():
		return closedLimit, "the server wrote " + w.tap.why
	case closed == closedOrderly && deserted:
		return closedCrashed, w.reason
	}
	return closed, ending
}

// leave lets what is queued go and ends the session, as far as the server
// minds.
func (w *web) leave(ctx context.Context) {
	mark := &outbound{written: make(chan struct{})}
	if w.send(mark) == nil {
		w.await(mark.written, w.opts.StopGrace)
	}
	w.tellClose()
	w.mu.Lock()
	id, address := w.id, w.address
	w.mu.Unlock()
	if id == "" || isClosed(w.lost) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.opts.StopGrace)
	defer cancel()
	resp, err := w.do(ctx, http.MethodDelete, address, http.Header{}, nil, func(int64, int64) {})
	if err != nil {
		w.opts.Logger.Debug("ending the session", "error", err)
		return
	}
	closeBody(resp)
}

func (w *web) tellClose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut {
		return
	}
	w.shut = true
	w.tap.observe(mcpsf.Message{
		Stream: mcpsf.Stdin, Offset: w.sent, Kind: mcpsf.MessageClose, Phase: mcpsf.PhaseStop,
	})
}

// close ends everything that is under way.
func (w *web) close() {
	w.tellClose()
	close(w.quit)
	w.cancel()
	if err := w.proc.Stdin().Close(); err != nil {
		w.opts.Logger.Debug("closing the server's input", "error", err)
	}
}
