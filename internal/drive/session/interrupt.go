package session

import (
	"context"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

const (
	// underway is how long a call runs before it is cancelled.
	underway = 100 * time.Millisecond
	// hearsUntil is how long the server is watched after the cancellation.
	hearsUntil = time.Second
)

// interrupt repeats a slow call and cancels it. A server may ignore that; one
// that crashes or hangs because of it is found here.
func (e *enumeration) interrupt(ctx context.Context) error {
	i := slices.IndexFunc(e.out.Tools, func(t mcpsf.Tool) bool { return e.tools.slow[definition(&t)] && e.tools.callable(&t) })
	if i < 0 || e.opts.Inputs.Rounds <= 1 {
		return nil
	}
	r, err := e.tools.request(i, 0)
	if err != nil {
		return err
	}
	r.note = "was called off"
	if resume := e.opts.Earlier.Resume; !resume.begin("interrupt") || resume.leavesOut(&r) {
		return nil
	}
	x, out, err := e.requests.open(r)
	if err != nil {
		return err
	}
	if err := e.requests.link.Send(out); err != nil {
		return e.requests.record(x, r, mcpsf.CallTimeout, err.Error(), errGone)
	}
	if err := e.waiter.stay(ctx, underway); err != nil {
		return e.requests.record(x, r, mcpsf.CallCrashed, e.requests.whyGone(), err)
	}
	e.requests.cancel(out, "no longer needed")
	late, stop := e.opts.Timing.Clock.After(hearsUntil)
	defer stop()
	select {
	case a := <-x.answer:
		_, err = e.requests.judge(x, r, a)
	case <-late:
		x.forget()
		err = e.requests.record(x, r, mcpsf.CallTimeout, "", nil)
	case <-ctx.Done():
		err = e.requests.record(x, r, mcpsf.CallTimeout, "the run was over", ctx.Err())
	case <-e.requests.link.Gone():
		err = e.requests.record(x, r, mcpsf.CallCrashed, e.requests.link.Why(), errGone)
	}
	if err != nil || !e.requests.hasSessions() {
		return err
	}
	return e.requests.use(ctx, protocol.MethodPing, map[string]any{}, madeByUs())
}

// whyGone returns why the server has ended, if it has.
func (q *requester) whyGone() string {
	if transport.Closed(q.link.Gone()) {
		return q.link.Why()
	}
	return "the run was over"
}
