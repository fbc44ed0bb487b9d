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
)

// maxOdd is how much of an odd message the trace has.
const maxOdd = 4 << 10

// maxOpen is how many lists and objects a message may begin to be shown as it
// is.
const maxOpen = 32

// throw sends bytes that need not be a message. Every link takes them like its
// other messages: what stands in an [outbound] is sent as it is.
func (s *session) throw(m *fuzz.Message) (*exchange, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.exchanges) + 1
	wire := m.Wire(int64(n))
	x := &exchange{
		call: fmt.Sprintf("c%d", s.opts.FirstCall+n), method: m.Method, tool: m.Tool, sent: time.Now(), answer: make(chan answer, 1),
		attack: &mcpsf.AttackDetail{
			Class: mcpsf.ClassProtocol, Payload: fuzz.Told(wire), Why: m.Why, Sign: mcpsf.SignDisruption,
		},
	}
	out := &outbound{wire: wire, cuts: m.Cuts(), exchange: x, written: make(chan struct{}), message: mcpsf.Message{
		Kind: mcpsf.MessageRequest, Phase: s.phase, Call: x.call, Method: m.Method, Tool: m.Tool, Attack: x.attack,
	}}
	out.message.Body, out.message.Truncated = oddBody(wire)
	s.exchanges, s.odd = append(s.exchanges, x), x
	if err := s.link.send(out); err != nil {
		return nil, fmt.Errorf("sending an odd message: %w", errGone)
	}
	return x, nil
}

// oddBody is what the trace shows of a message: its parameters, if it has any,
// because they explain what the server does with them. Who reads the trace
// need not get over what the server has to.
func oddBody(wire []byte) (json.RawMessage, bool) {
	var e envelope
	if len(wire) <= maxOdd && bytes.Count(wire, []byte("["))+bytes.Count(wire, []byte("{")) <= maxOpen && utf8.Valid(wire) && json.Unmarshal(wire, &e) == nil && isObject(e.Params) {
		return e.Params, false
	}
	return text(wire, maxOdd)
}

// await waits for the answer to an odd message, not for long: there may be none.
func (s *session) await(ctx context.Context, x *exchange, limit time.Duration) (Outcome, error) {
	late, stop := s.opts.Clock.After(limit)
	defer stop()
	var a answer
	status, outcome := mcpsf.CallTimeout, Ignored
	var err error
	select {
	case a = <-x.answer:
		status, outcome = mcpsf.CallOK, Answered
		if a.failure != nil || a.refused != "" || saysError(a.result) {
			status, outcome = mcpsf.CallRefused, Refused
		}
	case <-late:
	case <-s.link.gone():
		status, outcome, err = mcpsf.CallCrashed, Ended, errGone
	case <-ctx.Done():
		err = ctx.Err()
	}
	return outcome, s.record(x, request{note: x.attack.Why}, status, "", err)
}
