package transport

import (
	"context"
	"net/http"
	"syscall"
	"time"
)

// glance is how often we check whether the last requests have ended.
const glance = 10 * time.Millisecond

// watch detects that no more answers can come. A request in flight when the
// process ends may still hold the last answer.
func (w *HTTP) watch() {
	defer close(w.lost)
	select {
	case w.reason = <-w.fail:
		return
	case <-w.tap.Full():
		w.reason = "the server was stopped: it wrote " + w.tap.why
		return
	case <-w.quit:
		return
	case <-w.proc.Done():
		w.reason = "the server ended"
	}
	end := time.Now().Add(w.opts.StopGrace)
	for w.flights.any() && time.Now().Before(end) {
		w.await(nil, glance)
	}
}

// Stop implements [Link]: it ends the session, and the process if there is
// one.
func (w *HTTP) Stop(ctx context.Context) (closed, ending string) {
	deserted := Closed(w.lost)
	closed, ending = w.end(ctx, Closed(w.proc.Done()), []step{
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

// leave sends the queued messages and ends the session, if the server has one.
func (w *HTTP) leave(ctx context.Context) {
	last := mark()
	if w.Send(last) == nil {
		w.await(last.Written, w.opts.StopGrace)
	}
	w.leaves.close()
	if w.at.session() == "" || Closed(w.lost) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.opts.StopGrace)
	defer cancel()
	resp, err := w.at.do(ctx, http.MethodDelete, w.at.messages(), http.Header{}, nil, func(int64, int64) {})
	if err != nil {
		w.opts.Logger.Debug("ending the session", "error", err)
		return
	}
	closeBody(resp)
}

// close cancels everything in flight.
func (w *HTTP) close() {
	w.leaves.close()
	close(w.quit)
	w.cancel()
	if err := w.proc.Stdin().Close(); err != nil {
		w.opts.Logger.Debug("closing the server's input", "error", err)
	}
}
