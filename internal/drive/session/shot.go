package session

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
)

// Shot is a call that is made to find something out.
type Shot struct {
	// Tool is what it is made at; what is no tool is called as reports do.
	Tool      string
	Arguments json.RawMessage
	Attack    mcpsf.AttackDetail

	target *target // nil is a tool of that name
}

// request is the call with other arguments, or the same.
func (s *Shot) request(args json.RawMessage, a *mcpsf.AttackDetail, timeout time.Duration) request {
	t := s.target
	if t == nil {
		t = &target{method: methodCall, name: s.Tool}
	}
	params, _ := t.params(a, args)
	return request{method: t.method, tool: s.Tool, arguments: args, params: params, timeout: timeout, attack: a}
}

const (
	// deafAfter is how long a server that let a call time out may take for the
	// least that can be asked of it.
	deafAfter = 2 * time.Second
	// costAfter is how long what is to cost much is waited for.
	costAfter = 2 * time.Second
	// onceMore is how long is waited where a call was waited for in vain before.
	onceMore = 1200 * time.Millisecond
	// settleFor is how long is waited for what a call left behind to fail: the
	// next call would be blamed for it.
	settleFor = 15 * time.Millisecond
)

// shoot makes the calls of an attack one after another, as long as the server
// is there. One that answers nothing any more is not waited for: the next calls
// are made to a new one.
func (s *session) shoot(ctx context.Context) error {
	s.enter(mcpsf.PhaseAttack)
	endless := map[string]bool{} // where a call was waited for in vain
	for i := range s.opts.Shots {
		if !s.opts.Until.IsZero() && time.Now().After(s.opts.Until) {
			break
		}
		shot := &s.opts.Shots[i]
		s.opts.Progress("attack", i, len(s.opts.Shots))
		timeout := s.opts.CallTimeout
		if shot.Attack.Sign == mcpsf.SignCost {
			timeout = min(timeout, costAfter)
		}
		at := shot.Tool + " " + shot.Attack.Place
		if endless[at] {
			timeout = min(timeout, onceMore)
		}
		result, err := s.ask(ctx, shot.request(shot.Arguments, &shot.Attack, timeout))
		if err != nil {
			return err
		}
		if shot.Attack.Sign == mcpsf.SignCrash {
			s.settle()
		}
		if result == nil && s.timedOut() {
			endless[at] = true
			if _, err := s.ask(ctx, request{method: methodPing, params: map[string]any{}, timeout: deafAfter}); err != nil {
				return err
			}
			if s.timedOut() {
				return errGone
			}
		}
	}
	s.opts.Progress("attack", len(s.opts.Shots), len(s.opts.Shots))
	return nil
}

// settle waits a moment, or until the server is gone.
func (s *session) settle() {
	timer := time.NewTimer(settleFor)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.link.gone():
	}
}

// timedOut tells whether the last call was not answered in time.
func (s *session) timedOut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.out.Calls)
	return n > 0 && s.out.Calls[n-1].Status == mcpsf.CallTimeout
}

// shownIn is the attack as it stands with the answer to it.
func shownIn(a *mcpsf.AttackDetail, answer []byte) *mcpsf.AttackDetail {
	if a == nil {
		return nil
	}
	told := *a
	told.Shown = attack.Shown(a, answer)
	return &told
}
