package assess

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// settle is how long the kernel's records of a call may take to arrive after
	// the answer, and glimpse how often to check.
	settle  = time.Second
	glimpse = 5 * time.Millisecond
)

// shrink shrinks the calls that prove findings, in a fresh server. The shortest
// that works is repeated there as an attack, so that the rules judge and report
// it like the others.
func (p *parallelRun) shrink(ctx context.Context, target *attackTarget) error {
	s := p.server
	most, long := s.opts.Profile.Shrinking()
	if most == 0 {
		return nil
	}
	events := p.ledger.log.Events()
	worked := plan.Succeeded(events)
	if len(worked) == 0 {
		return nil
	}
	sofar := s.newReport(target.try, s.first.session)
	if err := judge.Apply(sofar, events, s.opts.Rules); err != nil {
		return err
	}
	calls := plan.ToShrink(sofar.Findings, events, worked, slices.Concat(s.attacks.planned, s.attacks.proposed))
	if len(calls) == 0 {
		return nil
	}
	p.progress.Step("shrink", wording.Count(len(calls), "call"))
	_, err := p.detonate(ctx, target.try, &sessionPlan{
		known: target.session, since: mcpsf.SinceCalls, files: target.files,
		shrinking: &session.Shrinking{Calls: calls, Shown: p.succeeded, Most: most, Until: s.opts.Caller.Now().Add(long)},
	})
	if err != nil {
		return fmt.Errorf("shortening calls: %w", err)
	}
	return nil
}

// succeeded tells whether the events of a call contain the sign of an attack.
// The kernel's records of a call are complete once the answer is among them.
func (p *parallelRun) succeeded(ctx context.Context, a *mcpsf.AttackDetail, call string) bool {
	for end := time.Now().Add(settle); ; {
		shown, answered := false, false
		for _, e := range slices.Backward(p.ledger.log.Events()) {
			if e.Call != call {
				continue
			}
			shown = shown || plan.ShowsSuccess(&e, a)
			answered = answered || e.Kind == mcpsf.KindMCPResponse
			if e.Kind == mcpsf.KindMCPRequest {
				break
			}
		}
		if shown || answered || ctx.Err() != nil || time.Now().After(end) {
			return shown
		}
		time.Sleep(glimpse)
	}
}
