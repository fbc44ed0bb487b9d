package assess

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// silence is how long a server may take to answer after a malformed message. If it does
	// not answer, the message is sent again to a fresh server, with twice the time.
	silence = 5 * time.Second
	// worthShrinking is the size from which a message is shrunk.
	worthShrinking = 1 << 10
)

// fuzzing is the state of sending malformed messages.
type fuzzing struct {
	*parallelRun
	end time.Time
	// starts is how many starts are left.
	starts int
	// reported are the kinds of disruption that have an event; failed are the
	// families of messages that the server did not survive.
	reported map[disruption]bool
	failed   map[fuzz.Family]bool
}

// disruption is the effect of a message; asks is set if the tool call in it causes it.
type disruption struct {
	what mcpsf.DisruptionKind
	asks bool
}

// fuzzServer sends malformed messages to fresh servers. A message that the server does
// not survive is repeated alone, and reported if the server fails again.
func fuzzServer(ctx context.Context, p *parallelRun) error {
	s := p.server
	starts, long, tools := s.opts.Profile.Fuzzing()
	if starts == 0 || !s.first.session.Initialized {
		return nil
	}
	f := &fuzzing{
		parallelRun: p, starts: starts, end: s.opts.Caller.Now().Add(long),
		reported: map[disruption]bool{}, failed: map[fuzz.Family]bool{},
	}
	messages := fuzz.All(plan.FuzzTargets(s.first.session, tools))
	if s.opts.Profile != plan.Aggressive {
		messages = fuzz.Balanced(messages)
	}
	planned := len(messages)
	for len(messages) > 0 && f.timeLeft() {
		p.progress.Step("fuzz", wording.Count(len(messages), "message"))
		rest, err := f.untilDisruption(ctx, messages)
		if err != nil {
			return fmt.Errorf("sending malformed messages: %w", err)
		}
		if len(rest) == len(messages) {
			break
		}
		messages = rest
	}
	if len(messages) > 0 {
		p.ledger.gap(gap.New(gap.MalformedUnsent, int64(planned), int64(len(messages))))
	}
	return nil
}

func (f *fuzzing) timeLeft() bool { return f.starts > 0 && f.server.opts.Caller.Now().Before(f.end) }

// untilDisruption sends messages until one disrupts the server, and returns the
// remaining ones.
func (f *fuzzing) untilDisruption(ctx context.Context, messages []fuzz.Message) ([]fuzz.Message, error) {
	b, _, err := f.send(ctx, messages, silence)
	if err != nil || b.Unresponsive || len(b.Tries) == 0 {
		return messages, err
	}
	last, at := b.Last(), len(b.Tries)-1
	rest := messages[len(b.Tries):]
	if !last.Outcome.Disruption() {
		return rest, nil
	}
	if err := f.confirm(ctx, &messages[at]); err != nil {
		return nil, err
	}
	if f.failed[messages[at].Family] && f.server.opts.Profile != plan.Aggressive {
		rest = slices.DeleteFunc(slices.Clone(rest), func(m fuzz.Message) bool { return f.failed[m.Family] })
	}
	return rest, nil
}

// send starts the server and sends it the messages.
func (f *fuzzing) send(ctx context.Context, messages []fuzz.Message, limit time.Duration) (*session.Fuzzing, *detonation, error) {
	f.starts--
	b := &session.Fuzzing{Messages: messages, Limit: limit, Until: f.end}
	d, err := f.detonate(ctx, f.server.chosen, &sessionPlan{fuzzing: b, start: f.startTime()})
	if err != nil {
		return nil, nil, err
	}
	return b, d, nil
}

// startTime is how long the handshake may take: four times as long as the first time.
func (f *fuzzing) startTime() time.Duration {
	// gap: malformed-unsent
	const least, most = 15 * time.Second, time.Minute
	return min(max(time.Duration(4*f.server.first.session.StartSeconds*float64(time.Second)), least), most)
}

// confirm repeats one message alone. If the server survives, it failed for
// another reason and nothing is reported.
func (f *fuzzing) confirm(ctx context.Context, m *fuzz.Message) error {
	e, err := f.sendAlone(ctx, m)
	if err != nil || e == nil {
		return err
	}
	f.failed[m.Family] = true
	if m.Call {
		if e.Disruption.Asks, err = f.isRequest(ctx, m, e.Disruption.What); err != nil {
			return err
		}
	}
	if f.reported[disruption{e.Disruption.What, e.Disruption.Asks}] {
		return nil
	}
	for small, ok := m.Smaller(); ok && e.Disruption.Size >= worthShrinking && f.timeLeft(); small, ok = small.Smaller() {
		less, err := f.sendAlone(ctx, &small)
		if err != nil {
			return err
		}
		if less == nil || less.Disruption.What != e.Disruption.What {
			break
		}
		less.Disruption.Asks = e.Disruption.Asks
		e = less
	}
	f.reported[disruption{e.Disruption.What, e.Disruption.Asks}] = true
	f.ledger.add(e)
	return nil
}

// isRequest tells whether executing the request disrupts the server, and not
// only reading it.
func (f *fuzzing) isRequest(ctx context.Context, m *fuzz.Message, what mcpsf.DisruptionKind) (bool, error) {
	control, ok := m.Control()
	if !ok {
		return true, nil
	}
	if !f.timeLeft() {
		return false, nil // in doubt, the less severe case
	}
	e, err := f.sendAlone(ctx, &control)
	return e == nil || e.Disruption.What != what, err
}
