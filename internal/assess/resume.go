package assess

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// detonate starts the server and drives it. If it is taken down by a call, it is
// started again with the files that it left, and the session goes on without that
// call. The result is that of all these starts together.
func (p *parallelRun) detonate(ctx context.Context, try *launch.Launch, plan *sessionPlan) (*detonation, error) {
	var resume *session.Resume
	if plan.usesEverything() {
		resume = &session.Resume{}
	}
	before := len(p.ledger.log.Events())
	d, err := p.startOnce(ctx, try, plan, resume)
	if d != nil {
		d.resume = resume
	}
	for err == nil && p.goesOn(d, resume) {
		err = p.goOn(ctx, try, plan, d)
	}
	if d != nil {
		d.events = p.ledger.log.Events()[before:]
	}
	if err != nil {
		if d != nil && plan.first { // the report is about this session, as far as it came
			p.server.first, p.server.chosen = d, try
		}
		return nil, err
	}
	return d, nil
}

// usesEverything tells whether a session lists and calls what the server offers.
func (s *sessionPlan) usesEverything() bool {
	return len(s.attacks) == 0 && s.fuzzing == nil && s.shrinking == nil && s.probe == nil && s.agent == nil && s.headerAttack == nil
}

// goesOn tells whether the server is started again after its last start, because a
// call took it down. A server that reached a limit is not started again.
func (p *parallelRun) goesOn(d *detonation, resume *session.Resume) bool {
	if resume == nil || !resume.Broken() || d.session.Closed == "limit" || d.exit.Limit != "" {
		return false
	}
	culprit := ""
	if end := serverExit(lastStart(p.ledger.log.Events())); end != nil {
		culprit = end.Call
	}
	again := resume.Again(culprit)
	if again {
		p.ledger.restarts++
	}
	return again
}

// lastStart returns the events of the last start among them.
func lastStart(events []mcpsf.Event) []mcpsf.Event {
	for i := range slices.Backward(events) {
		if events[i].Kind == mcpsf.KindSandboxStart {
			return events[i:]
		}
	}
	return nil
}

// goOn starts the server again, with the files that it left or, if it does not answer
// with these, without, and adds what it does to the result of the starts before.
func (p *parallelRun) goOn(ctx context.Context, try *launch.Launch, plan *sessionPlan, d *detonation) error {
	p.ledger.takeBack(gap.CallsNotRepeated, d.session.Gaps)
	if d.kept && !isEmptyArchive(plan.keep) {
		if answered, err := p.goOnWithFiles(ctx, try, plan, d); err != nil || answered {
			return err
		}
	}
	again, err := p.startOnce(ctx, try, plan, d.resume)
	if again == nil {
		return err
	}
	d.add(again)
	if !again.session.Initialized && err == nil {
		p.ledger.gap(notStartedAfterCrash())
	}
	return err
}

func notStartedAfterCrash() mcpsf.Gap {
	return gap.Detailed(gap.NotResumed, "what would have been called next: a call took the server down, and it did not start again")
}

// goOnWithFiles starts the server with the files that it left, and reports whether it
// answered.
func (p *parallelRun) goOnWithFiles(ctx context.Context, try *launch.Launch, plan *sessionPlan, d *detonation) (answered bool, err error) {
	next := *plan
	next.kept = plan.keep + ".before"
	if err := os.Rename(plan.keep, next.kept); err != nil {
		return false, fmt.Errorf("keeping what the server leaves behind: %w", err)
	}
	again, err := p.startOnce(ctx, try, &next, d.resume)
	if again == nil {
		return false, err
	}
	d.add(again)
	return again.session.Initialized, err
}

// add adds the result of a start that went on where this one ended.
func (d *detonation) add(next *detonation) {
	d.session = joined(d.session, next.session)
	d.texts += next.texts
	d.exit, d.kept, d.said = next.exit, next.kept, next.said
	d.received.Hooked += next.received.Hooked
	for _, at := range next.listening {
		if !slices.Contains(d.listening, at) {
			d.listening = append(d.listening, at)
		}
	}
}

// joined returns a session with what one that went on with it did. What the server
// offers is what it listed first; a list that it did not come to is that of the other.
func joined(first, next *mcpsf.Session) *mcpsf.Session {
	out := *first
	out.Calls = slices.Concat(first.Calls, next.Calls)
	if len(out.Resources) == 0 {
		out.Resources = next.Resources
	}
	if len(out.Prompts) == 0 {
		out.Prompts = next.Prompts
	}
	if len(out.Templates) == 0 {
		out.Templates = next.Templates
	}
	for _, text := range next.Irregularities {
		if !slices.Contains(out.Irregularities, text) {
			out.Irregularities = append(slices.Clip(out.Irregularities), text)
		}
	}
	out.Gaps, out.Closed, out.Ending = next.Gaps, next.Closed, next.Ending
	return &out
}
