package netsink

import (
	"context"
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf/internal/netsink/host"
)

// tcp decides about a connection that is being opened.
func (s *Sink) tcp(ctx context.Context, r *tcp.ForwarderRequest) {
	f := s.flow("tcp", r.ID())
	l := s.served[f.To]
	if l == nil && f.To.Port() != dnsPort && s.opts.Host == nil {
		s.opts.Refused(f)
		r.Complete(true)
		return
	}
	var queue waiter.Queue
	ep, err := r.CreateEndpoint(&queue)
	if err != nil {
		r.Complete(true)
		return
	}
	r.Complete(false)
	conn := s.ears.open(gonet.NewTCPConn(&queue, ep), ep)
	var taken bool
	switch {
	case l != nil:
		taken = l.offer(conn)
	case f.To.Port() == dnsPort:
		taken = s.talk(ctx, conn, func() { s.dnsStream(ctx, conn, f) })
	default:
		taken = s.talk(ctx, conn, func() { s.visit(ctx, conn, f) })
	}
	if !taken {
		_ = conn.Close()
	}
}

// visit lets the host speak with a client.
func (s *Sink) visit(ctx context.Context, conn net.Conn, f Flow) {
	counted := &countedConn{Conn: conn}
	end := End{Flow: f, Began: time.Now()}
	end.Service, end.First, end.Cut = s.opts.Host.Serve(ctx, &host.Visit{
		Conn: counted, From: f.From, To: f.To, Name: f.Name,
		Tell: func(o host.Observation) {
			if s.opts.Told != nil {
				s.opts.Told(f, o)
			}
		},
		Sent: func(part string, p []byte) { s.sent(f, part, p) },
		Led:  func(to netip.AddrPort, failure string) { end.Reached, end.Failed = to, failure },
	})
	end.Sent, end.Received = counted.in.Load(), counted.out.Load()
	s.ended(&end)
}

func (s *Sink) sent(f Flow, part string, p []byte) {
	if s.opts.Sent != nil && len(p) > 0 {
		s.opts.Sent(f, part, p)
	}
}

func (s *Sink) ended(e *End) {
	if s.opts.Ended != nil {
		e.Ended = time.Now()
		s.opts.Ended(*e)
	}
}

// countedConn counts what goes through it.
type countedConn struct {
	net.Conn
	in, out atomic.Int64
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.in.Add(int64(n))
	return n, err
}

func (c *countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.out.Add(int64(n))
	return n, err
}

// CloseWrite lets a server say that it has said everything.
func (c *countedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return io.ErrClosedPipe
}
