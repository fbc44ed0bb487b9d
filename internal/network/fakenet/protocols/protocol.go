package protocols

import (
	"context"
	"errors"
	"net"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// ErrLimit says that the client sent more than is read.
var ErrLimit = errors.New("more was sent than is read")

// Conversation is one conversation with a client.
type Conversation struct {
	Conn net.Conn // what the client sent already is read from it again
	Name string   // the name the client looked up, "" if it used a number
	Port uint16
	// Upgrade begins TLS on Conn: STARTTLS and its relatives. It is called
	// once at most. nil: TLS is not spoken.
	Upgrade func() (net.Conn, error)
	// Through serves what a client says to a third party behind a proxy. The
	// connection begins with the first byte meant for that party. nil: it is
	// read and told as it is.
	Through func(ctx context.Context, name string, port uint16, c net.Conn) error
	// Mail is told each mail.
	Mail func(m *mcpsf.SMTPDetail)
	// Sent is told what the client sent, in order and without gaps; the bytes
	// are the receiver's to keep. part is "login", "query", "mail", "url" or
	// "". What was encoded within its protocol comes decoded, too, or instead.
	Sent func(part string, p []byte)
	// Asked is told each statement for a database or a directory. nil: nobody
	// wants to know.
	Asked func(q *mcpsf.QueryDetail)
}

// Protocol is one protocol.
type Protocol struct {
	Name string
	// Greets says that the server speaks first.
	Greets bool
	// Speak talks until the client ends, falls silent or ctx is done, whose
	// error it returns then. Whatever a client may do is none, except for
	// [ErrLimit].
	Speak func(ctx context.Context, t *Conversation) error
}

// ByBytes finds the protocol by what a client sent first. undecided means that
// none is recognised yet and that more bytes may tell.
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

// ByPort finds who greets at a port; nil if nobody does.
func ByPort(port uint16) *Protocol {
	for _, s := range all() {
		if slices.Contains(s.ports, port) {
			return s.protocol()
		}
	}
	return nil
}

// Unknown reads and tells, and answers nothing.
func Unknown() *Protocol { return unknown().protocol() }

// SMTP is the protocol of mail servers.
func SMTP() *Protocol { return smtp().protocol() }

// speaker is how a protocol is written down.
type speaker struct {
	name  string
	ports []uint16 // where a silent client is greeted
	match func(first []byte) match
	// serve leads the conversation. nil is a farewell, errStray a client that
	// speaks something else.
	serve func(ctx context.Context, w *wire) error
}

// all has every protocol there is.
func all() []speaker {
	return []speaker{
		smtp(), ftp(), pop3(), imap(), ssh(), redis(), postgres(), mysql(), mongo(), socks(),
		mqtt(), amqp(), ldap(), irc(), memcached(), syslog(), statsd(),
	}
}

func (s speaker) protocol() *Protocol {
	return &Protocol{Name: s.name, Greets: len(s.ports) > 0, Speak: func(ctx context.Context, t *Conversation) error {
		w := newWire(t)
		// Whatever waits for the client, be it a handshake, ends with ctx.
		stop := context.AfterFunc(ctx, func() { _ = t.Conn.Close() })
		defer stop()
		err := w.end(s.serve(ctx, w))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}}
}
