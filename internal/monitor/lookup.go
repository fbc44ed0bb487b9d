package monitor

import "github.com/mcpsf/mcpsf/internal/wire"

// A server of one event loop asks for a name while it works on one call and
// connects when the answer is there, which may be while it reads the next. The
// connection is the first call's: it asked for the name. Every name has an
// address of its own, so it is known which question a connection follows.

const (
	// followed is how long after a question a connection may be its
	// consequence, beside is how long after the first one further ones are,
	// since clients try several addresses; handshake is how long the first
	// bytes of a connection may take. In nanoseconds.
	followed, beside, handshake = 5e9, 5e8, 2e9
)

// question is a name that a process asked for.
type question struct {
	pid  int32
	name string
}

// asker is who asked, and when the first connection followed.
type asker struct {
	nanos, used int64
	call        *call
}

// stand says in whose place one call acts on a connection, and until when.
type stand struct {
	by, in *call
	until  int64
}

// asks notes who asked for a name.
func (f *flows) asks(o *origin, name string, nanos int64) {
	if o.pid == 0 || name == "" {
		return
	}
	if f.askers == nil || len(f.askers) >= maxFlows {
		f.askers = map[question]asker{}
	}
	f.askers[question{o.pid, name}] = asker{nanos: nanos, call: o.call}
}

// follows returns whose connection this is: that of who connects, or of the
// call that asked for the name.
func (m *Monitor) follows(o *origin, r *wire.Record, name string) *origin {
	q := question{o.pid, name}
	a, ok := m.flows.askers[q]
	switch {
	case !ok || name == "" || r.Op != wire.OpConnect || o.call == nil || a.call == nil || a.call == o.call || a.call.offset > o.call.offset:
		return o
	case r.Nanos-a.nanos > followed || a.used != 0 && r.Nanos-a.used > beside:
		return o
	}
	if a.used == 0 {
		a.used = r.Nanos
		m.flows.askers[q] = a
	}
	first := *o
	first.call, first.phase = a.call, m.timeline.phase(a.call, r.Nanos)
	if f, ok := flowOf(r); ok {
		if m.flows.stands == nil || len(m.flows.stands) >= maxFlows {
			m.flows.stands = map[Flow]stand{}
		}
		m.flows.stands[f] = stand{by: o.call, in: a.call, until: r.Nanos + handshake}
	}
	return &first
}

// inPlace returns who speaks through a connection that was made for another
// call a moment ago.
func (m *Monitor) inPlace(o *origin, f Flow, nanos int64) *origin {
	s, ok := m.flows.stands[f]
	if !ok || o.call != s.by || nanos > s.until {
		return o
	}
	first := *o
	first.call, first.phase = s.in, m.timeline.phase(s.in, nanos)
	return &first
}
