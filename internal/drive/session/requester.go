package session

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// request is a request that the driver makes.
type request struct {
	method, tool string
	// name is that of the tool as listed, "" if it is tool.
	name   string
	params any
	// arguments are those that the report shows, nil for none.
	arguments json.RawMessage
	// server are the values in params that the server made. nil means that
	// nobody said: then all of them count as the server's.
	server   mcpsf.ServerValues
	timeout  time.Duration
	note     string
	attack   *mcpsf.AttackDetail // the attack that it makes, nil for none
	progress bool                // asks for progress notifications
	links    []mcpsf.Link        // the arguments that results of earlier calls gave
	// preparing is set if the call only makes the state for an attack.
	preparing bool
	unless    <-chan struct{} // closed if no answer will come
}

// end is how the request ended.
func (r request) end(status mcpsf.CallStatus, why string) ended {
	return ended{status: status, arguments: r.arguments, server: r.server, note: r.note, why: why, preparing: r.preparing}
}

// requester makes requests, one at a time, and waits for their answers.
type requester struct {
	link    transport.Link
	ledger  *ledger
	encoder *encoder
	client  *client
	opts    *Options
	errors  *transport.ErrorLog
	// refusal is the error answer to the last request, nil for none; unmarked are the
	// words of one in an ordinary result; leftOut says that it was not made.
	refusal  json.RawMessage
	unmarked string
	// doubt is what a result said that may be a refusal, "" for nothing.
	doubt   string
	leftOut bool
}

// ask makes one request, answers the server's questions about it, and records
// how it ended. The result is nil unless the server gave one. An error means
// that no further request makes sense. A request that took the server down is not
// made.
func (q *requester) ask(ctx context.Context, r request) (json.RawMessage, error) {
	if q.leftOut = q.opts.Earlier.Resume.leavesOut(&r); q.leftOut {
		return nil, ctx.Err()
	}
	result, err := q.askOnce(ctx, r)
	for range maxInputRounds {
		if err != nil || result == nil {
			return result, err
		}
		next, more := q.furnish(r, result)
		if !more {
			return result, err
		}
		r = next
		result, err = q.askOnce(ctx, r)
	}
	if err == nil && asksBack(result) {
		q.ledger.gap(gap.QuestionsNotAnswered, maxInputRounds, 0)
	}
	return result, err
}

// madeByUs says that the server made no value of a request.
func madeByUs() mcpsf.ServerValues { return mcpsf.ServerValues{} }

// madeByServer says that the server made the value at a pointer.
func madeByServer(pointer string, from mcpsf.ValueOrigin) mcpsf.ServerValues {
	return mcpsf.ServerValues{{Pointer: pointer, From: from}}
}

// use makes a request whose parameters are shown in the report.
func (q *requester) use(ctx context.Context, method string, params map[string]any, server mcpsf.ServerValues) error {
	_, err := q.fetch(ctx, method, params, server)
	return err
}

// fetch does the same and returns the result.
func (q *requester) fetch(ctx context.Context, method string, params map[string]any, server mcpsf.ServerValues) (json.RawMessage, error) {
	shown, err := jsonrpc.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encoding the parameters of %s: %w", method, err)
	}
	return q.ask(ctx, request{method: method, params: params, arguments: shown, server: server, timeout: q.opts.Timing.CallTimeout})
}

func (q *requester) askOnce(ctx context.Context, r request) (json.RawMessage, error) {
	q.refusal, q.unmarked, q.doubt = nil, "", ""
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x, out, err := q.open(r)
	if err != nil {
		return nil, err
	}
	if err := q.link.Send(out); err != nil {
		return nil, q.record(x, r, mcpsf.CallTimeout, err.Error(), errGone)
	}
	late, stop := q.limit(r.timeout)
	defer stop()
	select {
	case a := <-x.answer:
		return q.judge(x, r, a)
	case <-ctx.Done():
		return nil, q.record(x, r, mcpsf.CallTimeout, "the run was over", ctx.Err())
	case <-late:
		return nil, q.expire(x, r, out)
	case <-r.unless:
		return nil, q.record(x, r, mcpsf.CallTimeout, "the server listens and does not answer here", errGone)
	case <-q.link.Gone():
	}
	select {
	case a := <-x.answer: // the server's last output
		return q.judge(x, r, a)
	default:
		return nil, q.record(x, r, mcpsf.CallCrashed, q.link.Why(), errGone)
	}
}

// clockFactor is how many times longer the timeout is by the server's clock
// than by ours: while the server sleeps its clock is advanced, so waiting takes
// no real time.
const clockFactor = 15

// patience returns the timeout by the server's clock. Attacks get no extra
// time.
func (q *requester) patience(timeout time.Duration) time.Duration {
	if q.ledger.Phase() == mcpsf.PhaseAttack {
		return timeout
	}
	return clockFactor * timeout
}

// open numbers the request and adds it to the ledger.
func (q *requester) open(r request) (*exchange, *transport.Outbound, error) {
	if r.server == nil {
		r.server = madeByServer("", mcpsf.OriginUnknown)
	}
	if r.attack == nil && r.tool != "" {
		r.attack = q.opts.Endpoint.HeaderAttack
	}
	n, x := q.ledger.next(r.method, r.tool, r.attack)
	out, err := q.encoder.request(&r, n)
	if err != nil {
		return nil, nil, err
	}
	out.Request, out.Message.Call = x, x.call
	q.ledger.add(x)
	q.opts.Earlier.Resume.sends(x.call, &r)
	return x, out, nil
}

// expire ends a request that was not answered in time. The protocol requires a
// cancellation, except for initialize.
func (q *requester) expire(x *exchange, r request, out *transport.Outbound) error {
	note := fmt.Sprintf("no answer within %v", r.timeout)
	select {
	case <-out.Written:
	default:
		// If this message cannot be written, neither can the next.
		return q.record(x, r, mcpsf.CallTimeout, note+": the server does not read its input", errGone)
	}
	if r.method != protocol.MethodInitialize {
		q.cancel(out, "timeout")
	}
	return q.record(x, r, mcpsf.CallTimeout, note, nil)
}

// record records how a request ended and returns err.
func (q *requester) record(x *exchange, r request, status mcpsf.CallStatus, why string, err error) error {
	e := r.end(status, why)
	e.unmarked, e.doubtful = q.unmarked != "", q.doubt != ""
	q.ledger.record(x, e)
	return err
}

// cancel tells the server that a request is cancelled.
func (q *requester) cancel(of *transport.Outbound, reason string) {
	q.tell(protocol.MethodCancelled, map[string]any{"requestId": of.Message.ID, "reason": reason}, string(of.Message.ID))
}

// notify sends a notification, without waiting.
func (q *requester) notify(method string, params any) { q.tell(method, params, "") }

func (q *requester) tell(method string, params any, cancels string) {
	out, err := q.encoder.notification(method, params)
	if err != nil {
		q.opts.Logger.Warn("notification was not sent", "method", method, "error", err)
		return
	}
	out.Cancels = cancels
	q.post(out)
}

// post sends a message that needs no answer.
func (q *requester) post(out *transport.Outbound) {
	if err := q.link.Send(out); err != nil {
		q.opts.Logger.Debug("message was not sent", "method", out.Message.Method, "error", err)
	}
}

// hasSessions reports whether the revision in use has sessions.
func (q *requester) hasSessions() bool { return !q.encoder.stateless }

const (
	// maxInputRounds is how often a server may ask the client about one
	// request.
	// gap: questions-not-answered
	maxInputRounds = 8
	// maxInputs is how many questions it may ask each time.
	// gap: questions-not-answered
	maxInputs = 32
)

// furnish answers the questions that the server asks before it can answer a
// request, and returns the request with these answers. ok is false if there is
// nothing to repeat.
func (q *requester) furnish(r request, result json.RawMessage) (request, bool) {
	var need struct {
		Inputs map[string]json.RawMessage `json:"inputRequests"`
		State  json.RawMessage            `json:"requestState"`
	}
	params, ok := r.params.(map[string]any)
	if !ok || q.hasSessions() || !asksBack(result) || json.Unmarshal(result, &need) != nil {
		return r, false
	}
	params = maps.Clone(params)
	delete(params, "requestState")
	delete(params, "inputResponses")
	if need.State != nil {
		params["requestState"] = need.State
	}
	if len(need.Inputs) > maxInputs {
		q.ledger.gap(gap.QuestionsNotAnswered, maxInputs, len(need.Inputs)-maxInputs)
	}
	answers, server := q.client.inputs(need.Inputs)
	if len(answers) > 0 {
		params["inputResponses"] = answers
	}
	if r.server != nil { // nil stays: nobody said who made the rest
		r.server = append(r.server.Without("/inputResponses"), server.Under("/inputResponses")...)
	}
	r.params = params
	return r, true
}

// asksBack reports whether a result is a question to the client.
func asksBack(result json.RawMessage) bool {
	var r struct {
		Type json.RawMessage `json:"resultType"`
	}
	if !jsonrpc.IsObject(result) || json.Unmarshal(result, &r) != nil {
		return false
	}
	kind, _ := jsonrpc.String(r.Type)
	return kind == "input_required"
}
