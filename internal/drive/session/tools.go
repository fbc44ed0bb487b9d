package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
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
	// calling are the tools that are being called: the last one now, each other one
	// waits for the next.
	calling []*ongoing
	looked  int // how often tools were looked for that a text may mean
	waits   int // how often we waited because calls came too fast

	*learned
}

func newToolCaller(requests *requester, out *mcpsf.Session, waiter *waiter) *toolCaller {
	o := requests.opts
	return &toolCaller{requests: requests, inputs: &o.Inputs, out: out, waiter: waiter, learned: o.Earlier.Resume.tools(&o.Inputs)}
}

// call calls a tool with inputs that differ from round to round. A tool that is
// annotated as idempotent is called twice with the same input. If it refuses, the
// call is made again with what the error asks for.
func (t *toolCaller) call(ctx context.Context, i, round int) error {
	tool := t.out.Tools[i]
	if !t.callable(&tool) || !t.requests.opts.Earlier.Resume.begin(fmt.Sprintf("call %d %d %s", round, i, definition(&tool))) {
		return nil
	}
	if round == 1 && isIdempotent(tool.Annotations) {
		round = 0
	}
	r, err := t.request(i, round)
	if err != nil {
		return err
	}
	if r, err = t.another(i, round, r); err != nil {
		return err
	}
	return t.try(ctx, i, r)
}

// maxOthers is how many other inputs are made in place of one that was refused before.
// no gap: the refused one is then sent again
const maxOthers = 3

// another returns a call with another input, if the tool refused this one in an earlier
// round and nothing was made since that it may have lacked.
func (t *toolCaller) another(i, round int, r request) (request, error) {
	tool := &t.out.Tools[i]
	if !t.repairs.wasSent(tool, r.input()) || t.history.MayWorkNow(definition(tool)) {
		return r, nil
	}
	for n := range maxOthers {
		other, err := t.request(i, round+(n+1)*max(1, t.inputs.Rounds))
		if err != nil {
			return r, err
		}
		if !t.repairs.wasSent(tool, other.input()) {
			return other, nil
		}
	}
	least, err := schema.Minimal(t.schemaOf(tool), t.inputs.Values.ForTool(tool), t.inputs.Seed+uint64(i))
	if err == nil && jsonrpc.IsObject(least.JSON) && !t.repairs.wasSent(tool, least) {
		return r.with(least), nil
	}
	return r, nil
}

// try makes a call, and makes it again with what the error asks for.
func (t *toolCaller) try(ctx context.Context, i int, r request) error {
	tool := t.out.Tools[i]
	t.calling = append(t.calling, &ongoing{definition: definition(&tool), asked: map[int]bool{}})
	defer func() { t.calling = t.calling[:len(t.calling)-1] }()
	var open retries
	defer func() { t.settle(&tool, &open) }()
	if in := t.taught(&tool, r.input(), t.shared(&tool, r.input())); !t.repairs.wasSent(&tool, in) {
		r = r.with(in)
	}
	for effort := mcpsf.EffortUsual; ; effort = mcpsf.EffortMended {
		got, again, err := t.attempt(ctx, &tool, r, effort)
		switch {
		case err == nil && again:
			continue
		case err != nil, got.why == "":
			open.end(err)
			return err
		}
		wishes := outdated(t.out.Tools, r, got.why, mentioned(t.out.Tools, &tool, got.why, t.wishes(&tool, got.why)))
		wishes = t.missing(&tool, r.input(), got.why, wishes)
		t.repairs.hears(&tool, got.why)
		if got.result != nil {
			open.add(r, &got)
			t.repairs.refuses(&tool, r.input())
		} else if next, changed := t.refused(&tool, r, wishes); changed {
			r = next
			continue
		}
		if next, _, changed := t.share(&tool, r, wishes); changed && got.result == nil {
			r = next
			continue
		}
		prepared, ready, err := t.prepare(ctx, i, r, wishes)
		switch {
		case err != nil:
			return err
		case got.result != nil && ready:
			open.list = nil // it is made again
			t.requests.ledger.isRepeated(got.call)
			r = prepared
			continue
		}
		if next, shares, _ := t.share(&tool, prepared, wishes); ready && shares {
			r = next // what is missing is there now, and nothing else is changed
			continue
		}
		if next, ok := t.rechoose(&tool, prepared, wishes); ok {
			r = next
			continue
		}
		t.repairs.proven = t.proofs.Of(tool.Name)
		input, changed := t.repairs.next(&tool, prepared.input(), got.why, wishes, t.inputs.Seed+uint64(i))
		if changed || ready {
			r = prepared.with(input)
		} else if r, again = t.otherwise(i, r); !again {
			return nil
		}
	}
}

// wishes are what a tool asks for when it refuses a call.
func (t *toolCaller) wishes(tool *mcpsf.Tool, why string) []mcpsf.Wish {
	return refusal.Naming(why, schema.Parameters(t.schemaOf(tool)), refusal.Read(why))
}

// attempt makes a call, and reports whether to make it again as it is.
func (t *toolCaller) attempt(ctx context.Context, tool *mcpsf.Tool, r request, effort mcpsf.Effort) (got outcome, again bool, err error) {
	got, err = t.callOnce(ctx, tool, r)
	if got.why != "" {
		t.requests.ledger.tried(t.requests.ledger.last().ID, effort)
	}
	if err == nil {
		again, err = t.sameAgain(ctx, tool, &got)
	}
	return got, again, err
}

// refused notes that a tool refused a call, and returns it without the lessons that were
// wrong; it reports whether there are any.
func (t *toolCaller) refused(tool *mcpsf.Tool, r request, wishes []mcpsf.Wish) (request, bool) {
	t.history.Refused(definition(tool))
	t.repairs.refuses(tool, r.input())
	wrong := t.wrong(tool, r.input(), wishes)
	t.repairs.lessons.settle(tool.Name, wrong)
	return t.unlearned(tool, r, wrong)
}

// outcome is how a call ended: why the server refused it, or the result. It has both
// if the result only says that it did.
type outcome struct {
	call, why string
	result    json.RawMessage
}

// callOnce makes one call.
func (t *toolCaller) callOnce(ctx context.Context, tool *mcpsf.Tool, r request) (outcome, error) {
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
		return outcome{}, (&tasks{t}).call(ctx, r)
	}
	logged := t.requests.errors.Lines()
	result, err := t.requests.ask(ctx, r)
	if why := t.requests.refusedBecause(result); result == nil || jsonrpc.IsErrorResult(result) || why != "" {
		if result != nil && !jsonrpc.IsErrorResult(result) {
			t.based(tool, r)
		}
		return outcome{why: t.explained(ctx, why, logged)}, err
	}
	got := outcome{call: t.requests.ledger.last().ID, why: cmp.Or(saidRefusal(result), t.requests.doubt), result: result}
	if got.why == "" {
		t.worked(tool, r, &got)
	}
	return got, err
}

// How often and how long to wait for what a server logs of a call that it answered.
// no gap: a later line explains nothing, and is in the record
const (
	logLooks = 5
	logWait  = 20 * time.Millisecond
)

// explained adds to a refusal without a reason what the server logged meanwhile: many
// libraries give their client no more than "Error executing tool".
func (t *toolCaller) explained(ctx context.Context, why string, logged int) string {
	if why == "" || !refusal.IsBare(why) {
		return why
	}
	said := refusal.Logged(t.requests.errors.Since(logged))
	for n := 0; n < logLooks && said == "" && t.waiter.stay(ctx, logWait) == nil; n++ {
		said = refusal.Logged(t.requests.errors.Since(logged))
	}
	if said == "" {
		return why
	}
	t.requests.ledger.explain(t.requests.ledger.last().ID, said)
	return strings.TrimRight(why, ":. \n") + ": " + said
}

// worked remembers a call that worked, and on what it depended.
func (t *toolCaller) worked(tool *mcpsf.Tool, r request, got *outcome) {
	t.repairs.done(tool, r.input())
	t.repairs.lessons.settle(tool.Name, nil)
	t.proofs.Note(tool.Name, r.input())
	t.memory.Sent(r.input())
	if got.why == "" { // a refusal names nothing that was made
		t.memory.Learn(r.tool, got.result)
	}
	steps := t.history.Worked(definition(tool), r.step(tool, t.repairs.of(tool)), t.begun().prepared)
	t.requests.ledger.dependsOn(got.call, steps)
}

// based remembers on what a call depended that an ordinary result refused: if no other
// call of the tool works, attacks are based on it.
func (t *toolCaller) based(tool *mcpsf.Tool, r request) {
	steps := t.history.Tried(definition(tool), r.step(tool, t.repairs.of(tool)), t.begun().prepared)
	t.requests.ledger.dependsOn(t.requests.ledger.last().ID, steps)
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
	input, err := schema.Vary(tool.InputSchema, t.inputs.Values.ForTool(&tool), t.inputs.Seed+uint64(i), round)
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
	input, links := t.memory.Fill(tool, input)
	return r.linked(links).with(known.based(input)), nil
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
