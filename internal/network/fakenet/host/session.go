package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/protocols"
)

// Serve speaks the client's protocol until the client ends, ctx is done or a
// limit is reached, and closes the connection. It returns the protocol ("http",
// "tls/http", "tls", "smtp", ...), the first bytes if the protocol is unknown,
// and whether a limit ended the visit.
func (h *Host) Serve(ctx context.Context, v *Visit) (service string, first []byte, cut bool) {
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	defer v.Conn.Close()
	// Closing the connection ends pending reads and writes.
	defer context.AfterFunc(ctx, func() { v.Conn.Close() })()

	s := &session{h: h, v: v, name: v.Name, port: v.To.Port(), sum: sha256.New()}
	defer s.tellDigest()
	defer func() {
		// A panic in one visit must not end the run.
		if p := recover(); p != nil {
			h.log.Error("a visit failed", "service", service, "panic", p, "stack", string(debug.Stack()))
			s.unread()
			cut = true
		}
	}()
	service = s.speak(ctx, &line{Conn: v.Conn, sum: s.sum})
	return service, s.first, s.cut || ctx.Err() != nil
}

// session is the state of one visit. Only the serving goroutine uses it.
type session struct {
	h *Host
	v *Visit
	// name and port are the visit's, or the destination of a tunnel.
	name    string
	port    uint16
	tls     bool
	web     bool // the TLS handshake agreed on HTTP
	tunnels int
	shell   *shell // nil until the client is taken for a reverse shell

	first []byte
	cut   bool
	// sum is a digest of what the client sent, inside TLS.
	sum hash.Hash
}

// opened returns the line inside TLS. From now on only what is sent there counts.
func (s *session) opened(outer *line, conn net.Conn) *line {
	outer.sum = nil
	s.sum.Reset()
	return &line{Conn: conn, sum: s.sum}
}

func (s *session) tellDigest() {
	if s.v.Digest != nil {
		s.v.Digest(Digest(s.sum))
	}
}

func (s *session) tell(o Observation) {
	if s.v.Tell != nil {
		s.v.Tell(o)
	}
}

func (s *session) sent(part string, p []byte) {
	if s.v.Sent != nil && len(p) > 0 {
		s.v.Sent(part, p)
	}
}

// unread records that the client sent more than was read.
func (s *session) unread() {
	s.cut = true
	if s.v.Unread != nil {
		s.v.Unread()
	}
}

// speak recognises the client's protocol and speaks it.
func (s *session) speak(ctx context.Context, l *line) string {
	greeter := s.greeter()
	err := s.await(l, greeter)
	switch {
	case isTimeout(err) && greeter != nil:
		return s.speakProtocol(ctx, l, greeter)
	case err != nil:
		s.cut = isTimeout(err)
		return ""
	}
	return s.answerTo(ctx, l)
}

// greeter is the protocol whose server sends the first bytes if the client does
// not.
func (s *session) greeter() *protocols.Protocol {
	switch s.port {
	case 465, 993, 995: // on these ports TLS comes before the greeting
		if !s.tls {
			return nil
		}
	}
	return protocols.ByPort(s.port)
}

// await waits for the first byte, for as long as the client is to speak first. A
// client that stays silent is sent a shell command: it may be a reverse shell.
func (s *session) await(l *line, greeter *protocols.Protocol) error {
	if len(l.ahead) > 0 {
		return nil
	}
	if greeter != nil {
		return l.more(greetTime, maxFirst)
	}
	wait := silence(s.port, s.web)
	if s.name == localhost {
		wait = idleTime // nobody waits there for a shell
	}
	err := l.more(wait, maxFirst)
	if wait == idleTime || !isTimeout(err) {
		return err
	}
	s.shell = newShell(s.h.o.Seed, s.name, s.port)
	sendLine(l, s.shell.next())
	return l.more(idleTime, maxFirst)
}

// answerTo speaks the protocol that the first bytes belong to.
func (s *session) answerTo(ctx context.Context, l *line) string {
	for {
		if s.shell != nil && s.shell.echoed(l.ahead) { // otherwise it would be taken for Redis
			s.first = l.ahead
			return s.unknown(l)
		}
		spoken, known, undecided := recognise(l.ahead)
		if undecided && l.more(moreTime, maxFirst) == nil {
			continue
		}
		switch spoken {
		case speaksTLS:
			return s.speakTLS(ctx, l)
		case speaksHTTP:
			return s.http1(ctx, l)
		case speaksHTTP2:
			return s.http2(l)
		}
		if known == nil {
			s.first = l.ahead
			if s.bridge(l) {
				return "json"
			}
			return s.unknown(l)
		}
		return s.speakProtocol(ctx, l, known)
	}
}

// speakProtocol serves a protocol other than HTTP and TLS.
func (s *session) speakProtocol(ctx context.Context, l *line, d *protocols.Protocol) string {
	if err := l.SetDeadline(time.Time{}); err != nil {
		return ""
	}
	var behind string
	t := &protocols.Conversation{
		Conn: l, Name: s.name, Port: s.port, Sent: s.sent, Databases: s.v.Databases, Now: s.h.o.Now,
		Mail:  func(m *mcpsf.SMTPDetail) { s.tell(Observation{SMTP: m}) },
		Asked: func(q *mcpsf.QueryDetail) { s.tell(Observation{Query: q}) },
		Through: func(ctx context.Context, name string, port uint16, c net.Conn) error {
			behind = "/" + s.through(ctx, name, port, c)
			return nil
		},
	}
	if s.h.o.Authority != nil && !s.tls {
		t.Upgrade = func() (net.Conn, error) { return s.upgrade(ctx, l) }
	}
	err := d.Speak(ctx, t)
	if err != nil && !errors.Is(err, io.EOF) {
		s.h.log.Debug("a visit ended", "service", d.Name, "error", err)
	}
	if errors.Is(err, protocols.ErrLimit) {
		s.unread()
	}
	return strings.TrimSuffix(d.Name+behind, "/")
}

// through serves the destination that a client reached through a proxy.
func (s *session) through(ctx context.Context, name string, port uint16, c net.Conn) string {
	if s.tunnels >= maxTunnels {
		s.unread()
		return ""
	}
	inner := &session{h: s.h, v: s.v, name: name, port: port, tunnels: s.tunnels + 1, sum: sha256.New()}
	service := inner.speak(ctx, &line{Conn: c, sum: inner.sum})
	s.sum = inner.sum
	s.cut = s.cut || inner.cut
	s.first = inner.first
	return service
}

// linger reads what the client still sends while the connection is being
// closed, and gives it time to read the answer.
func (s *session) linger(c *patient, buffered io.Reader) {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		_ = w.CloseWrite()
	}
	c.until = time.Now().Add(lingerTime)
	p := make([]byte, 16<<10)
	for total := 0; total < maxLinger; {
		n, err := buffered.Read(p)
		s.sent("", p[:n])
		if total += n; err != nil {
			return
		}
	}
	s.unread()
}
