package session

import (
	"fmt"
	"maps"

	sdk "github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// The keys of _meta in revisions without sessions.
const (
	metaRevision     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLog          = "io.modelcontextprotocol/logLevel"
)

// encoder encodes requests and notifications, with the metadata that the
// revision requires.
type encoder struct {
	ledger  *ledger
	client  *client
	maxBody int
	tools   func() []mcpsf.Tool // the known tools

	stateless bool // no session: each request carries all metadata
	loud      bool // asks the server to log everything
}

// request encodes the request with JSON-RPC id n.
func (e *encoder) request(r *request, n int) (*transport.Outbound, error) {
	out, err := e.encode(r.method, e.withMeta(r, n), float64(n))
	if err != nil {
		return nil, err
	}
	out.Headers = e.headers(r)
	out.Message.Kind = mcpsf.MessageRequest
	out.Message.Tool, out.Message.Attack, out.Message.ServerValues = r.tool, r.attack, r.server
	return out, nil
}

func (e *encoder) notification(method string, params any) (*transport.Outbound, error) {
	out, err := e.encode(method, params, nil)
	if err == nil {
		out.Message.Kind = mcpsf.MessageNotification
	}
	return out, err
}

// encode encodes a request, or a notification if id is nil.
func (e *encoder) encode(method string, params, id any) (*transport.Outbound, error) {
	raw, err := jsonrpc.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encoding the parameters of %s: %w", method, err)
	}
	rid, err := sdk.MakeID(id)
	if err != nil {
		return nil, fmt.Errorf("making an id for %s: %w", method, err)
	}
	wire, err := sdk.EncodeMessage(&sdk.Request{ID: rid, Method: method, Params: raw})
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	out := &transport.Outbound{Wire: wire, Written: make(chan struct{})}
	out.Message.Phase, out.Message.Method = e.ledger.Phase(), method
	out.Message.Body, out.Message.Truncated = jsonrpc.Body(raw, e.maxBody)
	if rid.IsValid() {
		out.Message.ID = fmt.Append(nil, rid.Raw())
	}
	return out, nil
}

// withMeta adds the metadata that the revision requires: the client's identity
// if there are no sessions, and the token for progress notifications.
func (e *encoder) withMeta(r *request, n int) any {
	params, ok := r.params.(map[string]any)
	if !ok || !e.stateless && !r.progress {
		return r.params
	}
	meta := map[string]any{}
	if r.progress {
		meta["progressToken"] = n
	}
	if e.stateless {
		meta[metaRevision], meta[metaClient], meta[metaCapabilities] = protocol.Stateless, e.client.info(), e.client.capabilities()
		if e.loud {
			meta[metaLog] = "debug"
		}
	}
	params = maps.Clone(params)
	params["_meta"] = meta
	return params
}

// headers returns the HTTP headers that repeat parts of the request, in
// revisions without sessions.
func (e *encoder) headers(r *request) map[string]string {
	if !e.stateless {
		return nil
	}
	heads := map[string]string{protocol.HeaderRevision: protocol.Stateless, protocol.HeaderMethod: r.method}
	params, _ := r.params.(map[string]any)
	for _, key := range []string{"name", "uri"} {
		if name, ok := params[key].(string); ok {
			heads[protocol.HeaderName] = inHeader(name)
		}
	}
	if r.tool == "" {
		return heads
	}
	for _, tool := range e.tools() {
		if tool.Name == r.tool {
			list, _ := boundHeaders(tool.InputSchema)
			maps.Copy(heads, filled(list, r.arguments))
			break
		}
	}
	return heads
}
