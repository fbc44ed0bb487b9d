package capture

import "net/netip"

// Flow is a conversation as seen from the sandbox. Client is the sender of the
// first packet. Ports are 0 where the protocol has none and for later fragments
// of a packet, which do not repeat them.
type Flow struct {
	// Proto is "tcp", "udp", "icmp" (of both versions of IP), or "ip" and the
	// number of any other protocol.
	Proto          string
	Client, Server netip.AddrPort
}

// generation is how many flows are remembered before the previous generation is
// forgotten.
const generation = 16 << 10

// flow is what is remembered of a flow during the run.
type flow struct {
	client  netip.AddrPort
	isn     uint32
	packets int   // all packets, kept or not
	bytes   int64 // of the packets' records
	kept    bool  // at least one packet was kept
}

func (f *flow) see(size int64) {
	f.packets++
	f.bytes += size
}

// flows remembers between one and two generations of recent flows, so that
// memory is bounded however many flows there are. A forgotten flow counts as a
// new one when it continues. The zero value is ready.
type flows struct {
	young, old map[flowKey]*flow
}

// flowKey is the same for both directions.
type flowKey struct {
	proto     uint8
	low, high netip.AddrPort
}

// of returns the flow of a packet. A new connection between the same ports is
// another flow; otherwise an old flow could hide it.
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
