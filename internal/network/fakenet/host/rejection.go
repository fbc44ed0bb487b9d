package host

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

const (
	closedEarly = "closed the connection after the certificate"
	closedLate  = "closed the connection without a word after the handshake"
)

// rejection says why the client ended a handshake.
func rejection(err error) string {
	if reason, ok := alerted(err); ok {
		return reason
	}
	switch {
	case hasLeft(err):
		return closedEarly
	case isTimeout(err):
		return "fell silent after the certificate"
	}
	return "nothing in common: " + strings.TrimPrefix(err.Error(), "tls: ")
}

// alerted is the reason in the client's alert.
func alerted(err error) (string, bool) {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok || op.Op != "remote error" {
		return "", false
	}
	return strings.TrimPrefix(op.Err.Error(), "tls: "), true
}

func hasLeft(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || err != nil && strings.Contains(err.Error(), "reset by peer")
}

// witness records the handshake's records.
type witness struct {
	net.Conn
	heard []byte
	done  bool
}

// no gap: exceeding it ends the connection, which is an event
const (
	recordAlert = 21
	maxHeard    = 2 * maxHello
)

// Read implements [net.Conn].
func (w *witness) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if room := maxHeard - len(w.heard); !w.done && room > 0 {
		w.heard = append(w.heard, p[:min(n, room)]...)
	}
	if w.done {
		w.heard = nil
	}
	return n, err
}

// alert is the reason that a client sent unencrypted, as some do where an
// encrypted alert is expected; "" if there is none.
func (w *witness) alert() string {
	for p := w.heard; len(p) >= 5; {
		size := int(binary.BigEndian.Uint16(p[3:]))
		if len(p) < 5+size {
			return ""
		}
		if p[0] == recordAlert && size == 2 {
			if p[6] == 0 { // close notify
				return closedEarly
			}
			return strings.TrimPrefix(tls.AlertError(p[6]).Error(), "tls: ")
		}
		p = p[5+size:]
	}
	return ""
}
