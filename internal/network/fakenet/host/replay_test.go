package host

import (
	"io"
	"net"
	"net/netip"
	"time"
)

// replay is a connection whose client has sent everything.
type replay struct {
	net.Conn
	in  []byte
	out []byte
	// single makes reads return one byte each.
	single bool
}

func (c *replay) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		return 0, io.EOF
	}
	if c.single {
		p = p[:min(1, len(p))]
	}
	n := copy(p, c.in)
	c.in = c.in[n:]
	return n, nil
}

func (c *replay) Write(p []byte) (int, error)      { c.out = append(c.out, p...); return len(p), nil }
func (c *replay) Close() error                     { return nil }
func (c *replay) SetDeadline(time.Time) error      { return nil }
func (c *replay) SetReadDeadline(time.Time) error  { return nil }
func (c *replay) SetWriteDeadline(time.Time) error { return nil }
func (c *replay) to() netip.AddrPort               { return netip.MustParseAddrPort("192.0.2.80:80") }
