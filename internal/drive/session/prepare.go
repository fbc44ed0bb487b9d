package session

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// Bounds of the calls that make the state for attacks.
// no gap: a tool that lacks its state refuses its attacks, and coverage counts those that were answered
const (
	maxPreparing = 300
	// maxInVain is how often a tool gets its state again and refuses all the same.
	maxInVain = 3
	// maxPreparingTime is how long the calls of a start may take in total.
	maxPreparingTime = 15 * time.Second
	// maxRead is how many different refusals are read, and maxReason how much of one:
	// what says that something must be done first is short.
	maxRead, maxReason = 200, 1 << 10
)

// preparer makes the state in which tools worked before: it makes the calls after
// which they did, and puts what these return now into the attacks. What it makes are
// ordinary calls.
type preparer struct {
	requests *requester
	memory   chain.Memory // of this start
	made     map[string]bool
	inVain   map[string]int // how often a tool refused although its state was made again
	looked   int            // how often tools were looked for that a refusal may mean
	calls    int
	followed int // calls in which a stored payload may act
	took     time.Duration

	// known are the tools, and worked their first calls that worked, of the session
	// before. more are sequences of tools that turned out to need one only here.
	known  []mcpsf.Tool
	worked map[string]*mcpsf.Call
	more   map[string][]mcpsf.Step
	// wants are the names by which refusals call what they want first, by their text.
	wants map[string][][]string
}

func newPreparer(requests *requester) *preparer {
	p := &preparer{requests: requests, made: map[string]bool{}, inVain: map[string]int{}, more: map[string][]mcpsf.Step{}, wants: map[string][][]string{}}
	if before := requests.opts.Earlier.Session; before != nil {
		p.known, p.worked = before.Tools, attackplan.Worked(before)
	}
	return p
}

// ask makes an attack call in the state that its tool needs. If the server says that
// the state is gone, it is made again, and so is the call.
func (p *preparer) ask(ctx context.Context, c *attackplan.AttackCall, timeout time.Duration) (json.RawMessage, error) {
	if err := p.prepare(ctx, c); err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		now := p.refilled(c)
		result, err := p.requests.ask(ctx, attackRequest(now, now.Arguments, &now.Attack, timeout))
		if err != nil || !p.lost(now, result) {
			return result, err
		}
		if !first {
			p.inVain[c.Tool]++
			return result, nil
		}
		p.requests.ledger.isRepeated(p.requests.ledger.last().ID)
		p.forget(c)
		if err := p.prepare(ctx, c); err != nil {
			return nil, err
		}
	}
}

// prepare makes the calls that an attack needs and that were not made in this start.
func (p *preparer) prepare(ctx context.Context, c *attackplan.AttackCall) error {
	if err := p.makeAll(ctx, p.more[c.Tool]); err != nil {
		return err
	}
	return p.makeAll(ctx, before(c))
}

// makeAll makes those of the calls that were not made in this start.
func (p *preparer) makeAll(ctx context.Context, steps []mcpsf.Step) error {
	for i := range steps {
		if key := keyOf(&steps[i]); !p.made[key] && p.calls < maxPreparing && p.took < maxPreparingTime {
			p.made[key] = true
			if err := p.call(ctx, &steps[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// restored makes the state again in which a tool worked, if something was taken away
// since, and returns its call in that state.
func (t *toolCaller) restored(ctx context.Context, p *preparer, tool *mcpsf.Tool, r request) (request, error) {
	steps := t.history.Lost(definition(tool))
	own := len(steps) - 1
	if own < 0 {
		return r, nil
	}
	if err := p.makeAll(ctx, steps[:own]); err != nil {
		return r, err
	}
	return r.with(sequence.Refill(&p.memory, &steps[own], sequence.InputOf(&steps[own]), "")), nil
}

// before returns the calls to make before an attack.
func before(c *attackplan.AttackCall) []mcpsf.Step { return c.Sequence[:max(0, len(c.Sequence)-1)] }

func keyOf(s *mcpsf.Step) string { return s.Tool.Name + "\x00" + string(s.Arguments) }

// call makes one of these calls.
func (p *preparer) call(ctx context.Context, s *mcpsf.Step) error {
	p.calls++
	watch := p.requests.opts.Timing.stopwatch()
	defer func() { p.took += watch.elapsed() }()
	r := request{
		method: protocol.MethodCall, tool: s.Tool.Name, name: s.Tool.CallName(), timeout: p.requests.opts.Timing.CallTimeout, preparing: true,
	}
	in := sequence.Refill(&p.memory, s, sequence.InputOf(s), "")
	result, err := p.requests.ask(ctx, r.with(in))
	switch {
	case err != nil:
		return err
	case result == nil && p.requests.ledger.last().Status == mcpsf.CallTimeout:
		return p.requests.isDeaf(ctx)
	case result != nil && !jsonrpc.IsErrorResult(result):
		p.memory.Sent(in)
		p.memory.Learn(s.Tool.Name, result)
	}
	return nil
}

// isDeaf returns an error if the server does not answer a ping.
func (q *requester) isDeaf(ctx context.Context) error {
	_, err := q.ask(ctx, request{method: protocol.MethodPing, params: map[string]any{}, server: madeByUs(), timeout: deafAfter})
	if err == nil && q.ledger.last().Status == mcpsf.CallTimeout {
		return errGone
	}
	return err
}

// refilled returns an attack call with what this start returned.
func (p *preparer) refilled(c *attackplan.AttackCall) *attackplan.AttackCall {
	own := len(c.Sequence) - 1
	if own < 0 {
		return c
	}
	out := *c
	in := sequence.Refill(&p.memory, &c.Sequence[own], schema.Input{JSON: c.Arguments, Server: c.Server}, c.Attack.Place)
	out.Arguments, out.Server = in.JSON, in.Server
	return &out
}

// lost reports whether a tool refused an attack because its state is gone, and that
// may be made again. What a tool needs that never had to say so is found out here.
func (p *preparer) lost(c *attackplan.AttackCall, result json.RawMessage) bool {
	why := cmp.Or(p.requests.refusedBecause(result), saidRefusal(result))
	if why == "" || mcpsf.IsNoTool(c.Tool) || p.inVain[c.Tool] >= maxInVain || p.calls >= maxPreparing || p.took >= maxPreparingTime {
		return false
	}
	wanted := false
	for _, names := range p.wanted(c, why) {
		wanted = p.learn(c, names) || wanted
	}
	return wanted || len(before(c)) > 0 && namesLink(why, c)
}

// wanted returns by which names a refusal of an attack calls what it wants first, one
// list for each wish. Many differ in the payload alone, and are read once.
func (p *preparer) wanted(c *attackplan.AttackCall, why string) [][]string {
	if c.Attack.Payload != "" {
		why = strings.ReplaceAll(why, c.Attack.Payload, "")
	}
	why, _ = jsonrpc.Clip(why, maxReason)
	list, known := p.wants[why]
	if known || len(p.wants) >= maxRead {
		return list
	}
	for _, w := range refusal.Read(why) {
		if isPrerequisite(&w) {
			list = append(list, w.Accepted)
		}
	}
	p.wants[why] = list
	return list
}

// learn adds the calls that a refusal names to those that a tool needs. It reports
// whether the tool needs any.
func (p *preparer) learn(c *attackplan.AttackCall, names []string) bool {
	needed := slices.Concat(p.more[c.Tool], before(c))
	if p.looked++; p.looked > maxRead {
		return len(needed) > 0
	}
	for _, i := range sequence.Named(p.known, names) {
		tool := &p.known[i]
		first := p.worked[tool.Name]
		if first == nil || tool.Name == c.Tool {
			continue
		}
		if slices.ContainsFunc(needed, func(s mcpsf.Step) bool { return s.Tool.Name == tool.Name }) {
			break // it was called, and is called again
		}
		steps := first.Sequence
		if steps == nil {
			steps = []mcpsf.Step{{Tool: *tool, Arguments: first.Arguments, ServerValues: first.ServerValues.Inside(inArguments)}}
		}
		p.more[c.Tool] = append(p.more[c.Tool], steps...)
		return true
	}
	return len(needed) > 0
}

// namesLink reports whether a text names a value of a call that came from a result: it
// may be gone.
func namesLink(text string, c *attackplan.AttackCall) bool {
	return slices.ContainsFunc(c.Sequence[len(c.Sequence)-1].Links, func(l mcpsf.Link) bool {
		raw, ok := schema.Get(c.Arguments, l.Pointer)
		value, isText := jsonrpc.String(raw)
		if !isText {
			value = string(raw)
		}
		return ok && l.Pointer != c.Attack.Place && value != "" && strings.Contains(text, value)
	})
}

// forget makes the calls for a tool necessary again.
func (p *preparer) forget(c *attackplan.AttackCall) {
	for _, list := range [][]mcpsf.Step{p.more[c.Tool], before(c)} {
		for i := range list {
			delete(p.made, keyOf(&list[i]))
		}
	}
}

// refusedBecause returns the error text of the last call, "" if it was not refused.
func (q *requester) refusedBecause(result json.RawMessage) string {
	switch last := q.ledger.last(); {
	case q.leftOut || last.Status != mcpsf.CallRefused:
		return ""
	case result == nil:
		return cmp.Or(errorText(q.refusal), last.Note)
	case q.unmarked != "":
		short, _ := jsonrpc.Clip(q.unmarked, maxProse)
		return short
	}
	return firstText(result, maxProse)
}
