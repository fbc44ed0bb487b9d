package box

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxUnread is how much unread output of the server one connection may hold.
// Beyond that the connection is closed, so that it does not block others.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxUnread = 64 << 20

// ForwardConn is a connection to a server in the sandbox.
type ForwardConn struct {
	id      uint32
	forward *PortForward
	opened  chan struct{}
	ended   chan struct{}

	mu     sync.Mutex
	more   sync.Cond
	queue  []wire.Forward
	unread int
	// offset is that of the last byte read.
	offset int64
	why    error // set after the end
	closed bool
}

func newForwardConn(p *PortForward, id uint32) *ForwardConn {
	c := &ForwardConn{id: id, forward: p, opened: make(chan struct{}), ended: make(chan struct{})}
	c.more.L = &c.mu
	return c
}

// Send sends data. Before the first byte is sent it calls leaving, if not nil,
// with the number of bytes sent on all connections up to the end of data.
func (c *ForwardConn) Send(data []byte, leaving func(offset int64)) error {
	p := c.forward
	p.sending.Lock()
	defer p.sending.Unlock()
	begin := p.sent
	p.sent += int64(len(data))
	if leaving != nil {
		leaving(p.sent)
	}
	for len(data) > 0 {
		n := min(len(data), wire.MaxForwardData)
		begin += int64(n)
		if err := p.send(wire.Forward{Kind: wire.ForwardData, Conn: c.id, Offset: uint64(begin), Data: data[:n]}); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// Read implements [io.Reader].
func (c *ForwardConn) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) == 0 && c.why == nil && !c.closed {
		c.more.Wait()
	}
	switch {
	case c.closed:
		return 0, io.ErrClosedPipe
	case len(c.queue) == 0:
		return 0, c.why
	}
	m := &c.queue[0]
	n := copy(p, m.Data)
	m.Data = m.Data[n:]
	c.offset = int64(m.Offset) - int64(len(m.Data))
	c.unread -= n
	if len(m.Data) == 0 {
		c.queue = c.queue[1:]
	}
	return n, nil
}

// Offset returns how many bytes the servers had written, over all connections,
// up to the last byte read.
func (c *ForwardConn) Offset() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

// Close ends the connection. It may be called again, and during a read.
func (c *ForwardConn) Close() error {
	c.mu.Lock()
	again := c.closed
	c.closed, c.queue = true, nil
	c.more.Broadcast()
	c.mu.Unlock()
	if again {
		return nil
	}
	c.forward.forget(c.id)
	_ = c.forward.send(wire.Forward{Kind: wire.ForwardClose, Conn: c.id}) // an error means that the sandbox is gone
	return nil
}

// take handles a message of the sandbox's kernel.
func (c *ForwardConn) take(m wire.Forward) {
	switch m.Kind {
	case wire.ForwardOpen:
		select {
		case <-c.opened:
		default:
			close(c.opened)
		}
	case wire.ForwardData:
		c.keep(m)
	case wire.ForwardClose:
		if string(m.Data) == io.EOF.Error() {
			c.end(io.EOF)
		} else {
			c.end(fmt.Errorf("%s", m.Data))
		}
	}
}

func (c *ForwardConn) keep(m wire.Forward) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unread += len(m.Data); c.unread > maxUnread || c.closed || c.why != nil {
		c.finish(errors.New("the server writes more than is read"))
		return
	}
	m.Data = append([]byte(nil), m.Data...)
	c.queue = append(c.queue, m)
	c.more.Broadcast()
}

// end marks the end of the data.
func (c *ForwardConn) end(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish(why)
}

// finish must be called with mu held.
func (c *ForwardConn) finish(why error) {
	if c.why == nil {
		c.why = why
		close(c.ended)
		c.more.Broadcast()
	}
}

// idle reports whether all received bytes were read.
func (c *ForwardConn) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) == 0
}

func (c *ForwardConn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}
