package session

import (
	"context"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// enumeration is the phase in which everything that the server offers is
// listed and used.
type enumeration struct {
	opts     *Options
	out      *mcpsf.Session
	requests *requester
	lists    *lister
	changes  *changes
	tools    *toolCaller
	waiter   *waiter
}

// enumerate lists and uses what the server offers.
func (s *session) enumerate(ctx context.Context) error {
	s.ledger.enter(mcpsf.PhaseDrive)
	e := &enumeration{
		opts: s.opts, out: s.out, requests: s.requests, lists: s.lists, changes: s.changes, tools: s.tools, waiter: s.waiter,
	}
	features := &features{requests: s.requests, lists: s.lists, tools: s.tools, out: s.out}
	for _, step := range []func(context.Context) error{
		features.logEverything, features.subscribe, e.list, e.useAll, features.use, e.repeat, e.useAdded, e.callWithWords, e.interrupt,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	s.opts.Earlier.Resume.finish()
	return s.linger(ctx)
}

// list requests all lists and compares them with an earlier session, if there
// was one.
func (e *enumeration) list(ctx context.Context) error {
	if err := e.lists.all(ctx); err != nil {
		return err
	}
	e.changes.remember(e.out)
	e.changes.duplicates(e.out)
	if before := e.opts.Earlier.Resume.before(); before != nil {
		e.changes.compare(before, e.out, mcpsf.SinceRestart)
	} else if earlier := e.opts.Earlier; earlier.Session != nil {
		e.changes.compare(earlier.Session, e.out, earlier.Since)
	}
	return nil
}

const (
	// maxReads bounds how many resources are read and prompts fetched; those
	// beyond the first fewReads only within readTime.
	// gap: resources-not-read, prompts-not-read
	maxReads = 2000
	// no gap: these are read in any case
	fewReads = 50
	// gap: resources-not-read, prompts-not-read
	readTime = 30 * time.Second
)

// useAll calls each tool, reads each resource and gets each prompt once, in the
// order they were listed, except that creating calls come before using and
// deleting ones.
func (e *enumeration) useAll(ctx context.Context) error {
	order := sequence.Order(e.out.Tools)
	e.tools.repairs.expect(e.out.Tools)
	last := slices.IndexFunc(order, func(i int) bool { return sequence.TakesAway(e.out.Tools[i].Name) })
	if last < 0 {
		last = len(order)
	}
	for i := range order {
		if i == last { // before what was opened or created is gone
			if err := e.tools.retry(ctx, order[:i]); err != nil {
				return err
			}
		}
		e.opts.Progress("call", i, len(order))
		if err := e.tools.call(ctx, order[i], 0); err != nil {
			return err
		}
	}
	if last == len(order) {
		if err := e.tools.retry(ctx, order); err != nil {
			return err
		}
	}
	if len(order) > 0 {
		e.opts.Progress("call", len(order), len(order))
	}
	addresses := distinct(e.out.Resources, func(r mcpsf.Resource) string { return r.ReadURI() })
	if err := readSome(ctx, e, "read", gap.ResourcesNotRead, addresses, e.readResource); err != nil {
		return err
	}
	return readSome(ctx, e, "prompt", gap.PromptsNotRead, e.out.Prompts, e.getPrompt)
}

// distinct returns the entries without those that repeat a key.
func distinct[T any](list []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(one T) bool {
		k := key(one)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// readSome uses the entries of a list within the bounds of reading, and records
// how many were left.
func readSome[T any](ctx context.Context, e *enumeration, step string, left mcpsf.GapCode, list []T, use func(context.Context, T) error) error {
	end, total := time.Now().Add(readTime), min(len(list), maxReads)
	made := 0
	for ; made < total && (made < fewReads || time.Now().Before(end)); made++ {
		e.opts.Progress(step, made, total)
		if err := use(ctx, list[made]); err != nil {
			return err
		}
	}
	if made < len(list) {
		e.requests.ledger.gap(left, made, len(list)-made)
	}
	if total > 0 {
		e.opts.Progress(step, total, total)
	}
	return nil
}

func (e *enumeration) readResource(ctx context.Context, r mcpsf.Resource) error {
	if !e.opts.Earlier.Resume.begin("read " + r.ReadURI()) {
		return nil
	}
	return e.requests.use(ctx, protocol.MethodRead, map[string]any{"uri": r.ReadURI()}, listedAddress())
}

// listedAddress says that the server made the address of a resource. That of a
// template counts as its own, too: our values only fill its gaps.
func listedAddress() mcpsf.ServerValues { return madeByServer("/uri", mcpsf.OriginListed) }

func (e *enumeration) getPrompt(ctx context.Context, prompt mcpsf.Prompt) error {
	if !e.opts.Earlier.Resume.begin("prompt " + string(prompt.Raw)) {
		return nil
	}
	args := map[string]string{}
	for _, a := range attackplan.PromptArguments(prompt.Raw) {
		args[a.Name] = e.opts.Inputs.Values.Pick(a.Name, a.Description)
	}
	return e.requests.use(ctx, protocol.MethodPrompt, map[string]any{"name": prompt.CallName(), "arguments": args}, madeByUs())
}
