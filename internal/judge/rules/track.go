package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Bounds for the incomplete sequences of one rule: in all, and with the same
// key; and for the events remembered because they must not come before. Beyond
// them the oldest are dropped, and a note of the judgement says so.
// gap: rule-events
const (
	maxOpen   = 8192
	maxJoined = 32
	maxSeen   = 16384
)

// track follows the sequences of one rule through the events.
//
// Every event that matches the first step begins a sequence. Every later step
// makes a copy and leaves the shorter sequence in place, so that a step that
// leads nowhere does not hide the next. Of the sequences that wait for the same
// step only the latest matters, unless a condition looks back.
type track struct {
	rule  *rulefile.Compiled
	chain *rulefile.Sequence
	open  map[string][]*partial
	// order are the open sequences, oldest first, mixed with some that are gone.
	// All before head are gone.
	order      []*partial
	head, size int
	// seen is the last time of an event that must not come before. full is set
	// once some of these times were dropped.
	seen map[string]float64
	full bool
	// due is when the next window ends.
	due float64
	// given is how many sequences were dropped because there were too many.
	given int
	// furthest is the incomplete sequence that got furthest.
	furthest *partial
	// The keys of the current event, and a copy of it that can be kept.
	keys []string
	copy *event.Fields
}

func newTrack(r *rulefile.Compiled) *track {
	return &track{rule: r, chain: r.Chain, open: map[string][]*partial{}, seen: map[string]float64{}}
}

// see offers an event to all steps, the last one first, so that one event is never two steps.
func (t *track) see(e *mcpsf.Event, env *condition.Env, h *hits) {
	t.keys, t.copy = t.keys[:0], nil
	for i := len(t.chain.Steps) - 1; i >= 0; i-- {
		s := &t.chain.Steps[i]
		leads := t.chain.Leads(i)
		switch {
		case !slices.Contains(s.Kinds, e.Kind), !leads && t.size == 0, leads && !s.When.Holds(env), !t.joined(e, env):
		case leads && s.Absent:
			t.note(i, e)
		case leads && !t.before(i, e):
			t.reach(i, &partial{key: t.keys[0], began: e.T}, e, env, h)
		case leads:
		case s.Absent:
			t.end(i, e, env)
		default:
			t.advance(i, e, env, h)
		}
	}
}

// joined computes the keys of the current event, and tells whether it has any.
func (t *track) joined(e *mcpsf.Event, env *condition.Env) bool {
	if len(t.keys) == 0 {
		t.keys = joinKeys(t.chain.By, e, env, t.keys)
		for i, key := range t.keys {
			t.keys[i] = t.key(e, env.Known.Run.Box, key)
		}
	}
	return len(t.keys) > 0
}

// key adds the call to a key if the window is one call.
func (t *track) key(e *mcpsf.Event, box int, key string) string {
	if !t.chain.Within.Call || t.chain.By == rulefile.JoinCall {
		return key
	}
	return strconv.Itoa(box) + " " + e.Call + " " + key
}

// advance uses an event as step i of the sequences that wait for it.
func (t *track) advance(i int, e *mcpsf.Event, env *condition.Env, h *hits) {
	s := &t.chain.Steps[i]
	for _, key := range t.keys {
		waiting := t.open[key]
		if t.chain.LooksBack {
			waiting = slices.Clone(waiting) // several may continue from here
		}
		for _, p := range slices.Backward(waiting) { // the latest first
			if p.at != i || p.gone || t.late(p, e.T) {
				continue
			}
			if env.Steps = p.steps; !s.When.Holds(env) {
				if len(s.When.LooksBack) == 0 {
					return // the condition does not depend on p
				}
				continue
			}
			t.reach(i, p, e, env, h)
			if !t.chain.LooksBack || t.chain.Next(i) < 0 {
				return
			}
		}
	}
}

// reach continues p with the event, which matches step i.
func (t *track) reach(i int, p *partial, e *mcpsf.Event, env *condition.Env, h *hits) {
	next := t.chain.Next(i)
	if next < 0 {
		s := h.sight(t.rule, e, env)
		s.via = append(slices.Clone(p.seqs), s.via...)
		h.add(t.rule, s, func() *group { return t.opened(s.key, p.steps, e, env) })
		return
	}
	q := &partial{key: p.key, began: p.began, at: next, seqs: append(slices.Clone(p.seqs), e.Seq)}
	q.steps = append(slices.Clone(p.steps), make([]*event.Fields, i+1-len(p.steps))...)
	if t.chain.Steps[i].Kept {
		q.steps[i] = t.copied(&env.Fields)
	}
	if next == len(t.chain.Steps) {
		q.last = h.sight(t.rule, e, env)
		q.last.via = append(slices.Clone(p.seqs), q.last.via...)
		q.group = t.opened(q.last.key, p.steps, e, env)
		if end := q.began + t.chain.Within.Seconds; t.chain.Within.Seconds > 0 && (t.due == 0 || end < t.due) {
			t.due = end
		}
	}
	if t.furthest == nil || len(q.seqs) > len(t.furthest.seqs) {
		t.furthest = q
	}
	t.keep(q, e.T)
}

// copied returns a copy of the current event, made once for all sequences.
func (t *track) copied(f *event.Fields) *event.Fields {
	if t.copy == nil {
		c := *f
		t.copy = &c
	}
	return t.copy
}

func (t *track) opened(key string, steps []*event.Fields, e *mcpsf.Event, env *condition.Env) *group {
	g := newGroup(key, e, env)
	g.steps = steps
	return g
}

// end drops the sequences in which the event is step i, which must be absent.
func (t *track) end(i int, e *mcpsf.Event, env *condition.Env) {
	s, behind := &t.chain.Steps[i], t.chain.Next(i)
	if behind < 0 {
		behind = len(t.chain.Steps)
	}
	for _, key := range t.keys {
		for _, p := range slices.Clone(t.open[key]) {
			if env.Steps = p.steps; p.at == behind && !p.gone && !t.late(p, e.T) && s.When.Holds(env) {
				t.forget(p)
			}
		}
	}
}

// note remembers an event that must not come before a step.
func (t *track) note(i int, e *mcpsf.Event) {
	if t.full {
		return
	}
	for _, key := range t.keys {
		key = strconv.Itoa(i) + " " + key
		if _, known := t.seen[key]; !known && len(t.seen) >= maxSeen && !t.tidied(e.T) {
			t.full = true
			t.given++
			return
		}
		t.seen[key] = e.T
	}
}

// tidied drops what is too old to matter, and tells whether there is room.
func (t *track) tidied(now float64) bool {
	for key, at := range t.seen {
		if t.chain.Within.Seconds > 0 && now-at > t.chain.Within.Seconds {
			delete(t.seen, key)
		}
	}
	return len(t.seen) < maxSeen
}

// before tells whether an event that must be absent before step i occurred or may have.
func (t *track) before(i int, e *mcpsf.Event) bool {
	if t.full {
		return true
	}
	for j := range i {
		for _, key := range t.keys {
			at, ok := t.seen[strconv.Itoa(j)+" "+key]
			if ok && (t.chain.Within.Seconds == 0 || e.T-at <= t.chain.Within.Seconds) {
				return true
			}
		}
	}
	return false
}

// pass ends the windows that are over: what must be absent did not occur.
func (t *track) pass(now float64, h *hits) {
	if t.due == 0 || now <= t.due {
		return
	}
	t.due = 0
	for _, p := range t.order {
		switch end := p.began + t.chain.Within.Seconds; {
		case p.gone || p.at < len(t.chain.Steps):
		case end < now:
			h.add(t.rule, p.last, func() *group { return p.group })
			t.forget(p)
		case t.due == 0 || end < t.due:
			t.due = end
		}
	}
}

// close ends all windows.
func (t *track) close(h *hits) {
	for _, p := range t.order {
		if !p.gone && p.at == len(t.chain.Steps) {
			h.add(t.rule, p.last, func() *group { return p.group })
		}
	}
	clear(t.open)
	clear(t.seen)
	t.order, t.head, t.size, t.due, t.full = nil, 0, 0, 0, false
}

// givenUp says what was not followed to the end, "" if everything was.
func (t *track) givenUp() string {
	if t.given == 0 {
		return ""
	}
	return fmt.Sprintf("%d events that the rule %s should have gone on from: there were too many at once", t.given, t.rule.ID)
}
