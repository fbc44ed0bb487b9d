package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Observer reports what a client sends to a real host, in the same form as the
// fake host does. Only one goroutine reports at a time.
type Observer struct {
	mu   sync.Mutex // guards the callbacks and web
	web  *web
	line *line
	// pending is reported once it is known whether the client continues after
	// the handshake.
	pending *mcpsf.TLSDetail
}

// Spoken is the protocol that a client began to speak.
type Spoken int

// The protocols that an [Observer] distinguishes.
const (
	SpokenOther = Spoken(speaksOther)
	SpokenTLS   = Spoken(speaksTLS)
	SpokenHTTP  = Spoken(speaksHTTP)
	SpokenHTTP2 = Spoken(speaksHTTP2)
)

// Hello is what a TLS client asked for.
type Hello struct {
	SNI  string
	ALPN []string

	parsed *hello
}

// ErrSilent says that the client has sent nothing yet.
var ErrSilent = errors.New("the client is silent")

// Observe makes an observer for a connection.
func (h *Host) Observe(v *Visit) *Observer {
	return &Observer{web: &web{session: &session{h: h, v: v, name: v.Name, port: v.To.Port(), sum: sha256.New()}}, line: &line{Conn: v.Conn}}
}

// Conn is the connection with the client, from the first unread byte. Inside
// TLS it is the decrypted connection.
func (e *Observer) Conn() net.Conn { return e.line }

// First waits for the client's first bytes and names their protocol, "" if it
// is unknown. After that time the error is [ErrSilent].
func (e *Observer) First(wait time.Duration) (kind Spoken, name string, err error) {
	if len(e.line.ahead) == 0 {
		err = e.line.more(wait, maxFirst)
	}
	if isTimeout(err) {
		return SpokenOther, "", ErrSilent
	}
	e.Settle(err)
	if err != nil {
		return SpokenOther, "", err
	}
	for {
		spoken, other, undecided := recognise(e.line.ahead)
		if undecided && e.line.more(moreTime, maxFirst) == nil {
			continue
		}
		if other != nil {
			name = other.Name
		}
		return Spoken(spoken), name, e.line.SetReadDeadline(time.Time{})
	}
}

// Ahead is what the client sent and was not read yet.
func (e *Observer) Ahead() []byte { return e.line.ahead }

// Hello reads the ClientHello without consuming it.
func (e *Observer) Hello() (*Hello, error) {
	h, err := readHello(e.line)
	if err != nil {
		return nil, err
	}
	return &Hello{SNI: h.sni, ALPN: h.alpn, parsed: h}, e.line.SetReadDeadline(time.Time{})
}

// Seen reports the ClientHello of a connection that is not decrypted.
func (e *Observer) Seen(h *Hello) { e.tell(Observation{TLS: h.parsed.detail()}) }

// Open does the TLS handshake with the client in place of the real host, offering
// these protocols (ALPN).
func (e *Observer) Open(ctx context.Context, h *Hello, protocols []string) error {
	detail := h.parsed.detail()
	offered := *h.parsed
	offered.alpn = protocols
	conn, err := e.web.handshake(ctx, e.line, &offered, detail)
	if err != nil {
		e.tell(Observation{TLS: detail})
		return err
	}
	e.web.tls, e.pending, e.line = true, detail, &line{Conn: conn}
	return nil
}

// TurnAway ends the TLS handshake with an alert.
func (e *Observer) TurnAway(h *Hello) {
	e.Seen(h)
	const fatal, handshakeFailure = 2, 40
	_ = e.line.SetWriteDeadline(time.Now().Add(idleTime))
	_, _ = e.line.Write([]byte{recordAlert, 3, 3, 0, 2, fatal, handshakeFailure})
}

// Settle reports a handshake once it is known whether the client sent anything
// after it, or why not.
func (e *Observer) Settle(err error) {
	detail := e.pending
	if detail == nil {
		return
	}
	e.pending = nil
	if hasLeft(err) {
		detail.Rejected = closedLate
	} else if reason, ok := alerted(err); ok {
		detail.Rejected = reason
	}
	e.tell(Observation{TLS: detail})
}

// Sent reports what the client sent.
func (e *Observer) Sent(part string, p []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.web.sent(part, p)
}

func (e *Observer) tell(o Observation) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.web.tell(o)
}
