package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// greeter starts the conversation: it agrees on a revision with the server and
// reads the server's description of itself.
type greeter struct {
	requests *requester
	entries  *entryReader
	inbox    *inbox
	out      *mcpsf.Session
	begun    time.Time
}

// initialize starts the conversation in the revision of the options, or in
// another if the server supports only that.
func (g *greeter) initialize(ctx context.Context) error {
	g.requests.opts.Progress("start", 0, 1)
	offer := g.requests.opts.Revision
	if offer == protocol.Stateless {
		other, err := g.discover(ctx)
		if err != nil || g.out.Initialized {
			return err
		}
		offer = protocol.Offered
		if other != "" {
			offer = other
		}
	}
	if err := g.handshake(ctx, offer); err != nil || g.out.Initialized || g.requests.refusal == nil {
		return err
	}
	if other := newest(supported(g.requests.refusal), offer); other != "" && other != protocol.Stateless {
		return g.handshake(ctx, other)
	}
	if g.requests.opts.Revision == protocol.Stateless {
		return nil
	}
	_, err := g.discover(ctx)
	return err
}

// handshake makes the handshake of the revisions with sessions.
func (g *greeter) handshake(ctx context.Context, offer string) error {
	raw, err := g.requests.ask(ctx, request{
		method: protocol.MethodInitialize, server: madeByUs(), timeout: g.requests.opts.Timing.StartTimeout, unless: g.requests.opts.Endpoint.Elsewhere,
		params: map[string]any{
			"protocolVersion": offer,
			"capabilities":    g.requests.client.capabilities(),
			"clientInfo":      g.requests.client.info(),
		},
	})
	if err != nil || raw == nil {
		return err
	}
	g.begin()
	g.greet(raw)
	agreed := g.out.Protocol
	if !slices.Contains(protocol.Revisions(), agreed) || agreed == protocol.Stateless {
		agreed = offer
	}
	g.requests.link.Agree(agreed)
	g.requests.notify(protocol.MethodInitialized, map[string]any{})
	return nil
}

// begin records that the server has answered for the first time.
func (g *greeter) begin() {
	g.requests.opts.Progress("start", 1, 1)
	g.out.Initialized = true
	g.out.StartSeconds = time.Since(g.begun).Seconds()
}

// discover asks a server without sessions for its description. If the server
// supports only another revision, that is returned.
func (g *greeter) discover(ctx context.Context) (other string, err error) {
	g.requests.encoder.stateless = true
	ask := func() (json.RawMessage, error) {
		return g.requests.ask(ctx, request{method: protocol.MethodDiscover, server: madeByUs(), timeout: g.requests.opts.Timing.StartTimeout, params: map[string]any{}})
	}
	raw, err := ask()
	if err == nil && raw == nil && slices.Contains(supported(g.requests.refusal), protocol.Stateless) {
		raw, err = ask() // it offers the revision that it has just refused
	}
	if err != nil {
		return "", err
	}
	var r struct {
		Versions json.RawMessage `json:"supportedVersions"`
	}
	versions := supported(g.requests.refusal)
	if raw != nil && json.Unmarshal(raw, &r) == nil {
		versions = texts(r.Versions)
	}
	if raw == nil || len(versions) > 0 && !slices.Contains(versions, protocol.Stateless) {
		g.requests.encoder.stateless = false
		return newest(versions, ""), nil
	}
	g.begin()
	g.introduce(raw)
	g.requests.link.Agree(protocol.Stateless)
	return "", nil
}

// introduce reads the answer to server/discover like one to initialize.
func (g *greeter) introduce(raw json.RawMessage) {
	var r struct {
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions json.RawMessage `json:"instructions"`
		Server       json.RawMessage `json:"serverInfo"`
		Meta         struct {
			Server json.RawMessage `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(raw, &r) // invalid fields stay empty
	if r.Meta.Server != nil {
		r.Server = r.Meta.Server
	}
	known := map[string]any{"protocolVersion": protocol.Stateless}
	for key, value := range map[string]json.RawMessage{"capabilities": r.Capabilities, "instructions": r.Instructions, "serverInfo": r.Server} {
		if value != nil {
			known[key] = value
		}
	}
	out, err := jsonrpc.Marshal(known)
	if err != nil {
		out = json.RawMessage(`{}`)
	}
	g.greet(out)
}

// supported returns the revisions that an error names.
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

// newest returns the newest of these revisions that we support, "" if there is
// none besides the one that was tried.
func newest(of []string, tried string) string {
	known := protocol.Revisions()
	slices.Reverse(known)
	for _, v := range known {
		if v != tried && slices.Contains(of, v) {
			return v
		}
	}
	return ""
}

// texts returns the strings of a list.
func texts(raw json.RawMessage) []string {
	var list []string
	jsonrpc.Elements(raw, maxIrregularities, func(e json.RawMessage, _ int64) {
		if text, ok := jsonrpc.String(e); ok {
			list = append(list, text)
		}
	})
	return list
}

// greet reads the answer to initialize, field by field.
func (g *greeter) greet(raw json.RawMessage) {
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
		g.entries.note("answered initialize with something other than an object")
		return
	}
	if r.Server == nil || json.Unmarshal(r.Server, &who) != nil {
		g.entries.note("did not say who it is")
	}
	g.out.Name = g.entries.field("server name", who.Name, maxName)
	g.out.Version = g.entries.field("server version", who.Version, maxName)
	g.out.Protocol = g.entries.field("protocol version", r.Protocol, maxName)
	g.inbox.speaks(g.out.Protocol)
	g.out.Instructions = g.entries.field("instructions", r.Instructions, maxProse)
	if !slices.Contains(protocol.Revisions(), g.out.Protocol) {
		shown, _ := jsonrpc.Clip(g.out.Protocol, 32)
		g.entries.note(fmt.Sprintf("speaks an unknown protocol version: %q", shown))
	}
	switch {
	case !jsonrpc.IsObject(r.Capabilities):
		g.entries.note("did not declare its capabilities")
	case len(r.Capabilities) > maxSchema:
		g.entries.note("declared more capabilities than anybody has")
		g.entries.gap(gap.CapabilitiesSize, maxSchema, 0)
	default:
		g.out.Capabilities = r.Capabilities
	}
}
