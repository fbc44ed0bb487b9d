package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// maxMalformed is how much of a malformed message the trace shows.
// no gap: bounds what is shown of our own message
const maxMalformed = 4 << 10

// maxOpen is how many arrays and objects a message may open before it is shown as
// text.
// no gap: bounds what is shown of our own message
const maxOpen = 32

// throw sends bytes that need not be a valid message. The transports send them
// unchanged.
func (f *fuzzer) throw(m *fuzz.Message) (*exchange, error) {
	n, x := f.ledger.next(m.Method, m.Tool, nil)
	wire := m.Wire(int64(n))
	x.attack = &mcpsf.AttackDetail{
		Class: mcpsf.ClassProtocol, Payload: fuzz.Told(wire), Why: m.Why, Sign: mcpsf.SignDisruption,
	}
	out := &transport.Outbound{Wire: wire, Cuts: m.Cuts(), Request: x, Written: make(chan struct{}), Message: mcpsf.Message{
		Kind: mcpsf.MessageRequest, Phase: f.ledger.Phase(), Call: x.call, Method: m.Method, Tool: m.Tool, Attack: x.attack, ServerValues: m.Server,
	}}
	out.Message.Body, out.Message.Truncated = malformedBody(wire)
	f.ledger.addMalformed(x)
	if err := f.link.Send(out); err != nil {
		return nil, fmt.Errorf("sending a malformed message: %w", errGone)
	}
	return x, nil
}

// malformedBody returns what the trace shows of a message: its parameters, if
// it has any, because they explain the server's reaction. Parts that could
// break a reader of the trace are shown as text.
func malformedBody(wire []byte) (json.RawMessage, bool) {
	var e jsonrpc.Envelope
	if len(wire) <= maxMalformed && bytes.Count(wire, []byte("["))+bytes.Count(wire, []byte("{")) <= maxOpen && utf8.Valid(wire) && json.Unmarshal(wire, &e) == nil && jsonrpc.IsObject(e.Params) {
		return e.Params, false
	}
	return jsonrpc.Text(wire, maxMalformed)
}

// await waits briefly for the answer to a malformed message: there may be none.
func (f *fuzzer) await(ctx context.Context, x *exchange, limit time.Duration) (Outcome, error) {
	late, stop := f.opts.Timing.Clock.After(limit)
	defer stop()
	var a answer
	status, outcome := mcpsf.CallTimeout, Ignored
	var err error
	select {
	case a = <-x.answer:
		status, outcome = mcpsf.CallOK, Answered
		if a.failure != nil || a.refused != "" || jsonrpc.IsErrorResult(a.result) {
			status, outcome = mcpsf.CallRefused, Refused
		}
	case <-late:
	case <-f.link.Gone():
		status, outcome, err = mcpsf.CallCrashed, Ended, errGone
	case <-ctx.Done():
		err = ctx.Err()
	}
	f.ledger.record(x, ended{status: status, note: x.attack.Why})
	return outcome, err
}
