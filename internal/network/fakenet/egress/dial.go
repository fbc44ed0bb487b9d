package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"
)

// The limits of egress. The limits per connection are those of the fake
// Internet; the limits per run keep a server from abusing other hosts.
// no gap: exceeding it refuses the connection to a real host, which is an event
const (
	visitTime   = 5 * time.Minute
	idleTime    = 30 * time.Second
	dialTime    = 10 * time.Second
	resolveTime = 5 * time.Second

	maxOpen     = 128       // connections at a time
	maxMade     = 2000      // connections in a run
	maxSpent    = 256 << 20 // bytes sent in a run
	maxRaw      = 32 << 20  // bytes sent in a visit of an unknown protocol
	maxReceived = 512 << 20 // bytes received in a visit
	maxTries    = 4         // addresses tried for one name
	maxAsked    = 5000      // DNS lookups in a run
	maxFirst    = 512       // bytes kept of an unknown protocol
)

var errSpent = errors.New("the run has sent as much as it may")

// resolve finds the allowed addresses of a name.
func (e *Egress) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	// The trailing dot keeps the resolver from using this machine's search
	// list.
	found, err := e.lookup(ctx, "ip", canonical(name)+".")
	if err != nil {
		return nil, fmt.Errorf("looking up %s: %w", name, plainer(err))
	}
	var good []netip.Addr
	refused := errors.New("it has no address")
	for _, a := range found {
		if a.Is4In6() { // a resolver may return IPv4 in this form
			a = a.Unmap()
		}
		if err := e.check(a); err != nil {
			refused = err
			continue
		}
		good = append(good, a)
	}
	if len(good) == 0 {
		return nil, fmt.Errorf("looking up %s: %w", name, refused)
	}
	return good[:min(len(good), maxTries)], nil
}

// dial connects to the host of the connection, at a checked address.
func (r *relay) dial(ctx context.Context) (net.Conn, netip.AddrPort, error) {
	addresses := []netip.Addr{r.v.To.Addr()}
	if r.v.Name != "" {
		var err error
		if addresses, err = r.e.resolve(ctx, r.v.Name); err != nil {
			return nil, netip.AddrPort{}, err
		}
	}
	var last error
	for _, a := range addresses {
		to := netip.AddrPortFrom(a, r.v.To.Port())
		conn, err := r.dialAt(ctx, to)
		if err == nil {
			return conn, to, nil
		}
		if last = err; ctx.Err() != nil {
			break
		}
	}
	return nil, netip.AddrPort{}, last
}

func (r *relay) dialAt(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	e := r.e
	if err := e.check(to.Addr()); err != nil {
		return nil, err
	}
	if e.made.Add(1) > maxMade {
		return nil, fmt.Errorf("the run has made %d connections, as many as it may", maxMade)
	}
	select {
	case e.open <- struct{}{}:
	default:
		return nil, fmt.Errorf("%d connections are open, as many as may be", maxOpen)
	}
	d := net.Dialer{Timeout: dialTime, Control: e.guard}
	conn, err := d.DialContext(ctx, "tcp", to.String())
	if err != nil {
		<-e.open
		return nil, plainer(err)
	}
	return &metered{Conn: conn, r: r}, nil
}

// metered counts the bytes of a connection and ends it at the limit.
type metered struct {
	net.Conn
	r      *relay
	closed atomic.Bool
}

// Read implements [net.Conn].
func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if m.r.received.Add(int64(n)) > maxReceived {
		m.r.over.Store(true)
		return n, errors.New("more was answered than is relayed")
	}
	return n, err
}

// Write implements [net.Conn].
func (m *metered) Write(p []byte) (int, error) {
	if m.r.e.spent.Add(int64(len(p))) > maxSpent {
		m.r.over.Store(true)
		return 0, errSpent
	}
	return m.Conn.Write(p)
}

// CloseWrite tells the host that the client has sent everything.
func (m *metered) CloseWrite() error {
	if half, ok := m.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close implements [net.Conn].
func (m *metered) Close() error {
	if !m.closed.Swap(true) {
		<-m.r.e.open
	}
	return m.Conn.Close()
}

// plainer removes from an error what the caller already knows: addresses and
// the resolver.
func plainer(err error) error {
	if failed, ok := errors.AsType[*net.DNSError](err); ok {
		if failed.IsNotFound {
			return errors.New("no such host")
		}
		return errors.New(failed.Err)
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		return errors.New(strings.TrimPrefix(failed.Err.Error(), "connect: "))
	}
	return err
}
