package monitor

import (
	"net/netip"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// The fake network sees what was sent, the kernel which task sent it. Both know
// the connection. An observation of the network waits until the kernel's
// records have reached the same time.

// Flow is a connection, or an exchange of datagrams, as both identify it.
type Flow struct {
	// Datagram is set for UDP, not for TCP.
	Datagram bool
	// Local is the port on the sandbox's side.
	Local  uint16
	Remote netip.AddrPort
}

// no gap: bounds how events are joined and attributed; all are recorded
const (
	// maxFlows bounds the remembered connections, maxUses the changes of sender
	// in each, maxWaiting the observations that wait for the kernel.
	maxFlows, maxUses, maxWaiting = 4096, 16, 4096
	// patience is how long, in nanoseconds, traffic waits for a record of its
	// connection before it is emitted without one.
	patience = 5e9
)

// use is a task that begins to send on a connection.
type use struct {
	nanos int64
	by    origin
	// event is the event that reported the connection.
	event int64
}

type flows struct {
	uses    map[Flow][]use
	waiting []sighting
	// repeats counts observations that differ only in time.
	repeats map[foldKey]int
	// askers are the name lookups, makers the connections made.
	askers map[question]asker
	makers map[Flow]maker
}

// maxRepeats is how many equal observations are emitted one by one, so that their
// rhythm (beaconing) can be seen.
// no gap: bounds how events are joined and attributed; all are recorded
const maxRepeats = 12

// early reports whether an observation is among the first of its kind.
func (f *flows) early(key foldKey) bool {
	if f.repeats == nil || len(f.repeats) >= maxFlows {
		f.repeats = map[foldKey]int{}
	}
	f.repeats[key]++
	return f.repeats[key] <= maxRepeats
}

// sighting is one observation of the fake network.
type sighting struct {
	nanos int64
	flow  Flow
	event mcpsf.Event
}

// Traffic reports an observation of the network at a time of the records'
// clock. The event has its kind and details; its origin and time are filled in.
func (m *Monitor) Traffic(nanos int64, f Flow, e *mcpsf.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conv.closed {
		return
	}
	m.network.traffic(sighting{nanos, f, *e})
}

// traffic queues an observation until the kernel's records catch up.
func (n *network) traffic(s sighting) {
	if len(n.flows.waiting) >= maxWaiting {
		n.settleTraffic(n.flows.waiting[0].nanos + patience + 1)
	}
	if s.event.HTTP != nil || s.event.SMTP != nil || s.event.Query != nil {
		n.flows.noteRequest(s.flow, s.nanos)
	}
	n.flows.waiting = append(n.flows.waiting, s)
}

// noteUse records which task uses a connection from now on.
func (n *network) noteUse(o *origin, r *wire.Record, event int64) {
	f, ok := flowOf(r)
	if !ok {
		return
	}
	if r.Op == wire.OpConnect && !f.Datagram {
		n.flows.noteConnect(o, f, r.Nanos)
	}
	o = n.useOrigin(o, f, r.Nanos)
	before := n.flows.uses[f]
	if event == 0 && len(before) > 0 {
		event = before[len(before)-1].event
	}
	if n.flows.uses == nil || len(n.flows.uses) >= maxFlows {
		n.flows.uses = map[Flow][]use{}
	}
	if len(before) >= maxUses {
		before = before[1:]
	}
	n.flows.uses[f] = append(before, use{r.Nanos, *o, event})
}

// flowOf returns the connection of a record.
func flowOf(r *wire.Record) (Flow, bool) {
	remote, err := netip.ParseAddr(r.Addr)
	if err != nil || r.Local == 0 {
		return Flow{}, false
	}
	return Flow{
		Datagram: r.SockType&sockTypeMask == sockDgram || r.Op == wire.OpSend,
		Local:    r.Local, Remote: netip.AddrPortFrom(remote.Unmap(), r.Port),
	}, true
}

// settleTraffic emits the observations before now whose connection is known, or
// can no longer become known.
func (n *network) settleTraffic(now int64) {
	rest := n.flows.waiting[:0]
	for i := range n.flows.waiting {
		s := &n.flows.waiting[i]
		known := len(n.flows.uses[s.flow]) > 0
		if s.nanos > now || !known && now-s.nanos < patience {
			rest = append(rest, *s)
			continue
		}
		n.emitTraffic(s)
	}
	clear(n.flows.waiting[len(rest):])
	n.flows.waiting = rest
}

// emitTraffic emits an observation of the network and attributes it to the task
// that last used the connection.
func (n *network) emitTraffic(s *sighting) {
	if n.log.full() && s.event.Leak == nil && s.event.ExecProof == nil {
		n.log.totals.Suppressed++
		return
	}
	o, cause := *n.log.present(), int64(0)
	for _, u := range n.flows.uses[s.flow] {
		if u.nanos <= s.nanos || o.pid == 0 {
			o, cause = u.by, u.event
		}
	}
	if s.event.Kind == mcpsf.KindNetDNS && s.event.Net != nil && s.event.Net.Error == "" {
		n.flows.noteLookup(&o, s.event.Net.Name, s.nanos)
	}
	o.phase = n.attr.timeline.phase(o.call, s.nanos)
	if c := o.call; c != nil && c.ended && s.nanos < c.endedAt && n.attr.timeline.fixed == "" {
		o.phase = c.phase // reported late, but happened in this phase
	}
	var e mcpsf.Event
	n.log.at(s.nanos, func() { e = n.log.base(&o, s.event.Kind) })
	if cause != 0 {
		e.Cause = cause
	}
	e.Net, e.TLS, e.HTTP, e.SMTP = s.event.Net, s.event.TLS, s.event.HTTP, s.event.SMTP
	e.Flow, e.Leak, e.ExecProof, e.Query = s.event.Flow, s.event.Leak, s.event.ExecProof, s.event.Query
	e.Opaque = s.event.Opaque
	key, foldable := n.trafficKey(&o, &e)
	if !foldable || n.flows.early(key) {
		n.log.emit(&e)
		return
	}
	n.folds.fold(key, 0, func() mcpsf.Event { return e })
}

// trafficKey returns the key that equal observations share: lookups of one
// name, and requests and handshakes that are byte for byte the same.
func (n *network) trafficKey(o *origin, e *mcpsf.Event) (foldKey, bool) {
	key := keyOf(o, e.Kind)
	if e.Net != nil {
		key.path, key.err, key.number = e.Net.Name+" "+e.Net.Address, e.Net.Error, uint32(e.Net.Port)
		key.flags = e.Net.Type + e.Net.Digest
	}
	switch {
	case e.Leak != nil, e.ExecProof != nil, e.Opaque != nil:
		return key, false
	case e.HTTP != nil:
		key.to, key.asked = e.HTTP.Method+" "+e.HTTP.URL+headerText(e.HTTP), e.HTTP.Body
	case e.Query != nil:
		key.to, key.asked = e.Query.Language, e.Query.Text
	case e.TLS != nil:
		key.to, key.asked = e.TLS.SNI+" "+e.TLS.Rejected, e.TLS.JA4+" "+e.TLS.Hello
	case e.SMTP != nil:
		return key, false
	case e.Flow != nil:
		key.to, key.asked = e.Flow.Service+" "+e.Flow.Digest, e.Flow.First
	}
	return key, true
}

// headerText is the headers of a request, in their order.
func headerText(d *mcpsf.HTTPDetail) string {
	var b strings.Builder
	for _, h := range d.Headers {
		b.WriteString("\n" + h.Name + ": " + h.Value)
	}
	return b.String()
}
