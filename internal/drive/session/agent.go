package session

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// Agent uses the server in place of the driver, once the server has listed what
// it offers.
type Agent func(ctx context.Context, c *AgentClient) error

// AgentClient is the agent's access to the server: its requests are sent and
// recorded like the driver's. It is not safe for concurrent use.
type AgentClient struct {
	out       *mcpsf.Session
	lists     *lister
	requests  *requester
	responder *responder
}

// Result is the server's answer to an agent.
type Result struct {
	Call   string // the call's name in the trace
	Text   string // as a model receives it
	Failed bool
}

// runAgent lets an agent use the server.
func (s *session) runAgent(ctx context.Context, agent Agent) error {
	s.ledger.enter(mcpsf.PhaseDrive)
	if err := s.lists.all(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s.responder.sampleFor(ctx)
	err := agent(ctx, &AgentClient{out: s.out, lists: s.lists, requests: s.requests, responder: s.responder})
	s.responder.sample(nil)
	cancel()
	s.responder.busy.Wait()
	return err
}

// Sample makes the agent's model answer sampling requests from now on.
func (c *AgentClient) Sample(f Sampler) { c.responder.sample(f) }

// Offer returns what the server has listed.
func (c *AgentClient) Offer() *mcpsf.Session { return c.out }

// List lists again what the server offers.
func (c *AgentClient) List(ctx context.Context) (*mcpsf.Session, error) {
	now := mcpsf.Session{Instructions: c.out.Instructions}
	err := c.lists.into(ctx, &now)
	return &now, err
}

// Call calls a tool.
func (c *AgentClient) Call(ctx context.Context, tool string, input schema.Input) (Result, error) {
	r := request{method: protocol.MethodCall, tool: tool, timeout: c.requests.opts.Timing.CallTimeout}
	if i := slices.IndexFunc(c.out.Tools, func(t mcpsf.Tool) bool { return t.Name == tool }); i >= 0 {
		r.name = c.out.Tools[i].CallName()
	}
	result, err := c.requests.ask(ctx, r.with(input))
	return c.read(result, err)
}

// Prompt gets a prompt.
func (c *AgentClient) Prompt(ctx context.Context, name string) (Result, error) {
	return c.read(c.requests.fetch(ctx, protocol.MethodPrompt, map[string]any{"name": name}, madeByUs()))
}

// Read reads a resource.
func (c *AgentClient) Read(ctx context.Context, uri string) (Result, error) {
	return c.read(c.requests.fetch(ctx, protocol.MethodRead, map[string]any{"uri": uri}, listedAddress()))
}

// Gone reports whether the server has ended.
func (c *AgentClient) Gone() bool { return transport.Closed(c.requests.link.Gone()) }

// connectionClosed is what clients tell a model whose call took the server down.
const connectionClosed = "MCP error -32000: Connection closed"

// read turns a result into the text that a model receives.
func (c *AgentClient) read(result json.RawMessage, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	if c.requests.leftOut {
		return Result{Text: connectionClosed, Failed: true}, nil
	}
	last := c.requests.ledger.last()
	// a client tells a model only what is marked
	r := Result{Call: last.ID, Failed: last.Status != mcpsf.CallOK && !last.Unmarked}
	if r.Text = readable(result); r.Text == "" && r.Failed {
		r.Text = last.Note
	}
	return r, nil
}
