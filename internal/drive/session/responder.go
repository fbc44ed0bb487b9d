package session

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// Sampler answers sampling requests for the model. It is called in a goroutine
// of its own.
type Sampler func(ctx context.Context, params json.RawMessage) string

// maxSamples bounds how often a server may use an agent's model.
// gap: agent-bounds
const maxSamples = 32

// responder answers the server's requests, as the client or with an agent's
// model. The link's goroutines call it.
type responder struct {
	link    transport.Link
	ledger  *ledger
	client  *client
	maxBody int
	logger  *slog.Logger

	mu      sync.Mutex
	ctx     context.Context //nolint:containedctx // that of the agent, for as long as it uses the server
	sampler Sampler         // nil without an agent
	samples int
	busy    sync.WaitGroup
}

// serve answers a request of the server.
func (r *responder) serve(m mcpsf.Message, params json.RawMessage) {
	if m.ID == nil || r.ledger.Phase() == mcpsf.PhaseStop {
		return
	}
	if m.Method == protocol.MethodSample && r.sampleLater(m, params) {
		return
	}
	result, server := r.client.answer(m.Method, params)
	r.reply(m, result, server)
}

// reply sends an answer, or an error if there is none. It sends nothing once
// the session is ending.
func (r *responder) reply(m mcpsf.Message, result any, server mcpsf.ServerValues) {
	reply := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   json.RawMessage `json:"error,omitempty"`
	}{Version: "2.0", ID: m.ID}
	if result != nil {
		reply.Result, _ = jsonrpc.Marshal(result) // consists of strings and checked JSON
	}
	content := reply.Result
	if content == nil {
		content, _ = jsonrpc.Marshal(&sdk.Error{Code: sdk.CodeMethodNotFound, Message: "Method not found"})
		reply.Error = content
	}
	// Not the SDK's encoder: the id must be returned exactly as received.
	wire, err := jsonrpc.Marshal(reply)
	if err != nil {
		r.logger.Warn("request of the server was not answered", "error", err)
		return
	}
	out := &transport.Outbound{Wire: wire, Written: make(chan struct{}), Message: mcpsf.Message{
		Kind: mcpsf.MessageResponse, Method: m.Method, ID: m.ID, Failed: reply.Error != nil, ServerValues: server,
	}}
	out.Message.Body, out.Message.Truncated = jsonrpc.Body(content, r.maxBody)
	r.ledger.unlessStopping(func(phase mcpsf.Phase) {
		out.Message.Phase = phase
		if err := r.link.Send(out); err != nil {
			r.logger.Debug("message was not sent", "method", out.Message.Method, "error", err)
		}
	})
}

// sample makes an agent's model answer from now on; nil stops that.
func (r *responder) sample(f Sampler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sampler = f
}

// sampleFor sets how long the agent's model may answer.
func (r *responder) sampleFor(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ctx = ctx // ends with the agent
}

// sampleLater lets the agent's model answer, if there is one and its limit is
// not reached.
func (r *responder) sampleLater(m mcpsf.Message, params json.RawMessage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sampler == nil || r.samples >= maxSamples {
		return false
	}
	sampler, ctx, params := r.sampler, r.ctx, bytes.Clone(params)
	r.samples++
	r.busy.Go(func() { r.reply(m, sampled(sampler(ctx, params)), madeByUs()) })
	return true
}
