package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// lifeTime is how long a server may be silent after an odd message. If it
	// is, it is asked once more in a start of its own, for twice as long.
	lifeTime = 5 * time.Second
	// sizeable is from what on a message is worth shortening.
	sizeable = 1 << 10
	// slowTool is how long a call may take for its tool to be sent odd
	// messages: who waits for something else does not hang.
	slowTool = 2.0
)

// fuzzing is how the server is sent odd messages, and what came of it so far.
type fuzzing struct {
	*stage
	try  *launch
	slow float64 // seconds its first start took
	end  time.Time
	// starts are how many are left.
	starts int
	// told are the kinds of upset that a finding is sure of, with whether a
	// request for a tool does it, and over the families it fell over.
	told map[upset]bool
	over map[fuzz.Family]bool
}

type upset struct {
	what mcpsf.DisruptionKind
	asks bool
}

// fuzz sends the server messages that are odd in their form, in starts of its
// own. What it does not get over is tried again alone, and told if it does not
// get over it then, either.
func (st *stage) fuzz(ctx context.Context, first *detonation, try *launch) error {
	starts, long, tools := st.opts.Profile.fuzzing()
	if starts == 0 || !first.session.Initialized {
		return nil
	}
	f := &fuzzing{
		stage: st, try: try, slow: first.session.StartSeconds, starts: starts, end: st.opts.Now().Add(long),
		told: map[upset]bool{}, over: map[fuzz.Family]bool{},
	}
	messages := fuzz.All(fuzzTargets(first.session, tools))
	if st.opts.Profile != Aggressive {
		messages = fuzz.Telling(messages)
	}
	planned := len(messages)
	for len(messages) > 0 && f.timely() {
		st.opts.Progress.Step("fuzz", wording.Count(len(messages), "message"))
		rest, err := f.barrage(ctx, messages)
		if err != nil {
			return fmt.Errorf("sending odd messages: %w", err)
		}
		if len(rest) == len(messages) {
			break
		}
		messages = rest
	}
	if len(messages) > 0 {
		st.undone = append(st.undone, fmt.Sprintf("%d of %d odd messages: the time was up, or the server was gone", len(messages), planned))
	}
	return nil
}

func (f *fuzzing) timely() bool { return f.starts > 0 && f.opts.Now().Before(f.end) }

// barrage sends messages until one upsets the server, and returns those that
// are still to be sent.
func (f *fuzzing) barrage(ctx context.Context, messages []fuzz.Message) ([]fuzz.Message, error) {
	b, _, err := f.send(ctx, messages, lifeTime)
	if err != nil || b.Deaf || len(b.Tries) == 0 {
		return messages, err
	}
	last, at := b.Last(), len(b.Tries)-1
	rest := messages[len(b.Tries):]
	if !last.Outcome.Disruption() {
		return rest, nil
	}
	if err := f.examine(ctx, &messages[at]); err != nil {
		return nil, err
	}
	if f.over[messages[at].Family] && f.opts.Profile != Aggressive {
		rest = slices.DeleteFunc(slices.Clone(rest), func(m fuzz.Message) bool { return f.over[m.Family] })
	}
	return rest, nil
}

// send starts the server and sends it the messages.
func (f *fuzzing) send(ctx context.Context, messages []fuzz.Message, limit time.Duration) (*session.Fuzzing, *detonation, error) {
	f.starts--
	b := &session.Fuzzing{Messages: messages, Limit: limit, Until: f.end}
	d, err := f.detonate(ctx, f.try, &talk{barrage: b, start: f.startTime()})
	if err != nil {
		return nil, nil, err
	}
	f.totals = append(f.totals, observedOf(d))
	return b, d, nil
}

// startTime is how long the handshake may take: a few times as long as it did.
func (f *fuzzing) startTime() time.Duration {
	const least, most = 15 * time.Second, time.Minute
	return min(max(time.Duration(4*f.slow*float64(time.Second)), least), most)
}

// examine tries one message alone. What the server gets over then, it fell over
// for another reason, and nothing is told.
func (f *fuzzing) examine(ctx context.Context, m *fuzz.Message) error {
	e, err := f.alone(ctx, m)
	if err != nil || e == nil {
		return err
	}
	f.over[m.Family] = true
	if m.Call {
		if e.Disruption.Asks, err = f.meant(ctx, m, e.Disruption.What); err != nil {
			return err
		}
	}
	if f.told[upset{e.Disruption.What, e.Disruption.Asks}] {
		return nil
	}
	for small, ok := m.Smaller(); ok && e.Disruption.Size >= sizeable && f.timely(); small, ok = small.Smaller() {
		less, err := f.alone(ctx, &small)
		if err != nil {
			return err
		}
		if less == nil || less.Disruption.What != e.Disruption.What {
			break
		}
		less.Disruption.Asks = e.Disruption.Asks
		e = less
	}
	f.told[upset{e.Disruption.What, e.Disruption.Asks}] = true
	f.tell(e)
	return nil
}

// meant tells whether it is what is asked for that upsets the server, and not
// merely the reading of it.
func (f *fuzzing) meant(ctx context.Context, m *fuzz.Message, what mcpsf.DisruptionKind) (bool, error) {
	control, ok := m.Control()
	if !ok {
		return true, nil
	}
	if !f.timely() {
		return false, nil // when in doubt, the milder
	}
	e, err := f.alone(ctx, &control)
	return e == nil || e.Disruption.What != what, err
}

// tell appends an event that no box has seen.
func (f *fuzzing) tell(e *mcpsf.Event) {
	e.Seq = int64(len(f.log.Events())) + 1
	f.log.Append(*e)
}

// fuzzTargets are tools that answered soon, with what they were called with.
func fuzzTargets(s *mcpsf.Session, most int) []fuzz.Target {
	var list []fuzz.Target
	seen := map[string]bool{}
	add := func(tool string, arguments json.RawMessage) {
		if !seen[tool] && len(list) < most {
			seen[tool] = true
			list = append(list, fuzz.Target{Tool: tool, Arguments: arguments})
		}
	}
	for _, status := range []mcpsf.CallStatus{mcpsf.CallOK, mcpsf.CallRefused} {
		for _, c := range s.Calls {
			if c.Method == "tools/call" && c.Status == status && c.Seconds < slowTool && c.Arguments != nil {
				add(c.Tool, c.Arguments)
			}
		}
	}
	return list
}
