package session

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Shrinking makes successful attack calls as short as possible, so that reports
// show calls that are easy to read and repeat.
type Shrinking struct {
	// Calls are attack calls that showed their sign.
	Calls []attackplan.AttackCall
	// Shown reports whether a call had its effect, after all its events were
	// recorded.
	Shown func(ctx context.Context, a *mcpsf.AttackDetail, call string) bool
	// Most bounds the number of calls, and Until is when to end.
	Most  int
	Until time.Time
}

// shrink shortens one call after another. Each gets the same share of the
// calls.
func (s *session) shrink(ctx context.Context, k *Shrinking) error {
	s.ledger.enter(mcpsf.PhaseAttack)
	watch, state := s.opts.Timing.stopwatch(), newPreparer(s.requests)
	for i := range k.Calls {
		s.opts.Progress("shorten", i, len(k.Calls))
		one := &shrinker{requests: s.requests, state: state, Shrinking: k, ctx: ctx, watch: watch, best: k.Calls[i], left: k.Most / len(k.Calls)}
		if err := one.run(); err != nil {
			return err
		}
	}
	return nil
}

// shrinker shortens one call. The attempts are not recorded as attacks: only
// the shortest call that works is repeated as one.
type shrinker struct {
	*Shrinking
	requests *requester
	state    *preparer
	watch    stopwatch

	ctx  context.Context //nolint:containedctx // it lives as long as one call of run
	best attackplan.AttackCall
	left int
	err  error
}

func (k *shrinker) run() error {
	before := len(k.best.Arguments)
	if !k.try(k.best.Arguments) {
		return k.err // the effect is not reproducible
	}
	k.dropOthers()
	k.shorten()
	if k.err != nil || len(k.best.Arguments) >= before {
		return k.err
	}
	if value, ok := schema.Get(k.best.Arguments, k.best.Attack.Place); ok {
		if text, ok := jsonrpc.String(value); ok {
			k.best.Attack.Payload = attackplan.PayloadText(text)
		}
	}
	k.call(k.best.Arguments, k.best.Attack)
	return k.err
}

// dropOthers removes the arguments beside the one with the payload: all of
// them, else one by one.
func (k *shrinker) dropOthers() {
	var fields map[string]json.RawMessage
	if json.Unmarshal(k.best.Arguments, &fields) != nil {
		return
	}
	top := mcpsf.PointerArgument(k.best.Attack.Place)
	if len(fields) < 2 || fields[top] == nil {
		return
	}
	if alone, err := jsonrpc.Marshal(map[string]json.RawMessage{top: fields[top]}); err != nil || k.try(alone) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		if name == top {
			continue
		}
		delete(fields, name)
		if rest, err := jsonrpc.Marshal(fields); err != nil || !k.try(rest) {
			fields[name] = value
		}
	}
}

// shorten removes words and characters from the payload as long as it still
// works, many at first.
func (k *shrinker) shorten() {
	value, ok := schema.Get(k.best.Arguments, k.best.Attack.Place)
	if !ok {
		return
	}
	text, ok := jsonrpc.String(value)
	if !ok {
		return
	}
	words := wordsAndSigns(text)
	for size := len(words) / 2; size >= 1; size /= 2 {
		for at := 0; at+size <= len(words) && k.left > 0; {
			less := strings.Join(words[:at], "") + strings.Join(words[at+size:], "")
			args, err := schema.Put(k.best.Arguments, k.best.Attack.Place, less)
			if err != nil {
				return
			}
			if k.try(args) {
				words = wordsAndSigns(less)
			} else {
				at += size
			}
		}
	}
}

// try makes a call and keeps it if it shows the sign.
func (k *shrinker) try(args json.RawMessage) bool {
	if k.left <= 0 || k.err != nil || !k.Until.IsZero() && time.Now().After(k.Until.Add(k.watch.stalled())) {
		return false
	}
	k.left--
	trial := k.best.Attack
	trial.Class = mcpsf.ClassShrink
	call := k.call(args, trial)
	if k.err != nil || !k.Shown(k.ctx, &trial, call) {
		return false
	}
	k.best.Arguments = args
	return true
}

func (k *shrinker) call(args json.RawMessage, a mcpsf.AttackDetail) (call string) {
	c := k.best
	c.Arguments, c.Attack = args, a
	_, k.err = k.state.ask(k.ctx, &c, k.requests.opts.Timing.CallTimeout)
	return k.requests.ledger.lastAsked()
}

// maxWords bounds how many parts a payload is split into.
// no gap: shortens the request of a finding, which stays
const maxWords = 200

// wordsAndSigns splits a text: words stay whole, every other character is a
// part of its own.
func wordsAndSigns(text string) []string {
	var list []string
	inWord := false
	for _, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if n := len(list); n > 0 && (word && inWord || n >= maxWords) {
			list[n-1] += string(r)
		} else {
			list = append(list, string(r))
		}
		inWord = word
	}
	return list
}
