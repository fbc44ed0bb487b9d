package box

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// PortForward connects to servers that listen in the sandbox. Its bytes are
// part of the conversation with the server: bytes to the server count as
// standard input, and its answers as [mcpsf.Served].
type PortForward struct {
	file *os.File

	// sending serialises messages; sent is the number of bytes sent.
	sending sync.Mutex
	sent    int64

	mu    sync.Mutex
	conns map[uint32]*ForwardConn
	last  uint32
	shut  bool
	done  chan struct{}
}

// Dial connects to an address of the sandbox.
func (p *PortForward) Dial(ctx context.Context, to netip.AddrPort) (*ForwardConn, error) {
	c, err := p.begin()
	if err != nil {
		return nil, err
	}
	if err := p.send(wire.Forward{Kind: wire.ForwardOpen, Conn: c.id, Data: []byte(to.String())}); err != nil {
		c.end(err)
		return nil, err
	}
	select {
	case <-c.opened:
		return c, nil
	case <-c.ended:
		return nil, fmt.Errorf("connecting to %s in the sandbox: %w", to, c.reason())
	case <-ctx.Done():
		_ = c.Close()
		return nil, ctx.Err()
	}
}

func (p *PortForward) begin() (*ForwardConn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut {
		return nil, errSandboxGone
	}
	p.last++
	c := newForwardConn(p, p.last)
	p.conns[c.id] = c
	return c, nil
}

var errSandboxGone = errors.New("the sandbox is gone")

func (p *PortForward) send(m wire.Forward) error {
	if _, err := p.file.Write(m.Append(nil)); err != nil {
		return fmt.Errorf("writing to the port forward: %w", err)
	}
	return nil
}

// listen distributes incoming messages until the sandbox is gone.
func (p *PortForward) listen() {
	defer close(p.done)
	buf := make([]byte, wire.MaxForwardSize)
	for {
		n, err := p.file.Read(buf)
		if err != nil {
			break
		}
		m, err := wire.ParseForward(buf[:n])
		if err != nil {
			break
		}
		if c := p.conn(m.Conn); c != nil {
			c.take(m)
		}
	}
	p.mu.Lock()
	p.shut = true
	left := p.conns
	p.conns = map[uint32]*ForwardConn{}
	p.mu.Unlock()
	for _, c := range left {
		c.end(errSandboxGone)
	}
}

// Idle reports whether all received bytes were read. Without a port forward it
// is true.
func (p *PortForward) Idle() bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		if !c.idle() {
			return false
		}
	}
	return true
}

func (p *PortForward) conn(id uint32) *ForwardConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns[id]
}

func (p *PortForward) forget(id uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, id)
}

func (p *PortForward) close() {
	_ = p.file.Close()
	<-p.done
}
