package session

import (
	"context"
	"errors"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

const (
	// answerTime is how long to wait for the answer to a malformed message
	// before the server is checked for life. Many need no answer.
	answerTime = 150 * time.Millisecond
	// earlyTime is the same before initialize, when only an answer proves that
	// the message was read.
	earlyTime = 500 * time.Millisecond
)

// Fuzzing is a list of malformed messages and, after [Drive], their outcomes.
type Fuzzing struct {
	Messages []fuzz.Message
	// Limit is how long to wait for a sign of life, Until when to stop.
	Limit time.Duration
	Until time.Time

	// Tries are the outcomes of the messages that were sent, in their order.
	Tries []Try
	// Unresponsive is set if the server gave no sign of life even before the first
	// message.
	Unresponsive bool
}

// Try is the outcome of one message.
type Try struct {
	// Call is its name in the trace.
	Call    string
	Outcome Outcome
	// Waited is how long the sign of life took, or how long we waited for one.
	Waited time.Duration
}

// Outcome is the effect of a message on the server.
type Outcome string

// The outcomes. In all but the last two the server keeps working.
const (
	Answered Outcome = "answered"
	Refused  Outcome = "refused"
	Ignored  Outcome = "ignored"
	Ended    Outcome = "ended"
	Hung     Outcome = "hung"
)

// Disruption reports whether the server no longer worked afterwards.
func (o Outcome) Disruption() bool { return o == Ended || o == Hung }

// Last returns the outcome of the last message, nil if none was sent.
func (f *Fuzzing) Last() *Try {
	if len(f.Tries) == 0 {
		return nil
	}
	return &f.Tries[len(f.Tries)-1]
}

// fuzzer sends malformed messages.
type fuzzer struct {
	*session
	*Fuzzing
}

// run sends the messages one after another and checks after each whether the
// server is alive. The first disruption ends the run.
func (f *fuzzer) run(ctx context.Context) error {
	rest := f.Messages
	for len(rest) > 0 && rest[0].Early {
		if err := f.sendEarly(ctx, &rest[0]); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if err := f.initialize(ctx); err != nil || !f.out.Initialized {
		return err
	}
	f.ledger.enter(mcpsf.PhaseAttack)
	method := f.lifeSign(ctx)
	if method == "" {
		f.Unresponsive = true
		return ctx.Err()
	}
	for i := range rest {
		if !f.Until.IsZero() && time.Now().After(f.Until) {
			return nil
		}
		f.opts.Progress("odd message", len(f.Tries), len(f.Messages))
		if err := f.send(ctx, &rest[i], method); err != nil || f.Last().Outcome.Disruption() {
			return err
		}
	}
	return nil
}

// sendEarly sends a message before initialize. The answer to initialize shows
// whether the server survived.
func (f *fuzzer) sendEarly(ctx context.Context, m *fuzz.Message) error {
	x, err := f.throw(m)
	if err != nil {
		return err
	}
	try := Try{Call: x.call}
	try.Outcome, err = f.await(ctx, x, earlyTime)
	f.Tries = append(f.Tries, try)
	return err
}

// initialize makes the handshake. If the server does not answer it, the message
// sent before is the cause, if there was one.
func (f *fuzzer) initialize(ctx context.Context) error {
	begun := time.Now()
	err := f.greeter.initialize(ctx)
	last := f.Last()
	switch {
	case last == nil || err == nil && f.out.Initialized:
	case errors.Is(err, errGone) && transport.Closed(f.link.Gone()):
		last.Outcome = Ended
	case f.ledger.last().Status == mcpsf.CallTimeout:
		last.Outcome, last.Waited = Hung, time.Since(begun)
	}
	return err
}

// lifeSign returns a method that the server answers, "" if there is none.
func (f *fuzzer) lifeSign(ctx context.Context) string {
	for _, method := range []string{protocol.MethodPing, "tools/list"} {
		if alive, err := f.alive(ctx, method); err != nil || alive {
			if alive {
				return method
			}
			return ""
		}
	}
	return ""
}

// send sends one message and checks for a sign of life.
func (f *fuzzer) send(ctx context.Context, m *fuzz.Message, method string) error {
	x, err := f.throw(m)
	if err != nil {
		return err
	}
	try := Try{Call: x.call}
	defer func() { f.Tries = append(f.Tries, try) }()
	if try.Outcome, err = f.await(ctx, x, answerTime); err != nil {
		return err
	}
	begun := time.Now()
	alive, err := f.alive(ctx, method)
	try.Waited = time.Since(begun)
	switch {
	case errors.Is(err, errGone) && transport.Closed(f.link.Gone()):
		try.Outcome = Ended
	case errors.Is(err, errGone), err == nil && !alive:
		try.Outcome, err = Hung, nil
	}
	return err
}

// alive makes a request that every server answers. An error counts as an
// answer.
func (f *fuzzer) alive(ctx context.Context, method string) (bool, error) {
	_, err := f.requests.ask(ctx, request{method: method, params: map[string]any{}, server: madeByUs(), timeout: f.Limit})
	if err != nil {
		return false, err
	}
	return f.ledger.last().Status != mcpsf.CallTimeout, nil
}
