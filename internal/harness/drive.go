package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
)

// The methods used.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
)

// protocolVersion is the revision we speak, knownVersions those we know.
const protocolVersion = "2025-11-25"

func knownVersions() []string {
	return []string{"2024-11-05", "2025-03-26", "2025-06-18", protocolVersion, "2026-07-28"}
}

// Drive talks to the server from its first word to its end and returns what
// it learned. It returns after the server ended and its output was read to
// the end; no goroutine outlives it.
//
// The error tells of our own failure or of ctx having ended before the
// session did. The session is complete as far as it went in either case.
func Drive(ctx context.Context, p Process, tap Tap, opts *Options) (*mcpsf.Session, error) {
	o := opts.withDefaults()
	m := newMeter(tap, &o)
	s := newSession(&o, m)
	conn := newStdio(p, s, m, &o)
	err := s.run(ctx)
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

// run is the conversation. It knows nothing of the transport.
func (s *session) run(ctx context.Context) error {
	if err := s.initialize(ctx); err != nil || !s.out.Initialized {
		return err
	}
	s.notify(methodInitialized, map[string]any{})
	if len(s.opts.Shots) > 0 {
		if err := s.shoot(ctx); err != nil {
			return err
		}
		return s.linger(ctx)
	}
	s.enter(mcpsf.PhaseDrive)
	if err := s.speakUp(ctx); err != nil {
		return err
	}
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
	return s.linger(ctx)
}

func (s *session) initialize(ctx context.Context) error {
	s.opts.Progress("start", 0, 1)
	raw, err := s.ask(ctx, request{
		method: methodInitialize, timeout: s.opts.StartTimeout,
		params: map[string]any{
			"protocolVersion": protocolVersion,
			"capabilities":    s.capabilities(),
			"clientInfo":      map[string]any{"name": s.opts.Client.Name, "version": s.opts.Client.Version},
		},
	})
	if err != nil || raw == nil {
		return err
	}
	s.opts.Progress("start", 1, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Initialized = true
	s.out.StartSeconds = time.Since(s.begun).Seconds()
	s.greet(raw)
	return nil
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
	if !slices.Contains(knownVersions(), s.out.Protocol) {
		shown, _ := clip(s.out.Protocol, 32)
		s.noteLocked(fmt.Sprintf("speaks an unknown protocol version: %q", shown))
	}
	if isObject(r.Capabilities) && len(r.Capabilities) <= maxSchema {
		s.out.Capabilities = r.Capabilities
	} else {
		s.noteLocked("did not declare its capabilities")
	}
}
