package monitor

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// place turns a message into its event. r is the record that reached it, nil
// if none did.
func (m *Monitor) place(q *queued, r *wire.Record) {
	switch {
	case q.Kind == mcpsf.MessageClose:
		m.timeline.stop(max(q.seen, m.clock))
	case q.Stream == mcpsf.Stdin && q.Kind == mcpsf.MessageRequest:
		m.request(q)
	case q.Stream == mcpsf.Stdin:
		o := m.present()
		if q.Phase != "" {
			o.phase = q.Phase
		}
		e := m.message(o, q)
		e.Cause = 0 // the harness decided to send it
		m.emit(&e)
	default:
		m.output(q, r)
	}
}

// request opens a call.
func (m *Monitor) request(q *queued) {
	if len(m.timeline.calls) == 0 {
		m.flushCall("")
	}
	c := &call{id: clean(q.Call), offset: q.Offset, phase: q.Phase}
	if c.phase == "" {
		c.phase = mcpsf.PhaseDrive
	}
	e := m.message(&origin{call: c, phase: m.timeline.phase(c, q.seen)}, q)
	c.seq = m.emit(&e)
	m.timeline.add(c, m.streams[mcpsf.Stdin].before)
	m.catchUp(c.id)
}

// output is a message of the server: it belongs to the call it names, else to
// the one its writer worked for.
func (m *Monitor) output(q *queued, r *wire.Record) {
	o := m.present()
	if r != nil {
		o = m.originOf(r)
	}
	answered := m.timeline.byID[clean(q.Call)]
	if answered != nil {
		o.call, o.phase = answered, m.timeline.phase(answered, m.clock)
	}
	if q.Kind != mcpsf.MessageResponse || answered == nil {
		e := m.message(o, q)
		m.emit(&e)
		m.leaked(q.leaks, &e)
		return
	}
	if !answered.ended {
		m.flushCall(answered.id)
	}
	e := m.message(o, q)
	e.Cause = answered.seq
	m.emit(&e)
	m.leaked(q.leaks, &e)
	if !answered.ended {
		answered.ended, answered.endedAt = true, m.clock
	}
}

// message starts the event of a message.
func (m *Monitor) message(o *origin, q *queued) mcpsf.Event {
	e := m.base(o, messageKind(q.Kind))
	if q.Call != "" {
		e.Call = clean(q.Call) // also if the server has not read that request
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
		Seconds:    q.Seconds,
		Attack:     q.Attack,
	}
	return e
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

// validJSON keeps a body that was cut in the middle from spoiling the trace:
// what is not JSON becomes a JSON string.
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
