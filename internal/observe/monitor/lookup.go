package monitor

import "github.com/mcpsf/mcpsf/internal/sandbox/wire"

// A server with one event loop resolves a name for one call, connects later,
// and sends later still, perhaps after it has read the next request. All of
// that belongs to the first call, which resolved the name. Every name has its
// own address, so the lookup behind a connection is known; and data sent on a
// connection up to the first request belongs to the call that made the
// connection.

const (
	// followed is how long after a lookup a connection still counts as its
	// consequence. beside is how long after the first connection further ones do,
	// because clients try several addresses. handshake is how long a connection
	// may take to its first request. All in nanoseconds.
	followed, beside, handshake = 5e9, 5e8, 2e9
)

// question is a name that a process looked up.
type question struct {
	pid  int32
	name string
}

// asker is the call that a lookup was made for, and the time of the first
// connection after it.
type asker struct {
	nanos, used int64
	call        *call
}

// maker is the call that a connection was made for, and until when traffic
// belongs to it. spoken is when the first request was seen.
type maker struct {
	call          *call
	until, spoken int64
}

// noteLookup records the call that resolved a name.
func (f *flows) noteLookup(o *origin, name string, nanos int64) {
	if o.pid == 0 || name == "" {
		return
	}
	if f.askers == nil || len(f.askers) >= maxFlows {
		f.askers = map[question]asker{}
	}
	f.askers[question{o.pid, name}] = asker{nanos: nanos, call: o.call}
}

// connectOrigin returns the origin of a connection: the connecting task, or the
// call that resolved the name.
func (n *network) connectOrigin(o *origin, r *wire.Record, name string) *origin {
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

// noteConnect records the call that a connection is made for.
func (f *flows) noteConnect(o *origin, flow Flow, nanos int64) {
	if f.makers == nil || len(f.makers) >= maxFlows {
		f.makers = map[Flow]maker{}
	}
	f.makers[flow] = maker{call: o.call, until: nanos + handshake}
}

// noteRequest records the time of the first request on a connection.
func (f *flows) noteRequest(flow Flow, nanos int64) {
	if m, ok := f.makers[flow]; ok && m.spoken == 0 {
		m.spoken = nanos
		f.makers[flow] = m
	}
}

// useOrigin returns the origin of traffic on a connection that was just made.
func (n *network) useOrigin(o *origin, f Flow, nanos int64) *origin {
	made, ok := n.flows.makers[f]
	if !ok || made.call == nil || made.call == o.call || nanos > made.until || made.spoken != 0 && nanos > made.spoken {
		return o
	}
	first := *o
	first.call, first.phase = made.call, n.attr.timeline.phase(made.call, nanos)
	return &first
}
