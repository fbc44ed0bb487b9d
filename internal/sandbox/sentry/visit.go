//go:build linux

package sentry

import (
	"errors"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxQueued is how many knocks wait for a server that does not read.
const maxQueued = 2048

// visit is one connection to a server in the sandbox.
type visit struct {
	id    uint32
	door  *door
	from  netip.AddrPort
	queue chan wire.Knock
	// asked is how far the orchestrator's words went when the last of them
	// was passed on here: what the server reads from this connection, it
	// reads for that.
	asked atomic.Uint64

	mu sync.Mutex
	// speaker is who wrote last, and for what.
	pid, tid int32
	label    uint64
}

// pay connects, passes on what is sent, and ends with either side.
func (v *visit) pay(to netip.AddrPort) {
	conn, err := v.door.dial(v, to)
	if err != nil {
		v.door.refuse(v.id, err)
		v.forget()
		return
	}
	v.door.send(wire.Knock{Kind: wire.KnockOpen, Visit: v.id})
	go v.listen(conn)
	for k := range v.queue {
		if k.Kind == wire.KnockClose {
			break
		}
		v.asked.Store(k.Offset)
		if _, err := conn.Write(k.Data); err != nil {
			break
		}
	}
	_ = conn.Close()
	v.forget()
}

// forget takes the visit off the books.
func (v *visit) forget() {
	d := v.door
	d.release(v)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.visits[v.id] == v {
		delete(d.visits, v.id)
	}
}

// listen passes on what the server says.
func (v *visit) listen(conn *gonet.TCPConn) {
	buf := make([]byte, wire.MaxKnock)
	for {
		n, err := conn.Read(buf)
		if n > 0 {
			v.door.send(wire.Knock{Kind: wire.KnockData, Visit: v.id, Offset: v.said(n), Data: buf[:n]})
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.EOF // an orderly end has no other name
			}
			v.door.refuse(v.id, err)
			return
		}
	}
}

// said counts what the server wrote as its word in the conversation, before
// the orchestrator hears it.
func (v *visit) said(n int) uint64 {
	v.mu.Lock()
	r := &wire.Record{Op: wire.OpStdio, PID: v.pid, TID: v.tid, Epoch: v.label, Stream: uint8(mcpsf.Served), N: int64(n)}
	v.mu.Unlock()
	o := v.door.observer
	o.mu.Lock()
	defer o.mu.Unlock()
	o.counted[mcpsf.Served] += uint64(n)
	r.Total = o.counted[mcpsf.Served]
	o.deliver(r)
	return r.Total
}

// writes notes who speaks through the connection.
func (v *visit) writes(o *observer, t *kernel.Task) {
	s := o.state(t)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pid, v.tid, v.label = s.pid, s.tid, o.label(s)
}

// hears begins a new epoch, like a read of standard input: whatever the bytes
// ask for is done for them.
func (v *visit) hears(o *observer, t *kernel.Task, n int64) {
	s, asked := o.state(t), v.asked.Load()
	o.mu.Lock()
	defer o.mu.Unlock()
	total := max(o.counted[mcpsf.Stdin], asked)
	o.counted[mcpsf.Stdin] = total
	o.epoch.Store(total)
	s.adopt(asked)
	o.deliver(&wire.Record{
		Op: wire.OpStdio, PID: s.pid, TID: s.tid, Epoch: o.label(s), Stream: uint8(mcpsf.Stdin), N: n, Total: total,
	})
}
