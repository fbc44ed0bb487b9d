package monitor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// place turns a message into its event. r is the record that reached its last
// byte, nil if none did.
func (cv *conversation) place(q *queued, r *wire.Record) {
	switch {
	case q.Kind == mcpsf.MessageClose:
		cv.attr.timeline.stop(max(q.seen, cv.log.clock))
	case q.Stream == mcpsf.Stdin && q.Kind == mcpsf.MessageRequest:
		cv.request(q)
	case q.Stream == mcpsf.Stdin:
		o := cv.log.present()
		if q.Phase != "" {
			o.phase = q.Phase
		}
		e := cv.message(o, q)
		e.Cause = 0 // the driver sent it on its own
		cv.log.emit(&e)
	default:
		cv.output(q, r)
	}
}

// request opens a call.
func (cv *conversation) request(q *queued) {
	if len(cv.attr.timeline.calls) == 0 {
		cv.folds.flushCall("")
	}
	c := &call{id: clean(q.Call), offset: q.Offset, phase: q.Phase}
	if c.phase == "" {
		c.phase = mcpsf.PhaseDrive
	}
	e := cv.message(&origin{call: c, phase: cv.attr.timeline.phase(c, q.seen)}, q)
	c.seq = cv.log.emit(&e)
	cv.attr.timeline.add(c, cv.streams[mcpsf.Stdin].before)
	cv.catchUp(c.id)
}

// output handles a message of the server: it belongs to the call it names, else
// to the one its writer worked for.
func (cv *conversation) output(q *queued, r *wire.Record) {
	o := cv.log.present()
	if r != nil {
		o = cv.attr.originOf(r)
	}
	answered := cv.attr.timeline.byID[clean(q.Call)]
	if answered != nil {
		o.call, o.phase = answered, cv.attr.timeline.phase(answered, cv.log.clock)
	}
	if q.Kind != mcpsf.MessageResponse || answered == nil {
		e := cv.message(o, q)
		cv.log.emit(&e)
		cv.leaks.leaked(q.leaks, &e)
		return
	}
	if !answered.ended {
		cv.folds.flushCall(answered.id)
	}
	e := cv.message(o, q)
	e.Cause = answered.seq
	cv.log.emit(&e)
	cv.leaks.leaked(q.leaks, &e)
	if !answered.ended {
		answered.ended, answered.endedAt = true, cv.log.clock
	}
}

// message starts the event of a message.
func (cv *conversation) message(o *origin, q *queued) mcpsf.Event {
	e := cv.log.base(o, messageKind(q.Kind))
	if q.Call != "" {
		e.Call = clean(q.Call) // even if the server has not read that request
	}
	e.MCP = &mcpsf.MCPDetail{
		FromServer: q.Stream != mcpsf.Stdin,
		Method:     clean(q.Method),
		Tool:       clean(q.Tool),
		ID:         validJSON(q.ID),
		Body:       validJSON(q.Body),
		Failed:     q.Failed,
		Size:       size(q.Size),
		Truncated:  q.Truncated,
		Digest:     q.digest,
		Seconds:    q.Seconds,
		Attack:     q.Attack,

		ServerValues: q.ServerValues,
	}
	e.Opaque = q.opaque
	return e
}

// digestOfCut returns a digest of a body that is cut. Two results that differ
// behind the cut are told apart by it.
func digestOfCut(m *mcpsf.Message) string {
	if !m.Truncated {
		return ""
	}
	sum := sha256.Sum256(m.Whole)
	return hex.EncodeToString(sum[:12])
}

func messageKind(k mcpsf.MessageKind) mcpsf.Kind {
	switch k {
	case mcpsf.MessageRequest:
		return mcpsf.KindMCPRequest
	case mcpsf.MessageResponse:
		return mcpsf.KindMCPResponse
	case mcpsf.MessageNotification:
		return mcpsf.KindMCPNotification
	case mcpsf.MessageStderr:
		return mcpsf.KindMCPStderr
	default:
		return mcpsf.KindMCPMalformed
	}
}

// validJSON turns a body that is not JSON, because it was cut in the middle,
// into a JSON string, so that the trace stays valid.
func validJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(string(raw))
	if err != nil {
		return nil
	}
	return text
}
