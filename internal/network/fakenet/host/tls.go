package host

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/protocols"
)

// speakTLS opens TLS and serves the protocol inside.
func (s *session) speakTLS(ctx context.Context, l *line) string {
	hello, err := readHello(l)
	if err != nil { // it began like a ClientHello but is none
		s.first = l.ahead
		return s.speakProtocol(ctx, l, protocols.Unknown())
	}
	detail := hello.detail()
	if s.h.o.Authority == nil || s.tls {
		s.tell(Observation{TLS: detail})
		return "tls"
	}
	conn, err := s.handshake(ctx, l, hello, detail)
	if err != nil {
		s.tell(Observation{TLS: detail})
		return "tls"
	}
	s.tls = true
	s.web = slices.Contains([]string{"h2", "http/1.1", "http/1.0"}, conn.ConnectionState().NegotiatedProtocol)
	inner := s.opened(l, conn)
	// A client that pins certificates checks them after the handshake and
	// disconnects without having sent anything.
	greeter := s.greeter()
	err = s.await(inner, greeter)
	if hasLeft(err) {
		detail.Rejected = closedLate
	} else if reason, ok := alerted(err); ok {
		detail.Rejected = reason
	}
	s.tell(Observation{TLS: detail})
	switch {
	case isTimeout(err) && greeter != nil:
		return "tls/" + s.speakProtocol(ctx, inner, greeter)
	case err != nil:
		s.cut = isTimeout(err)
		return "tls"
	case s.isDoT(conn, inner):
		s.dot(inner)
		return "tls/dns"
	}
	return strings.TrimSuffix("tls/"+s.answerTo(ctx, inner), "/")
}

// isDoT decides by the port, unless the client clearly speaks something else.
func (s *session) isDoT(conn *tls.Conn, inner *line) bool {
	if s.h.o.Resolve == nil {
		return false
	}
	kind, _, _ := recognise(inner.ahead)
	return conn.ConnectionState().NegotiatedProtocol == "dot" || s.port == portDoT && kind == speaksOther
}

// upgrade opens TLS inside a protocol (STARTTLS).
func (s *session) upgrade(ctx context.Context, l *line) (net.Conn, error) {
	hello, err := readHello(l)
	if err != nil {
		return nil, err
	}
	detail := hello.detail()
	conn, err := s.handshake(ctx, l, hello, detail)
	s.tell(Observation{TLS: detail})
	if err != nil {
		return nil, err
	}
	s.tls = true
	return conn, nil
}

// readHello waits for the complete ClientHello and peeks at it.
func readHello(l *line) (*hello, error) {
	for {
		h, err := parseHello(l.ahead)
		if errors.Is(err, errHelloShort) {
			err = l.more(idleTime, 2*maxHello)
			if err == nil {
				continue
			}
		}
		return h, err
	}
}

func (h *hello) detail() *mcpsf.TLSDetail {
	return &mcpsf.TLSDetail{SNI: clean(h.sni), ALPN: cleanAll(h.alpn), JA4: h.ja4(), Hello: digest(string(h.shown))}
}

// handshake runs the handshake as far as the client goes, and records why it
// stopped.
func (s *session) handshake(ctx context.Context, l *line, h *hello, detail *mcpsf.TLSDetail) (*tls.Conn, error) {
	w, certs := &witness{Conn: l}, &certificates{opts: &s.h.o, name: s.name, to: s.v.To}
	conn := tls.Server(w, certs.config(h))
	if err := conn.SetDeadline(time.Now().Add(idleTime)); err != nil {
		return nil, err
	}
	if err := conn.HandshakeContext(ctx); err != nil {
		if detail.Rejected = rejection(err); w.alert() != "" {
			detail.Rejected = w.alert()
		}
		s.cut = s.cut || isTimeout(err)
		return nil, err
	}
	w.done = true
	detail.Version = strings.TrimPrefix(tls.VersionName(conn.ConnectionState().Version), "TLS ")
	return conn, conn.SetDeadline(time.Time{})
}

// certificates are those of a server at an address.
type certificates struct {
	opts *Options
	name string
	to   netip.AddrPort
}

// config accepts whatever the client offers, so that the client goes on.
func (c *certificates) config(h *hello) *tls.Config {
	protocols := h.alpn
	if slices.Contains(protocols, "h2") || slices.Contains(protocols, "http/1.1") {
		protocols = []string{"h2", "http/1.1"}
	}
	return &tls.Config{ //nolint:gosec // old versions are better than silence
		MinVersion:             tls.VersionTLS10,
		NextProtos:             protocols,
		KeyLogWriter:           c.opts.KeyLog,
		SessionTicketsDisabled: true,
		Time:                   c.opts.Now,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.of(h.sni)
		},
	}
}

// of is the certificate for the name that the client expects.
func (c *certificates) of(sni string) (*tls.Certificate, error) {
	for _, name := range []string{sni, c.name} {
		if leaf, err := c.opts.Authority.Leaf(name); err == nil {
			return leaf, nil
		}
	}
	return c.opts.Authority.Leaf(c.to.Addr().Unmap().WithZone("").String())
}

// clean makes hostile bytes safe to put into an event.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func cleanAll(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, clean(s))
	}
	return out
}
