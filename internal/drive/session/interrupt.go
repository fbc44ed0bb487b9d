package session

import (
	"context"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
)

const (
	// underway is how long a call is let go on before it is called off.
	underway = 100 * time.Millisecond
	// hearsUntil is how long is watched what the server makes of that.
	hearsUntil = time.Second
)

// interrupt makes a call that takes long once more and calls it off. A server
// need not mind; one that ends or hangs over it shows that now.
func (s *session) interrupt(ctx context.Context) error {
	i := slices.IndexFunc(s.out.Tools, func(t mcpsf.Tool) bool { return s.slow[t.Name] && s.callable(&t) })
	if i < 0 || s.opts.Rounds <= 1 {
		return nil
	}
	r, err := s.toolRequest(i, 0)
	if err != nil {
		return err
	}
	r.note = "was called off"
	x, out, err := s.open(r)
	if err != nil {
		return err
	}
	if err := s.link.send(out); err != nil {
		return s.record(x, r, mcpsf.CallTimeout, err.Error(), errGone)
	}
	if err := s.stay(ctx, underway); err != nil {
		return s.record(x, r, mcpsf.CallCrashed, s.lastWords(), err)
	}
	s.callOff(out, "no longer needed")
	late, stop := s.opts.Clock.After(hearsUntil)
	defer stop()
	select {
	case a := <-x.answer:
		_, err = s.judge(x, r, a)
	case <-late:
		s.forget(x)
		err = s.record(x, r, mcpsf.CallTimeout, "", nil)
	case <-ctx.Done():
		err = s.record(x, r, mcpsf.CallTimeout, "the run was over", ctx.Err())
	case <-s.link.gone():
		err = s.record(x, r, mcpsf.CallCrashed, s.link.why(), errGone)
	}
	if err != nil || !s.hasSessions() {
		return err
	}
	return s.use(ctx, methodPing, map[string]any{})
}

// forget has an answer that still comes mean nothing.
func (s *session) forget(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.state == waiting {
		x.state = calledOff
	}
}

// lastWords is why the server is gone, if it is.
func (s *session) lastWords() string {
	if isClosed(s.link.gone()) {
		return s.link.why()
	}
	return "the run was over"
}
