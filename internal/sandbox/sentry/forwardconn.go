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

// maxQueued is how many messages may wait for a server that does not read.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxQueued = 2048

// forwardConn is one connection of the port forward to a server in the sandbox.
type forwardConn struct {
	id      uint32
	forward *forwarder
	from    netip.AddrPort
	queue   chan wire.Forward
	// sent is how many bytes the orchestrator had sent, over all connections,
	// at the end of the last message for this one: what the server reads from
	// this connection belongs to the request that ends there.
	sent atomic.Uint64

	mu sync.Mutex
	// pid and tid are the last writer, label is the call it worked for.
	pid, tid int32
	label    uint64
}

// run connects, passes on data, and ends when either side closes.
func (fc *forwardConn) run(to netip.AddrPort) {
	conn, err := fc.forward.dial(fc, to)
	if err != nil {
		fc.forward.sendClose(fc.id, err)
		fc.forward.forget(fc)
		return
	}
	fc.forward.send(wire.Forward{Kind: wire.ForwardOpen, Conn: fc.id})
	go fc.passOn(conn)
	for m := range fc.queue {
		if m.Kind == wire.ForwardClose {
			break
		}
		fc.sent.Store(m.Offset)
		if _, err := conn.Write(m.Data); err != nil {
			break
		}
	}
	_ = conn.Close()
	fc.forward.forget(fc)
}

// passOn sends the orchestrator the server's output.
func (fc *forwardConn) passOn(conn *gonet.TCPConn) {
	buf := make([]byte, wire.MaxForwardData)
	for {
		n, err := conn.Read(buf)
		if n > 0 {
			fc.forward.send(wire.Forward{Kind: wire.ForwardData, Conn: fc.id, Offset: fc.served(n), Data: buf[:n]})
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.EOF // an orderly end
			}
			fc.forward.sendClose(fc.id, err)
			return
		}
	}
}

// served records the server's output as part of the conversation, before the
// orchestrator gets it.
func (fc *forwardConn) served(n int) uint64 {
	fc.mu.Lock()
	r := &wire.Record{Op: wire.OpStdio, PID: fc.pid, TID: fc.tid, Epoch: fc.label, Stream: uint8(mcpsf.Served), N: int64(n)}
	fc.mu.Unlock()
	c := fc.forward.conv
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	c.counted[mcpsf.Served] += uint64(n)
	r.Total = c.counted[mcpsf.Served]
	c.rec.deliver(r)
	return r.Total
}

// beforeWrite records the task that writes to the connection.
func (fc *forwardConn) beforeWrite(t *kernel.Task) {
	attr := fc.forward.conv.attr
	s := attr.state(t)
	fc.mu.Lock()
	defer fc.mu.Unlock()
	fc.pid, fc.tid, fc.label = s.pid, s.tid, attr.label(s)
}

// afterRead begins a new epoch, like a read of standard input.
func (fc *forwardConn) afterRead(t *kernel.Task, n int64) {
	c := fc.forward.conv
	s, sent := c.attr.state(t), fc.sent.Load()
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	c.beginEpoch(s, max(c.counted[mcpsf.Stdin], sent), sent)
	c.record(s, mcpsf.Stdin, n)
}
