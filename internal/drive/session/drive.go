package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// The methods used.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodDiscover    = "server/discover"
)

// Drive talks to the server from its first word to its end and returns what
// it learned. It returns after the server ended and its output was read to
// the end; no goroutine outlives it.
//
// With a [Wire] in the options the server is one that listens: p is then the
// process it runs in, whose output is no part of the conversation, or nil for
// one that runs elsewhere.
//
// The error tells of our own failure or of ctx having ended before the
// session did. The session is complete as far as it went in either case.
func Drive(ctx context.Context, p Process, tap Tap, opts *Options) (*mcpsf.Session, error) {
	o := opts.withDefaults()
	m := newMeter(tap, &o)
	s := newSession(&o, m)
	conn, err := connect(ctx, p, s, m, &o)
	if err != nil {
		return nil, err
	}
	o.Clock.Mind(conn.busy)
	if err = conn.locate(ctx); err == nil {
		err = conn.converse(ctx)
		conn.look(ctx)
	} else {
		s.note(err.Error())
		err = errGone // nobody was found
	}
	s.enter(mcpsf.PhaseStop)
	o.Progress("stop", 0, 1)
	closed, ending := conn.stop(ctx)
	o.Progress("stop", 1, 1)
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

// connection is a link that can be ended.
type connection interface {
	link
	// locate finds out where the server is; an error says that it is nowhere.
	locate(ctx context.Context) error
	// busy tells whether something has yet to leave, and how much has.
	busy() (bool, int)
	// converse is the conversation, or what is made instead of one.
	converse(ctx context.Context) error
	// look lets the caller look at a server that listens.
	look(ctx context.Context)
	// stop ends the server and waits for every goroutine of the link. It
	// returns how the session ended and, where that needs words, why.
	stop(ctx context.Context) (closed, ending string)
}

func connect(ctx context.Context, p Process, s *session, m *meter, o *Options) (connection, error) {
	if o.Wire == nil {
		return newStdio(p, s, m, o), nil
	}
	if p == nil {
		p = newAbsent()
	}
	return newWeb(ctx, p, s, m, o)
}

// run is the conversation. It knows nothing of the transport.
func (s *session) run(ctx context.Context) error {
	if s.opts.Barrage != nil {
		return s.bombard(ctx, s.opts.Barrage)
	}
	if err := s.initialize(ctx); err != nil || !s.out.Initialized {
		return err
	}
	if s.opts.Shrinking != nil {
		return s.shrink(ctx, s.opts.Shrinking)
	}
	if s.opts.Guest != nil {
		return s.host(ctx)
	}
	if len(s.opts.Shots) > 0 {
		if err := s.shoot(ctx); err != nil {
			return err
		}
		if err := s.lookBack(ctx); err != nil {
			return err
		}
		return s.linger(ctx)
	}
	s.enter(mcpsf.PhaseDrive)
	if err := s.speakUp(ctx); err != nil {
		return err
	}
	s.subscribe()
	if err := s.listAll(ctx); err != nil {
		return err
	}
	s.lookedAt(&s.out)
	if s.opts.Known != nil {
		s.compare(s.opts.Known, &s.out, s.opts.Since)
	}
	if err := s.useAll(ctx); err != nil {
		return err
	}
	if s.opts.Rounds > 1 {
		if err := s.useFeatures(ctx); err != nil {
			return err
		}
	}
	if err := s.repeat(ctx); err != nil {
		return err
	}
	if err := s.sayWords(ctx); err != nil {
		return err
	}
	if err := s.interrupt(ctx); err != nil {
		return err
	}
	return s.linger(ctx)
}

// greet reads the answer to initialize, field by field. The caller holds mu.
func (s *session) greet(raw json.RawMessage) {
	var r struct {
		Protocol     json.RawMessage `json:"protocolVersion"`
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions json.RawMessage `json:"instructions"`
		Server       json.RawMessage `json:"serverInfo"`
	}
	var who struct {
		Name    json.RawMessage `json:"name"`
		Version json.RawMessage `json:"version"`
	}
	if json.Unmarshal(raw, &r) != nil {
		s.noteLocked("answered initialize with something other than an object")
		return
	}
	if r.Server == nil || json.Unmarshal(r.Server, &who) != nil {
		s.noteLocked("did not say who it is")
	}
	s.out.Name = s.field("server name", who.Name, maxName)
	s.out.Version = s.field("server version", who.Version, maxName)
	s.out.Protocol = s.field("protocol version", r.Protocol, maxName)
	s.out.Instructions = s.field("instructions", r.Instructions, maxProse)
	if !slices.Contains(Revisions(), s.out.Protocol) {
		shown, _ := clip(s.out.Protocol, 32)
		s.noteLocked(fmt.Sprintf("speaks an unknown protocol version: %q", shown))
	}
	if isObject(r.Capabilities) && len(r.Capabilities) <= maxSchema {
		s.out.Capabilities = r.Capabilities
	} else {
		s.noteLocked("did not declare its capabilities")
	}
}
