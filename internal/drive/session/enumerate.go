package session

import (
	"context"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
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
		features.logEverything, features.subscribe, e.list, e.useAll, features.use, e.repeat, e.callWithWords, e.interrupt, s.linger,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// list requests all lists and compares them with an earlier session, if there
// was one.
func (e *enumeration) list(ctx context.Context) error {
	if err := e.lists.all(ctx); err != nil {
		return err
	}
	e.changes.remember(e.out)
	if earlier := e.opts.Earlier; earlier.Session != nil {
		e.changes.compare(earlier.Session, e.out, earlier.Since)
	}
	return nil
}

// maxReads bounds how many resources are read and prompts fetched.
const maxReads = 50

// useAll calls each tool, reads each resource and gets each prompt once, in the
// order they were listed, except that creating calls come before using and
// deleting ones.
func (e *enumeration) useAll(ctx context.Context) error {
	order := chain.Order(e.out.Tools)
	uses := []struct {
		step  string
		total int
		use   func(context.Context, int) error
	}{
		{"call", len(e.out.Tools), func(ctx context.Context, i int) error { return e.tools.call(ctx, order[i], 0) }},
		{"read", min(len(e.out.Resources), maxReads), e.readResource},
		{"prompt", min(len(e.out.Prompts), maxReads), e.getPrompt},
	}
	for _, u := range uses {
		for i := range u.total {
			e.opts.Progress(u.step, i, u.total)
			if err := u.use(ctx, i); err != nil {
				return err
			}
		}
		if u.total > 0 {
			e.opts.Progress(u.step, u.total, u.total)
		}
	}
	return nil
}

func (e *enumeration) readResource(ctx context.Context, i int) error {
	params := map[string]any{"uri": e.out.Resources[i].URI}
	return e.requests.use(ctx, protocol.MethodRead, params, listedAddress())
}

// listedAddress says that the server made the address of a resource. That of a
// template counts as its own, too: our values only fill its gaps.
func listedAddress() mcpsf.ServerValues { return madeByServer("/uri", mcpsf.OriginListed) }

func (e *enumeration) getPrompt(ctx context.Context, i int) error {
	prompt := e.out.Prompts[i]
	args := map[string]string{}
	for _, a := range attackplan.PromptArguments(prompt.Raw) {
		args[a.Name] = e.opts.Inputs.Values.Pick(a.Name, a.Description)
	}
	return e.requests.use(ctx, protocol.MethodPrompt, map[string]any{"name": prompt.Name, "arguments": args}, madeByUs())
}
