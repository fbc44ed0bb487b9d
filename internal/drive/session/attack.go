package session

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

const (
	// deafAfter is how long a server may take to answer a ping after a call
	// timed out.
	deafAfter = 2 * time.Second
	// costAfter is the timeout of an attack on resources.
	costAfter = 2 * time.Second
	// onceMore is the timeout for an argument on which an attack has already
	// timed out.
	onceMore = 1200 * time.Millisecond
	// settleFor is how long to wait for delayed failures of a call; otherwise the
	// next call would be blamed for them.
	settleFor = 15 * time.Millisecond
)

// attacker makes attack calls.
type attacker struct {
	requests *requester
	link     transport.Link
	until    time.Time
}

// run makes the attack calls one after another while the server lives. If the
// server stops answering, the remaining calls are left for a restarted server.
func (a *attacker) run(ctx context.Context, calls []attackplan.AttackCall) error {
	a.requests.ledger.enter(mcpsf.PhaseAttack)
	progress := a.requests.opts.Progress
	endless := map[string]bool{} // arguments on which a call timed out
	watch := a.requests.opts.Timing.stopwatch()
	state := newPreparer(a.requests)
	for i := range calls {
		if !a.until.IsZero() && time.Now().After(a.until.Add(watch.stalled())) {
			break
		}
		call := &calls[i]
		progress("attack", i, len(calls))
		timeout := a.requests.opts.Timing.CallTimeout
		if call.Attack.Sign == mcpsf.SignCost {
			timeout = min(timeout, costAfter)
		}
		at := call.Tool + " " + call.Attack.Place
		if endless[at] {
			timeout = min(timeout, onceMore)
		}
		result, err := state.ask(ctx, call, timeout)
		if err != nil {
			return err
		}
		if err := state.follow(ctx, call, result); err != nil {
			return err
		}
		if call.Attack.Sign == mcpsf.SignCrash {
			a.settle()
		}
		if result == nil && a.timedOut() {
			endless[at] = true
			if err := a.requests.isDeaf(ctx); err != nil {
				return err
			}
		}
	}
	progress("attack", len(calls), len(calls))
	return nil
}

// settle waits a moment, or until the server has ended.
func (a *attacker) settle() {
	timer := time.NewTimer(settleFor)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-a.link.Gone():
	}
}

// timedOut reports whether the last call was not answered in time.
func (a *attacker) timedOut() bool { return a.requests.ledger.last().Status == mcpsf.CallTimeout }

// attackRequest is an attack call with the given arguments instead of its own.
func attackRequest(c *attackplan.AttackCall, args json.RawMessage, a *mcpsf.AttackDetail, timeout time.Duration) request {
	method, params := c.Request(args, a)
	return request{method: method, tool: c.Tool, arguments: args, server: c.ServerValues(), params: params, timeout: timeout, attack: a}
}
