package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// errGone reports that the server has ended.
var errGone = errors.New("the server is gone")

// Drive runs a whole session with the server and returns what it learned. It
// returns after the server ended and its output was read to the end; no
// goroutine outlives it.
//
// With a [transport.Wire] in the options the server listens: p is then its
// process, whose output is no part of the conversation, or nil for a remote
// server.
//
// The error reports our own failure or that ctx ended before the session did.
// Even then the session holds everything up to that point.
func Drive(ctx context.Context, p transport.Process, tap transport.Tap, opts *Options) (*mcpsf.Session, error) {
	o := opts.withDefaults()
	s, err := newSession(p, tap, o)
	if err != nil {
		return nil, err
	}
	s.link.Start(ctx)
	o.Timing.Clock.HoldWhile(s.link.Busy)
	if err = s.link.Locate(ctx); err == nil {
		err = s.run(ctx)
		s.look(ctx)
	} else {
		s.ledger.Note(err.Error())
		err = errGone // no server was found
	}
	gone := transport.Closed(s.link.Gone())
	s.ledger.enter(mcpsf.PhaseStop)
	o.Progress("stop", 0, 1)
	closed, ending := s.link.Stop(ctx)
	o.Progress("stop", 1, 1)
	if n := o.Earlier.Resume.ended(s.out, gone); n > 0 {
		s.ledger.gap(gap.CallsLeftOut, 0, n)
	}
	if o.Earlier.Resume.usedUp() && closed != "limit" {
		s.ledger.gap(gap.NotResumed, MaxRestarts, 0)
	}
	out := s.finish(closed, ending)
	if errors.Is(err, errGone) {
		err = nil
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return out, fmt.Errorf("driving the server: %w", err)
	}
	return out, nil
}

// session holds the parts of one conversation together. The driver's goroutine
// sends requests; the link's goroutines call the inbox with the answers. Shared
// data is in the ledger, the announcements and the responder, each with its own
// lock; everything else belongs to the driver's goroutine.
type session struct {
	opts *Options
	tap  *transport.Meter
	link transport.Link
	http *transport.HTTP // the link if the server listens
	out  *mcpsf.Session

	ledger    *ledger
	responder *responder
	requests  *requester
	greeter   *greeter
	lists     *lister
	changes   *changes
	tools     *toolCaller
	waiter    *waiter
}

func newSession(p transport.Process, tap transport.Tap, o *Options) (*session, error) {
	s := &session{
		opts: o, tap: transport.NewMeter(tap, &o.Limits), ledger: newLedger(o.FirstCall),
		out: &mcpsf.Session{Tools: []mcpsf.Tool{}, Resources: []mcpsf.Resource{}, Prompts: []mcpsf.Prompt{}},
	}
	client := &client{who: o.Client, answers: &o.Answers, values: &o.Inputs.Values, seed: o.Inputs.Seed}
	news := newAnnouncements()
	in := &inbox{ledger: s.ledger, tap: s.tap, limits: &o.Limits, news: news}
	if err := s.connect(p, in); err != nil {
		return nil, err
	}
	s.responder = &responder{link: s.link, ledger: s.ledger, client: client, maxBody: o.Limits.MaxBody, logger: o.Logger}
	in.stream, in.responder = s.link.Stream(), s.responder
	enc := &encoder{ledger: s.ledger, client: client, maxBody: o.Limits.MaxBody, tools: s.knownTools}
	s.requests = &requester{link: s.link, ledger: s.ledger, encoder: enc, client: client, opts: o, errors: s.tap.Errors()}
	entries := &entryReader{note: s.ledger.Note, gap: s.ledger.gap}
	s.greeter = &greeter{requests: s.requests, entries: entries, inbox: in, out: s.out, begun: time.Now()}
	s.lists = &lister{requests: s.requests, entries: entries, out: s.out, silent: map[string]bool{}}
	s.changes = &changes{lists: s.lists, tap: s.tap, news: news}
	s.waiter = &waiter{clock: o.Timing.Clock, gone: s.link.Gone()}
	s.tools = newToolCaller(s.requests, s.out, s.waiter)
	return s, nil
}

func (s *session) connect(p transport.Process, peer transport.Peer) error {
	o := s.opts
	opts := &transport.Options{
		Wire: o.Endpoint.Wire, URL: o.Endpoint.URL, Locate: o.Endpoint.Locate, Headers: o.Endpoint.Headers,
		CallTimeout: o.Timing.CallTimeout, StopGrace: o.Timing.StopGrace, Clock: o.Timing.Clock, Limits: o.Limits, Logger: o.Logger,
	}
	if opts.Wire == nil {
		s.link = transport.NewStdio(p, peer, s.tap, opts)
		return nil
	}
	web, err := transport.NewHTTP(p, peer, s.tap, opts)
	s.link, s.http = web, web
	return err
}

// knownTools returns the tools that were listed, in this session or before.
func (s *session) knownTools() []mcpsf.Tool {
	if len(s.out.Tools) == 0 && s.opts.Earlier.Session != nil {
		return s.opts.Earlier.Session.Tools
	}
	return s.out.Tools
}

// run runs the conversation, or what Instead asks for.
func (s *session) run(ctx context.Context) error {
	do := &s.opts.Instead
	if do.HTTPProbe != nil && s.http != nil {
		return s.probeHTTP(ctx, do.HTTPProbe)
	}
	if do.Fuzzing != nil {
		return (&fuzzer{session: s, Fuzzing: do.Fuzzing}).run(ctx)
	}
	if err := s.greeter.initialize(ctx); err != nil || !s.out.Initialized {
		return err
	}
	switch {
	case do.Shrinking != nil:
		return s.shrink(ctx, do.Shrinking)
	case do.Agent != nil:
		return s.runAgent(ctx, do.Agent)
	case len(do.AttackCalls) > 0:
		return s.attack(ctx)
	}
	return s.enumerate(ctx)
}

// attack makes the attack calls and looks for changes they caused.
func (s *session) attack(ctx context.Context) error {
	a := &attacker{requests: s.requests, link: s.link, until: s.opts.Instead.Until}
	if err := a.run(ctx, s.opts.Instead.AttackCalls); err != nil {
		return err
	}
	if earlier := s.opts.Earlier.Session; earlier != nil {
		if err := s.changes.lookBack(ctx, earlier); err != nil {
			return err
		}
	}
	return s.linger(ctx)
}

// look calls the caller's Look for a listening server.
func (s *session) look(ctx context.Context) {
	look := s.opts.Endpoint.Look
	if s.http != nil && look != nil && !transport.Closed(s.link.Gone()) && s.out.Initialized {
		look(ctx, s.http.URL())
	}
}

// finish adds the ending to the session and returns it.
func (s *session) finish(closed, ending string) *mcpsf.Session {
	s.out.Calls, s.out.Irregularities, s.out.Gaps = s.ledger.taken()
	s.out.Closed, s.out.Ending = closed, ending
	return s.out
}
