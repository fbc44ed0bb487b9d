package capture

import "net/netip"

// Flow is a conversation as seen from the sandbox. Client is who sent its
// first packet. Ports are 0 where the protocol has none and for later
// fragments of a packet, which do not repeat them.
type Flow struct {
	// Proto is "tcp", "udp", "icmp" (of both versions of IP), or "ip" and the
	// number of any other protocol.
	Proto          string
	Client, Server netip.AddrPort
}

// generation is how many flows are remembered before the older ones of
// before are forgotten.
const generation = 16 << 10

// flow is what is remembered of a flow while the run goes on.
type flow struct {
	client  netip.AddrPort
	isn     uint32
	packets int   // seen, kept or not
	bytes   int64 // of their records
	kept    bool  // at least one was
}

func (f *flow) see(size int64) {
	f.packets++
	f.bytes += size
}

// flows remembers between one and two generations of recent flows, so that
// making flows does not cost memory without end. A flow that was forgotten is
// a new one when it comes back. The zero value is ready.
type flows struct {
	young, old map[flowKey]*flow
}

// flowKey is the same for both directions.
type flowKey struct {
	proto     uint8
	low, high netip.AddrPort
}

// of returns the flow of a packet. Opening a connection again between the
// same ports is another flow, or an old one could hide it.
func (t *flows) of(p packet) *flow {
	k := flowKey{proto: p.proto, low: p.src, high: p.dst}
	if p.dst.Compare(p.src) < 0 {
		k.low, k.high = p.dst, p.src
	}
	f := t.young[k]
	if f != nil && !f.replacedBy(p) {
		return f
	}
	if f = t.old[k]; f == nil || f.replacedBy(p) {
		f = &flow{client: p.src, isn: p.isn}
	}
	if t.young == nil || len(t.young) >= generation {
		t.old, t.young = t.young, make(map[flowKey]*flow)
	}
	t.young[k] = f
	return f
}

func (f *flow) replacedBy(p packet) bool { return p.opens && p.isn != f.isn }
