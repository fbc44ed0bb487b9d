package session

import (
	"context"
	"errors"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
)

const (
	// answerTime is how long the answer to an odd message is waited for before
	// a sign of life is asked for. Many are never answered, and need not be.
	answerTime = 150 * time.Millisecond
	// earlyTime is the same before initialize, when nothing else tells that the
	// message was read.
	earlyTime = 500 * time.Millisecond
)

// Barrage is a row of odd messages, and after [Drive] what came of them.
type Barrage struct {
	Messages []fuzz.Message
	// Limit is how long a sign of life is waited for, and Until when to end.
	Limit time.Duration
	Until time.Time

	// Tries are what came of the messages that were sent, in their order.
	Tries []Try
	// Deaf is set if the server gave no sign of life before the first message.
	Deaf bool
}

// Try is what came of one message.
type Try struct {
	// Call is how the trace calls it.
	Call    string
	Outcome Outcome
	// Waited is how long a sign of life took, or was waited for.
	Waited time.Duration
}

// Outcome is what came of a message.
type Outcome string

// The outcomes. All but the last two are in order.
const (
	Answered Outcome = "answered"
	Refused  Outcome = "refused"
	Ignored  Outcome = "ignored"
	Ended    Outcome = "ended"
	Hung     Outcome = "hung"
)

// Disruption tells whether the server was not itself afterwards.
func (o Outcome) Disruption() bool { return o == Ended || o == Hung }

// Last is what came of the message that was sent last, nil if none was.
func (b *Barrage) Last() *Try {
	if len(b.Tries) == 0 {
		return nil
	}
	return &b.Tries[len(b.Tries)-1]
}

// bombard sends the messages one after another and asks after each whether the
// server is still there. The first that it does not get over ends it.
func (s *session) bombard(ctx context.Context, b *Barrage) error {
	rest := b.Messages
	for len(rest) > 0 && rest[0].Early {
		if err := s.fireEarly(ctx, b, &rest[0]); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if err := s.greeted(ctx, b); err != nil || !s.out.Initialized {
		return err
	}
	s.enter(mcpsf.PhaseAttack)
	method := s.lifeSign(ctx, b)
	if method == "" {
		b.Deaf = true
		return ctx.Err()
	}
	for i := range rest {
		if !b.Until.IsZero() && time.Now().After(b.Until) {
			return nil
		}
		s.opts.Progress("odd message", len(b.Tries), len(b.Messages))
		if err := s.fire(ctx, b, &rest[i], method); err != nil || b.Last().Outcome.Disruption() {
			return err
		}
	}
	return nil
}

// fireEarly sends a message before initialize. Whether it was survived shows
// with the answer to that.
func (s *session) fireEarly(ctx context.Context, b *Barrage, m *fuzz.Message) error {
	x, err := s.throw(m)
	if err != nil {
		return err
	}
	try := Try{Call: x.call}
	try.Outcome, err = s.await(ctx, x, earlyTime)
	b.Tries = append(b.Tries, try)
	return err
}

// greeted makes the handshake. Who does not answer it does so because of what
// was sent before, if anything was.
func (s *session) greeted(ctx context.Context, b *Barrage) error {
	begun := time.Now()
	err := s.initialize(ctx)
	last := b.Last()
	switch {
	case last == nil || err == nil && s.out.Initialized:
	case errors.Is(err, errGone) && isClosed(s.link.gone()):
		last.Outcome = Ended
	case s.lastStatus() == mcpsf.CallTimeout:
		last.Outcome, last.Waited = Hung, time.Since(begun)
	}
	return err
}

// lifeSign is a method that the server answers to, "" if there is none.
func (s *session) lifeSign(ctx context.Context, b *Barrage) string {
	for _, method := range []string{methodPing, "tools/list"} {
		if alive, err := s.alive(ctx, method, b.Limit); err != nil || alive {
			if alive {
				return method
			}
			return ""
		}
	}
	return ""
}

// fire sends one message and asks for a sign of life.
func (s *session) fire(ctx context.Context, b *Barrage, m *fuzz.Message, method string) error {
	x, err := s.throw(m)
	if err != nil {
		return err
	}
	try := Try{Call: x.call}
	defer func() { b.Tries = append(b.Tries, try) }()
	if try.Outcome, err = s.await(ctx, x, answerTime); err != nil {
		return err
	}
	begun := time.Now()
	alive, err := s.alive(ctx, method, b.Limit)
	try.Waited = time.Since(begun)
	switch {
	case errors.Is(err, errGone) && isClosed(s.link.gone()):
		try.Outcome = Ended
	case errors.Is(err, errGone), err == nil && !alive:
		try.Outcome, err = Hung, nil
	}
	return err
}

// alive asks for something that is always answered. An error counts: whoever
// refuses is there.
func (s *session) alive(ctx context.Context, method string, limit time.Duration) (bool, error) {
	_, err := s.ask(ctx, request{method: method, params: map[string]any{}, timeout: limit})
	if err != nil {
		return false, err
	}
	return s.lastStatus() != mcpsf.CallTimeout, nil
}

func (s *session) lastStatus() mcpsf.CallStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.out.Calls); n > 0 {
		return s.out.Calls[n-1].Status
	}
	return ""
}
