package host

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// localhost is the name of the machine itself. What listens there is often an application
// with a protocol of its own: mostly JSON without anything around it.
const localhost = "localhost"

// maxMessages bounds the messages on one such connection.
// no gap: exceeding it ends the connection, which is an event
const maxMessages = 10_000

// Silent returns the ports at localhost whose client was not understood, so that it waits
// for an answer in vain.
func (h *Host) Silent() []uint16 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.silent))
}

func (h *Host) isSilent(port uint16) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.silent == nil {
		h.silent = map[uint16]bool{}
	}
	h.silent[port] = true
}

// bridge serves a client at localhost whose protocol is unknown, and reports whether it
// did: it answers objects with objects.
func (s *session) bridge(l *line) bool {
	if s.name != localhost {
		return false
	}
	if !bytes.HasPrefix(bytes.TrimLeft(l.ahead, " \r\n"), []byte("{")) {
		s.h.isSilent(s.port)
		return false
	}
	answered := false
	heard := &hearing{s: s, l: l}
	for d := json.NewDecoder(io.LimitReader(heard, maxBody)); ; {
		var message json.RawMessage
		if l.SetReadDeadline(time.Now().Add(idleTime)) != nil || d.Decode(&message) != nil || heard.messages > maxMessages {
			break
		}
		heard.messages++
		answer := s.h.services.Bridge(&services.Request{
			Method: http.MethodPost, Target: "/", Path: "/", Version: "1.1", Scheme: "http", Host: s.other(), Place: "http://" + s.other() + "/", Kept: message,
		})
		if heard.line {
			answer = append(answer, '\n')
		}
		_, _ = (&patient{Conn: l}).Write(answer)
		answered = true
	}
	if !answered {
		s.h.isSilent(s.port)
	}
	return true
}

// hearing reports what a client sends.
type hearing struct {
	s        *session
	l        *line
	messages int
	line     bool // the last bytes ended a line
}

// Read implements [io.Reader].
func (h *hearing) Read(p []byte) (int, error) {
	n, err := h.l.Read(p)
	h.s.sent("", p[:n])
	if n > 0 {
		h.line = p[n-1] == '\n'
	}
	return n, err //nolint:wrapcheck // of a reader
}
