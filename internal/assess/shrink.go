package assess

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// maxShrunk bounds how many calls are shortened.
	maxShrunk = 8
	// settle is how long the kernel's account of a call may take after the
	// answer, and glimpse how often is looked.
	settle  = time.Second
	glimpse = 5 * time.Millisecond
)

// shrink shortens the calls that findings rest on, in a start of its own. The
// shortest that works is made there as an attack once more: the rules see it
// like the others, and tell it.
func (st *stage) shrink(ctx context.Context, first *detonation, try *launch, extra []box.File) error {
	most, long := st.opts.Profile.shrinking()
	if most == 0 {
		return nil
	}
	events := st.log.Events()
	worked := succeeded(events)
	if len(worked) == 0 {
		return nil
	}
	sofar := st.outline(try, nil, first.session)
	if err := judge.Apply(sofar, events, st.opts.Rules); err != nil {
		return err
	}
	shots := provedBy(sofar.Findings, events, worked, slices.Concat(st.shots, st.more))
	if len(shots) == 0 {
		return nil
	}
	st.opts.Progress.Step("shorten", wording.Count(len(shots), "call"))
	inputs := values(st.artifact, try.given, st.home)
	d, err := st.detonate(ctx, try, &talk{
		files: append(tripwires(attack.New(st.opts.Seed, inputs.Dir)), extra...),
		shrinking: &session.Shrinking{
			Calls: shots, Shown: st.shown, Most: most, Until: st.opts.Now().Add(long),
		},
	})
	if err != nil {
		return fmt.Errorf("shortening calls: %w", err)
	}
	st.totals = append(st.totals, observedOf(d))
	return nil
}

// succeeded are the requests whose attack showed its sign, by call.
func succeeded(events []mcpsf.Event) map[string]*mcpsf.Event {
	attacks, worked := map[string]*mcpsf.Event{}, map[string]*mcpsf.Event{}
	for i := range events {
		e := &events[i]
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && e.MCP.Attack != nil && !e.MCP.FromServer {
			attacks[e.Call] = e
		} else if r := attacks[e.Call]; r != nil && signIn(e, r.MCP.Attack) {
			worked[e.Call] = r
		}
	}
	return worked
}

// provedBy are the calls that findings rest on: of each attack on each place
// the shortest.
func provedBy(findings []mcpsf.Finding, events []mcpsf.Event, worked map[string]*mcpsf.Event, made []attackplan.AttackCall) []attackplan.AttackCall {
	type target struct{ class, tool, place string }
	at := map[target]int{}
	var shots []attackplan.AttackCall
	for _, f := range findings {
		for _, seq := range f.Evidence {
			if seq < 1 || seq > int64(len(events)) {
				continue
			}
			r := worked[events[seq-1].Call]
			if r == nil {
				continue
			}
			shot, ok := shotOf(r, made)
			if !ok {
				continue
			}
			t := target{shot.Attack.Class, shot.Tool, shot.Attack.Place}
			i, known := at[t]
			switch {
			case !known && len(shots) < maxShrunk:
				at[t] = len(shots)
				shots = append(shots, shot)
			case known && len(shot.Arguments) < len(shots[i].Arguments):
				shots[i] = shot
			}
		}
	}
	return shots
}

// shotOf is the shot that a request was.
func shotOf(r *mcpsf.Event, made []attackplan.AttackCall) (attackplan.AttackCall, bool) {
	i := slices.IndexFunc(made, func(s attackplan.AttackCall) bool { return s.Attack == *r.MCP.Attack && s.Tool == r.MCP.Tool })
	if i < 0 || r.MCP.Truncated {
		return attackplan.AttackCall{}, false
	}
	return made[i], true
}

// shown tells whether the sign of an attack is among what a call did. The
// kernel's account of it is complete once the answer is part of it.
func (st *stage) shown(ctx context.Context, a *mcpsf.AttackDetail, call string) bool {
	for end := time.Now().Add(settle); ; {
		shown, answered := false, false
		for _, e := range slices.Backward(st.log.Events()) {
			if e.Call != call {
				continue
			}
			shown = shown || signIn(&e, a)
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
