package fakenet

import (
	"context"
	"net/netip"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/host"
)

// tcp accepts or refuses a connection that is being opened.
func (s *Network) tcp(ctx context.Context, r *tcp.ForwarderRequest) {
	f, local := s.localhost(s.flow("tcp", r.ID()))
	l, to := s.served[f.To], s.opts.Host
	if local {
		to = s.opts.LocalHost
	}
	if l == nil && (local || f.To.Port() != dnsPort) && to == nil {
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
	conn := s.conns.open(gonet.NewTCPConn(&queue, ep), ep)
	var taken bool
	switch {
	case l != nil:
		taken = l.offer(conn)
	case f.To.Port() == dnsPort && !local:
		taken = s.handle(ctx, conn, func() { s.dnsStream(ctx, conn, f) })
	default:
		taken = s.handle(ctx, conn, func() { s.visit(ctx, to, conn, f) })
	}
	if !taken {
		_ = conn.Close()
	}
}

// visit lets a host serve a client.
func (s *Network) visit(ctx context.Context, to Host, conn *watchedConn, f Flow) {
	end := End{Flow: f, Began: time.Now()}
	end.Service, end.First, end.Cut = to.Serve(ctx, &host.Visit{
		Conn: conn, From: f.From, To: f.To, Name: f.Name, Databases: s.databases,
		Tell: func(o host.Observation) {
			if s.opts.Told != nil {
				s.opts.Told(f, o)
			}
		},
		Sent:   func(part string, p []byte) { s.sent(f, part, p) },
		Digest: func(digest string) { end.Digest = digest },
		Unread: func() { end.Unread = true },
		Led:    func(to netip.AddrPort, failure string) { end.Reached, end.Failed = to, failure },
	})
	end.Sent, end.Received = conn.in.Load(), conn.out.Load()
	s.ended(&end)
}

func (s *Network) sent(f Flow, part string, p []byte) {
	if s.opts.Sent != nil && len(p) > 0 {
		s.opts.Sent(f, part, p)
	}
}

func (s *Network) ended(e *End) {
	if s.opts.Ended != nil {
		e.Ended = time.Now()
		s.opts.Ended(*e)
	}
}
