package payload

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Options of [Propose]. The first three are required.
type Options struct {
	Model llm.Model
	World *attack.World
	Tools []mcpsf.Tool
	// Facts are what static analysis found in the source.
	Facts []mcpsf.Fact
	// Inputs are arguments that tools accepted before, by tool name; Values and
	// Seed are what other arguments are made from.
	Inputs map[string]json.RawMessage
	Values meaning.Values
	Seed   uint64
	// Known are calls that are made anyway.
	Known []AttackCall
	// Most bounds all calls, Each the payloads of one class for one tool. 0
	// means 200 and 3.
	Most, Each int
	// Limit is how long the model may take in total; 0 means ten minutes.
	Limit time.Duration
	// Progress receives how many of the tools were asked about; may be nil.
	Progress func(asked, of int)
}

// AttackCall is a call that attacks a tool.
type AttackCall struct {
	Tool      string
	Arguments json.RawMessage
	// Attack says what the call tests. By is empty for our own calls beside the
	// model's, which show whether the tool has any limits.
	Attack mcpsf.AttackDetail
}

// Proposals are the calls that a model proposed.
type Proposals struct {
	// Calls are in the order of the tools. Calls that belong together are
	// adjacent.
	Calls []AttackCall
	// Run describes the asks, and what is missing.
	Run mcpsf.PayloadRun
}

// gap: model-payloads
const (
	// maxTools is how many tools a model is asked about, together how many at
	// the same time.
	maxTools, together = 40, 4
	// maxFailures is how many failed asks in a row end the run.
	maxFailures = 3
)

// Propose asks the model about each tool. The error is that the context has
// ended, or that the options are invalid; the model's failures are in the
// result.
func Propose(ctx context.Context, o *Options) (Proposals, error) {
	if o == nil || o.Model == nil || o.World == nil {
		return Proposals{}, errors.New("proposing payloads: a model and a world are needed")
	}
	p := newProposer(o)
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	p.askAll(limited)
	if ctx.Err() != nil {
		return Proposals{}, context.Cause(ctx)
	}
	calls := p.chosen()
	return Proposals{Calls: calls, Run: mcpsf.PayloadRun{
		Model: safetext.Line(o.Model.Name(), maxLine), Tools: len(p.subjects), Unanswered: len(p.subjects) - p.answered,
		Proposed: p.proposed, LeftOut: p.lost.payloads, Calls: len(calls), Lost: p.lost.lines(),
		Usage: &mcpsf.ModelUsage{Asks: p.asked, TokensIn: p.usage.In, TokensOut: p.usage.Out, Dollars: p.usage.Cost, Estimated: p.usage.Estimated},
	}}, nil
}

// proposer is one run of [Propose].
type proposer struct {
	Options

	classes  map[string]attack.Class
	marks    map[string][]attack.Mark
	subjects []*target
	seen     map[string]bool // already sent or proposed
	guarded  map[string]bool // where calls already show whether a tool has limits
	usage    llm.Usage
	// answered counts asks with a useful answer, proposed the payloads in them.
	asked, answered, proposed int
	failed                    int // asks in a row
	over                      bool
	lost                      gaps
}

func newProposer(o *Options) *proposer {
	p := &proposer{
		Options: *o, classes: map[string]attack.Class{}, marks: map[string][]attack.Mark{}, seen: map[string]bool{}, guarded: map[string]bool{},
	}
	p.Most, p.Each, p.Limit = cmp.Or(p.Most, 200), cmp.Or(p.Each, 3), cmp.Or(p.Limit, 10*time.Minute)
	if p.Progress == nil {
		p.Progress = func(int, int) {}
	}
	for _, m := range o.World.Marks() {
		p.marks[m.Class] = append(p.marks[m.Class], m)
	}
	for _, c := range attack.All() {
		p.classes[c.ID] = c
	}
	for i := range o.Known {
		p.remember(&o.Known[i])
	}
	names := map[string]bool{}
	for _, tool := range o.Tools {
		if names[tool.Name] {
			continue // tools are called by name
		}
		names[tool.Name] = true
		if s := p.subject(tool); s != nil {
			p.subjects = append(p.subjects, s)
		}
	}
	return p
}

// reply is the result of an ask.
type reply struct {
	reply *llm.Reply
	err   error
}

// askAll asks about a few tools at a time. Whether it continues is decided
// between these batches, so that the same answers lead to the same asks.
func (p *proposer) askAll(ctx context.Context) {
	rest := p.subjects
	if len(rest) > maxTools {
		p.lost.add("", fmt.Sprintf("the model was asked about the first %d of %d tools", maxTools, len(rest)))
		rest = rest[:maxTools]
	}
	for of := len(rest); len(rest) > 0 && !p.over; {
		wave := rest[:min(len(rest), together)]
		rest = rest[len(wave):]
		replies := make([]reply, len(wave))
		var all sync.WaitGroup
		for i, s := range wave {
			all.Go(func() { replies[i].reply, replies[i].err = p.Model.Ask(ctx, p.ask(s)) })
		}
		all.Wait()
		for i, s := range wave {
			p.asked++
			p.take(s, replies[i])
		}
		p.Progress(p.asked, of)
	}
	if len(rest) > 0 {
		p.lost.add("", fmt.Sprintf("the model was not asked about %d more tools", len(rest)))
	}
}

// take keeps the valid part of a reply.
func (p *proposer) take(s *target, r reply) {
	if r.err != nil {
		p.failure(s, r.err)
		return
	}
	p.failed = 0
	p.usage = p.usage.Add(r.reply.Usage)
	a := read(r.reply)
	for _, why := range a.lost {
		p.lost.add(s.tool.Name, why)
	}
	if len(a.items) > 0 || len(a.lost) == 0 {
		p.answered++
	}
	p.proposed += len(a.items)
	count := map[string]int{}
	for _, raw := range a.items {
		class, calls, err := p.validate(s, raw)
		switch {
		case err != nil:
			p.lost.payload(s.tool.Name, err.Error())
		case count[class] >= p.Each:
			p.lost.payload(s.tool.Name, "more than were asked for")
		default:
			count[class]++
			s.units = append(s.units, calls)
		}
	}
}

// failure records that there was no reply.
func (p *proposer) failure(s *target, err error) {
	why := err.Error()
	if e, ok := errors.AsType[*llm.Error](err); ok {
		p.usage = p.usage.Add(e.Usage)
		switch e.Kind {
		case llm.KindBudget, llm.KindKey, llm.KindCancelled:
			p.over = true // the others would fail in the same way
		}
	}
	p.lost.add(s.tool.Name, "the model gave no answer: "+safetext.Line(why, maxLine))
	if p.failed++; p.failed >= maxFailures {
		p.over = true
	}
}

// chosen are as many calls as may be made, the first ones of each tool first.
func (p *proposer) chosen() []AttackCall {
	left, kept := p.Most, make([]int, len(p.subjects))
	for n, more := 0, true; more; n++ {
		more = false
		for i, s := range p.subjects {
			if n >= len(s.units) {
				continue
			}
			more = true
			if kept[i] == n && len(s.units[n]) <= left {
				kept[i]++
				left -= len(s.units[n])
			}
		}
	}
	var calls []AttackCall
	for i, s := range p.subjects {
		for _, unit := range s.units[:kept[i]] {
			calls = append(calls, unit...)
		}
		for range s.units[kept[i]:] {
			p.lost.payload(s.tool.Name, fmt.Sprintf("there are %d calls for such payloads", p.Most))
		}
	}
	return calls
}
