package session

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// The revisions: the newest that has sessions, which is offered unless the
// options say another; the first whose requests name it in a header; and the
// one that has no sessions.
const (
	protocolVersion  = "2025-11-25"
	batchVersion     = "2025-03-26"
	headerVersion    = "2025-06-18"
	statelessVersion = "2026-07-28"
)

// Revisions are those of the protocol that are spoken, oldest first.
func Revisions() []string {
	return []string{"2024-11-05", batchVersion, headerVersion, protocolVersion, statelessVersion}
}

// initialize begins the conversation in the revision the options say, or in
// another if the server only speaks that.
func (s *session) initialize(ctx context.Context) error {
	s.opts.Progress("start", 0, 1)
	offer := s.opts.Revision
	if offer == statelessVersion {
		other, err := s.discover(ctx)
		if err != nil || s.out.Initialized {
			return err
		}
		offer = protocolVersion
		if other != "" {
			offer = other
		}
	}
	if err := s.greeting(ctx, offer); err != nil || s.out.Initialized || s.refusal == nil {
		return err
	}
	if other := newest(supported(s.refusal), offer); other != "" && other != statelessVersion {
		return s.greeting(ctx, other)
	}
	if s.opts.Revision == statelessVersion {
		return nil
	}
	_, err := s.discover(ctx)
	return err
}

// greeting makes the handshake of the revisions with sessions.
func (s *session) greeting(ctx context.Context, offer string) error {
	raw, err := s.ask(ctx, request{
		method: methodInitialize, timeout: s.opts.StartTimeout, unless: s.opts.Elsewhere,
		params: map[string]any{
			"protocolVersion": offer,
			"capabilities":    s.capabilities(),
			"clientInfo":      s.whoWeAre(),
		},
	})
	if err != nil || raw == nil {
		return err
	}
	s.begin(func() { s.greet(raw) })
	agreed := s.out.Protocol
	if !slices.Contains(Revisions(), agreed) || agreed == statelessVersion {
		agreed = offer
	}
	s.link.agree(agreed)
	s.notify(methodInitialized, map[string]any{})
	return nil
}

// begin notes that the server has answered for the first time.
func (s *session) begin(read func()) {
	s.opts.Progress("start", 1, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Initialized = true
	s.out.StartSeconds = time.Since(s.begun).Seconds()
	read()
}

func (s *session) whoWeAre() map[string]any {
	return map[string]any{"name": s.opts.Client.Name, "version": s.opts.Client.Version}
}

// discover asks a server that has no sessions what it is. If it speaks
// another revision, that is returned.
func (s *session) discover(ctx context.Context) (other string, err error) {
	s.setStateless(true)
	ask := func() (json.RawMessage, error) {
		return s.ask(ctx, request{method: methodDiscover, timeout: s.opts.StartTimeout, params: map[string]any{}})
	}
	raw, err := ask()
	if err == nil && raw == nil && slices.Contains(supported(s.refusal), statelessVersion) {
		raw, err = ask() // it names what it has just refused
	}
	if err != nil {
		return "", err
	}
	var r struct {
		Versions json.RawMessage `json:"supportedVersions"`
	}
	versions := supported(s.refusal)
	if raw != nil && json.Unmarshal(raw, &r) == nil {
		versions = texts(r.Versions)
	}
	if raw == nil || len(versions) > 0 && !slices.Contains(versions, statelessVersion) {
		s.setStateless(false)
		return newest(versions, ""), nil
	}
	s.begin(func() { s.introduce(raw) })
	s.link.agree(statelessVersion)
	return "", nil
}

func (s *session) setStateless(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stateless = yes
}

// introduce reads the answer to server/discover as if it were one to
// initialize. The caller holds mu.
func (s *session) introduce(raw json.RawMessage) {
	var r struct {
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions json.RawMessage `json:"instructions"`
		Server       json.RawMessage `json:"serverInfo"`
		Meta         struct {
			Server json.RawMessage `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(raw, &r) // what makes no sense is missing then
	if r.Meta.Server != nil {
		r.Server = r.Meta.Server
	}
	known := map[string]any{"protocolVersion": statelessVersion}
	for key, value := range map[string]json.RawMessage{"capabilities": r.Capabilities, "instructions": r.Instructions, "serverInfo": r.Server} {
		if value != nil {
			known[key] = value
		}
	}
	out, err := marshal(known)
	if err != nil {
		out = json.RawMessage(`{}`)
	}
	s.greet(out)
}

// supported are the revisions that a refusal names.
func supported(refusal json.RawMessage) []string {
	var r struct {
		Data struct {
			Supported json.RawMessage `json:"supported"`
		} `json:"data"`
	}
	if json.Unmarshal(refusal, &r) != nil {
		return nil
	}
	return texts(r.Data.Supported)
}

// newest is the newest revision we know of those, "" if there is none beside
// the one that was tried.
func newest(of []string, tried string) string {
	known := Revisions()
	slices.Reverse(known)
	for _, v := range known {
		if v != tried && slices.Contains(of, v) {
			return v
		}
	}
	return ""
}

// texts are the strings of a list.
func texts(raw json.RawMessage) []string {
	var list []string
	elements(raw, maxIrregularities, func(e json.RawMessage, _ int64) {
		if text, ok := asString(e); ok {
			list = append(list, text)
		}
	})
	return list
}

// hasSessions tells whether what is spoken knows sessions.
func (s *session) hasSessions() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.stateless
}
