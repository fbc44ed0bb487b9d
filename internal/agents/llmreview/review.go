package llmreview

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Options of a second opinion.
type Options struct {
	// Wall bounds all asks together; 0 means ten minutes.
	Wall time.Duration
}

// gap: model-review
const (
	// defaultWall is how long a model may take for all asks.
	defaultWall = 10 * time.Minute
	// maxFailures is how many failures in a row end the review: each was
	// retried several times already.
	maxFailures = 2
)

// Ask asks the model and adds its opinion to the report, replacing an earlier
// one. It returns no error: what is lost is in the report's coverage.
func Ask(ctx context.Context, model llm.Model, r *mcpsf.Report, events []mcpsf.Event, opts *Options) {
	forget(r)
	m := gather(r, events)
	asks := m.asks()
	if len(asks) == 0 {
		return
	}
	wall := defaultWall
	if opts != nil && opts.Wall > 0 {
		wall = opts.Wall
	}
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	name := safetext.Line(model.Name(), maxModel)
	h := &review{
		model: model, report: r, material: m,
		out: &mcpsf.SecondOpinion{Model: name, Suspicions: []mcpsf.Suspicion{}},
	}
	for _, a := range asks {
		h.ask(ctx, a)
	}
	h.gaps.add(loss{m.unasked, 0}, "more than a model is shown")
	h.gaps.add(loss{0, m.unshown}, "more than a model is shown")
	u := &h.usage
	h.out.Usage = mcpsf.ModelUsage{Asks: h.out.Asked, TokensIn: u.In, TokensOut: u.Out, Dollars: u.Cost, Estimated: u.Estimated}
	r.SecondOpinion = h.out
	r.Coverage.Gaps = append(r.Coverage.Gaps, h.gaps.notes()...)
}

// forget removes an earlier opinion from the report.
func forget(r *mcpsf.Report) {
	r.SecondOpinion = nil
	for i := range r.Findings {
		r.Findings[i].Opinion = nil
	}
	r.Coverage.Gaps = slices.DeleteFunc(slices.Clone(r.Coverage.Gaps), func(g mcpsf.Gap) bool {
		return g.Code == gap.ModelReview
	})
}

// review is one review of a report.
type review struct {
	model    llm.Model
	report   *mcpsf.Report
	material *material
	out      *mcpsf.SecondOpinion
	usage    llm.Usage
	gaps     gaps
	failures int
	// over is why no more asks are made.
	over string
}

// ask makes one ask, and keeps what can be used of the answer.
func (h *review) ask(ctx context.Context, a *ask) {
	if h.over != "" {
		h.gaps.add(a.loss(), h.over)
		return
	}
	reply, err := h.model.Ask(ctx, a.request())
	if err != nil {
		h.failed(ctx, a, err)
		return
	}
	h.failures = 0
	h.out.Asked++
	h.usage = h.usage.Add(reply.Usage)
	said, why := a.read(reply)
	outcome := a.checkProbes(said, reply)
	switch {
	case outcome == injected:
		h.out.Turned++
		why = h.out.Model + " was turned by text that it was to judge, and its opinion was discarded"
	case said == nil:
		h.out.Failed++
		why = h.out.Model + " " + why
	case outcome == missed:
		h.out.Untested++
		why = h.out.Model + " passed over what was planted to test it, and its opinion was discarded"
	default:
		h.out.Answered++
		h.apply(a, said)
		return
	}
	h.gaps.add(a.loss(), why)
}

// failed records an ask without a reply.
func (h *review) failed(ctx context.Context, a *ask, err error) {
	why, kind := err.Error(), llm.KindReply
	if e, ok := errors.AsType[*llm.Error](err); ok {
		kind = e.Kind
		h.usage = h.usage.Add(e.Usage)
	}
	if kind != llm.KindBudget {
		h.out.Asked++
	}
	h.out.Failed++
	h.failures++
	if ctx.Err() != nil {
		kind, why = llm.KindCancelled, "there was no time left for it"
	}
	why = h.out.Model + " was not heard: " + safetext.Line(why, maxReason)
	switch kind {
	case llm.KindBudget, llm.KindKey, llm.KindCancelled, llm.KindAsk:
		h.over = why
	}
	if h.failures >= maxFailures {
		h.over = why
	}
	h.gaps.add(a.loss(), why)
}

// apply adds an answer to the report.
func (h *review) apply(a *ask, said *answer) {
	for i := range said.findings {
		o := &said.findings[i]
		if o.number < 1 || o.number > len(a.questions) {
			continue
		}
		q := &a.questions[o.number-1]
		text := plain(o.text, maxText)
		if a.mentionsProbe(text) { // it is about our probe
			text = ""
		}
		if text == "" && o.stance == "" {
			continue
		}
		for _, place := range q.findings {
			if f := &h.report.Findings[place]; f.Opinion == nil {
				f.Opinion = &mcpsf.Opinion{Model: h.out.Model, Stance: o.stance, Text: text}
			}
		}
	}
	if len(a.questions) == 0 {
		h.addSuspicions(a, said)
	}
}
