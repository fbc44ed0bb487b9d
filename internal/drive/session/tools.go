package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// toolCaller calls tools with inputs made for them, and remembers what their
// calls need.
type toolCaller struct {
	requests *requester
	inputs   *Inputs
	out      *mcpsf.Session
	waiter   *waiter

	slow    map[string]bool // slow tools
	repairs *repairs        // what tools asked for when they refused a call
	memory  chain.Memory    // values from earlier results
	unfit   map[string]bool // tools that demand a larger input than is made
}

func newToolCaller(requests *requester, out *mcpsf.Session, waiter *waiter) *toolCaller {
	return &toolCaller{
		requests: requests, inputs: &requests.opts.Inputs, out: out, waiter: waiter,
		slow: map[string]bool{}, repairs: newRepairs(&requests.opts.Inputs), unfit: map[string]bool{},
	}
}

// call calls a tool with inputs that differ from round to round. A tool that is
// annotated as idempotent is called twice with the same input. If it refuses, the
// call is made again with what the error asks for.
func (t *toolCaller) call(ctx context.Context, i, round int) error {
	tool := t.out.Tools[i]
	if !t.callable(&tool) {
		return nil
	}
	if round == 1 && isIdempotent(tool.Annotations) {
		round = 0
	}
	r, err := t.request(i, round)
	if err != nil {
		return err
	}
	for again := true; again; {
		why, err := t.callOnce(ctx, &tool, r)
		if err != nil || why == "" {
			return err
		}
		var input schema.Input
		input, again = t.repairs.next(&tool, r.input(), why, t.inputs.Seed+uint64(i))
		r = r.with(input)
	}
	return nil
}

// callOnce makes one call and returns the error text if the server refused it.
func (t *toolCaller) callOnce(ctx context.Context, tool *mcpsf.Tool, r request) (refusal string, err error) {
	watch := t.requests.opts.Timing.stopwatch()
	defer func() {
		if watch.elapsed() > tooSlow {
			t.slow[definition(tool)] = true
		}
	}()
	if t.inputs.World != nil {
		t.inputs.World.Calling(tool.Name)
	}
	if t.onlyAsTask(tool) {
		return "", (&tasks{t}).call(ctx, r)
	}
	result, err := t.requests.ask(ctx, r)
	switch {
	case result == nil:
		return t.refused(), err
	case jsonrpc.IsErrorResult(result):
		return firstText(result, maxProse), err
	}
	t.repairs.done(tool, r.input())
	t.memory.Learn(r.tool, result)
	return "", err
}

// refused returns the error text of the last call.
func (t *toolCaller) refused() string {
	if last := t.requests.ledger.last(); last.Status == mcpsf.CallRefused {
		return cmp.Or(errorText(t.requests.refusal), last.Note)
	}
	return ""
}

// schemaOf returns the tool's schema as listed, completed by what its errors
// demanded.
func (t *toolCaller) schemaOf(tool *mcpsf.Tool) json.RawMessage { return t.repairs.of(tool).schema }

// definition identifies a tool. Two may have the same name.
func definition(tool *mcpsf.Tool) string { return tool.Name + "\x00" + string(tool.InputSchema) }

// callable reports whether a tool is called at all. Every client rejects a tool
// with invalid header annotations.
func (t *toolCaller) callable(tool *mcpsf.Tool) bool {
	if !t.inputs.May(tool) {
		return false
	}
	if t.requests.hasSessions() || t.requests.link.Stream() != mcpsf.Served {
		return true
	}
	_, sane := boundHeaders(tool.InputSchema)
	if !sane {
		t.requests.ledger.Note("listed a tool whose headers make no sense")
	}
	return sane
}

// request is a call of a tool with inputs made for it.
func (t *toolCaller) request(i, round int) (request, error) {
	tool := t.out.Tools[i]
	known := t.repairs.of(&tool)
	r := request{method: protocol.MethodCall, tool: tool.Name, name: tool.CallName(), timeout: t.requests.opts.Timing.CallTimeout, progress: true}
	if known.worked.JSON != nil && round == 0 {
		return r.with(known.worked), nil
	}
	tool.InputSchema = known.schema
	input, err := schema.Vary(tool.InputSchema, t.inputs.Values.For(tool.Name), t.inputs.Seed+uint64(i), round)
	if err != nil {
		r.note = "the arguments may not fit the schema"
		if !errors.Is(err, schema.ErrUnsatisfied) {
			return request{}, fmt.Errorf("making an input: %w", err)
		}
		if errors.Is(err, schema.ErrTooLarge) {
			t.tooLarge(tool.Name)
		}
	}
	if !jsonrpc.IsObject(input.JSON) {
		input, r.note = schema.Input{JSON: json.RawMessage(`{}`)}, "the schema does not describe an object"
	}
	input, _ = t.memory.Fill(tool, input)
	return r.with(known.based(input)), nil
}

// tooLarge records that a tool was not called with a valid input, because its
// schema demands a larger one than is made.
func (t *toolCaller) tooLarge(tool string) {
	const named = 10 // further tools are not named
	if t.unfit[tool] {
		return
	}
	if t.unfit[tool] = true; len(t.unfit) > named {
		t.requests.ledger.gap(gap.InputsTooLarge, 0, len(t.unfit))
		return
	}
	t.requests.ledger.addGap(gap.Detailed(gap.InputsTooLarge,
		fmt.Sprintf("what %s does with a valid input: its schema demands a larger one than is made", safetext.Line(tool, 60))))
}

// with returns the call of a tool with another input.
func (r request) with(input schema.Input) request {
	r.arguments, r.params = input.JSON, map[string]any{"name": cmp.Or(r.name, r.tool), "arguments": input.JSON}
	r.server = input.Server.Under(inArguments)
	return r
}

// input returns the input of a tool's call.
func (r request) input() schema.Input {
	return schema.Input{JSON: r.arguments, Server: r.server.Inside(inArguments)}
}

// inArguments is the place of a tool's input in the parameters of its call.
const inArguments = "/arguments"

// isIdempotent reports whether the annotations of a tool call it idempotent.
func isIdempotent(annotations json.RawMessage) bool {
	var hints struct {
		Same json.RawMessage `json:"idempotentHint"`
	}
	return jsonrpc.IsObject(annotations) && json.Unmarshal(annotations, &hints) == nil && jsonrpc.IsTrue(hints.Same)
}
