package protocols

import (
	"context"
	"errors"
	"net"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
)

// ErrLimit says that the client sent more than the limit.
var ErrLimit = errors.New("more was sent than is read")

// Conversation is one conversation with a client.
type Conversation struct {
	Conn net.Conn // bytes that were peeked at are read from it again
	Name string   // the name that the client resolved; "" if it used an IP address
	Port uint16
	// Upgrade begins TLS on Conn (STARTTLS). It is called at most once. nil:
	// TLS is not offered.
	Upgrade func() (net.Conn, error)
	// Databases are what databases contain; nil: each conversation begins with
	// its own.
	Databases *databases.Databases
	// Now is the time that databases state; nil: always the same.
	Now func() time.Time
	// Through serves a connection that the client made through a proxy. It
	// begins with the first byte meant for the proxy's destination. nil: the
	// bytes are read and reported unparsed.
	Through func(ctx context.Context, name string, port uint16, c net.Conn) error
	// Mail receives each mail.
	Mail func(m *mcpsf.SMTPDetail)
	// Sent receives what the client sent, in order and without gaps; it may
	// keep the bytes. part is "login", "query", "mail", "url" or "". Data that
	// the protocol encodes is reported decoded, in addition or instead.
	Sent func(part string, p []byte)
	// Asked receives each statement for a database or a directory. nil:
	// statements are not reported.
	Asked func(q *mcpsf.QueryDetail)
}

// Protocol is one protocol.
type Protocol struct {
	Name string
	// Greets says that the server sends the first bytes.
	Greets bool
	// Speak serves the client until it ends, stays silent for too long or ctx
	// is done; then it returns ctx's error. Nothing that a client does is an
	// error, except [ErrLimit].
	Speak func(ctx context.Context, t *Conversation) error
}

// ByBytes finds the protocol by the first bytes of a client. undecided means
// that no protocol is recognised yet but more bytes may decide.
func ByBytes(first []byte) (d *Protocol, undecided bool) {
	for _, s := range all() {
		switch s.match(first) {
		case yes:
			return s.protocol(), false
		case maybe:
			undecided = true
		}
	}
	return nil, undecided
}

// ByPort finds the protocol whose server greets first on a port; nil if there
// is none.
func ByPort(port uint16) *Protocol {
	for _, s := range all() {
		if slices.Contains(s.ports, port) {
			return s.protocol()
		}
	}
	return nil
}

// Unknown reads and reports all bytes, and answers nothing.
func Unknown() *Protocol { return unknown().protocol() }

// SMTP is the protocol of mail servers.
func SMTP() *Protocol { return smtp().protocol() }

// speaker is the implementation of a protocol.
type speaker struct {
	name  string
	ports []uint16 // where the server greets a silent client
	match func(first []byte) match
	// serve runs the conversation. nil means that the client said goodbye,
	// errStray that it speaks something else.
	serve func(ctx context.Context, w *wire) error
}

// all lists every protocol.
func all() []speaker {
	return []speaker{
		smtp(), ftp(), pop3(), imap(), ssh(), redis(), postgres(), mysql(), mongo(), bolt(), socks(),
		mqtt(), amqp(), ldap(), irc(), memcached(), syslog(), statsd(),
	}
}

func (s speaker) protocol() *Protocol {
	return &Protocol{Name: s.name, Greets: len(s.ports) > 0, Speak: func(ctx context.Context, t *Conversation) error {
		w := newWire(t)
		// Closing the connection ends every wait for the client, including a
		// handshake.
		stop := context.AfterFunc(ctx, func() { _ = t.Conn.Close() })
		defer stop()
		err := w.end(s.serve(ctx, w))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}}
}
