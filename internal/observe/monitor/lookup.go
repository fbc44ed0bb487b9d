package monitor

import "github.com/mcpsf/mcpsf/internal/sandbox/wire"

// A server of one event loop asks for a name while it works on one call,
// connects when the answer is there and speaks when the connection is, which
// may be while it reads the next. All of it is the first call's: it asked for
// the name. Every name has an address of its own, so it is known which question
// a connection follows; and what is said through it up to the first request is
// said for whoever made it.

const (
	// followed is how long after a question a connection may be its
	// consequence, beside is how long after the first one further ones are,
	// since clients try several addresses; handshake is how long it may take to
	// the first request. In nanoseconds.
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

// maker is the call that a connection was made for, and until when that says
// who speaks; spoken is when the first request was seen.
type maker struct {
	call          *call
	until, spoken int64
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
func (n *network) follows(o *origin, r *wire.Record, name string) *origin {
	q := question{o.pid, name}
	a, ok := n.flows.askers[q]
	switch {
	case !ok || name == "" || r.Op != wire.OpConnect || o.call == nil || a.call == nil || a.call == o.call || a.call.offset > o.call.offset:
		return o
	case r.Nanos-a.nanos > followed || a.used != 0 && r.Nanos-a.used > beside:
		return o
	}
	if a.used == 0 {
		a.used = r.Nanos
		n.flows.askers[q] = a
	}
	first := *o
	first.call, first.phase = a.call, n.attr.timeline.phase(a.call, r.Nanos)
	return &first
}

// makes notes for which call a connection is made.
func (f *flows) makes(o *origin, flow Flow, nanos int64) {
	if f.makers == nil || len(f.makers) >= maxFlows {
		f.makers = map[Flow]maker{}
	}
	f.makers[flow] = maker{call: o.call, until: nanos + handshake}
}

// speaksUp notes that a request was seen.
func (f *flows) speaksUp(flow Flow, nanos int64) {
	if m, ok := f.makers[flow]; ok && m.spoken == 0 {
		m.spoken = nanos
		f.makers[flow] = m
	}
}

// inPlace returns for which call somebody speaks who uses a connection that
// has just been made.
func (n *network) inPlace(o *origin, f Flow, nanos int64) *origin {
	made, ok := n.flows.makers[f]
	if !ok || made.call == nil || made.call == o.call || nanos > made.until || made.spoken != 0 && nanos > made.spoken {
		return o
	}
	first := *o
	first.call, first.phase = made.call, n.attr.timeline.phase(made.call, nanos)
	return &first
}
