package host

import (
	"bufio"
	"bytes"
	"crypto/sha1" //nolint:gosec // the protocol says so
	"encoding/base64"
	"io"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// socketGUID is the constant of RFC 6455, section 1.3.
const socketGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

func isSocket(r *request) bool {
	return r.Method == http.MethodGet && r.HasToken("Connection", "upgrade") && r.HasToken("Upgrade", "websocket") && r.Header("Sec-WebSocket-Key") != ""
}

// accept accepts a WebSocket without compression, so that frames can be read.
func accept(w *web, r *request, out *bufio.Writer) {
	sum := sha1.Sum([]byte(r.Header("Sec-WebSocket-Key") + socketGUID)) //nolint:gosec // as above
	a := &services.Answer{Status: 101, Fields: []services.Field{
		{Name: "Upgrade", Value: "websocket"}, {Name: "Connection", Value: "Upgrade"},
		{Name: "Sec-WebSocket-Accept", Value: base64.StdEncoding.EncodeToString(sum[:])},
	}}
	if protocol, _, _ := strings.Cut(r.Header("Sec-WebSocket-Protocol"), ","); isToken(protocol) {
		a.Fields = append(a.Fields, services.Field{Name: "Sec-WebSocket-Protocol", Value: protocol})
	}
	r.Upgrade = true
	writeHead(out, a.Status, w.h.services.Stamp(&r.Request, a.Fields))
	w.ended(r, a)
}

// isToken rejects characters that would end a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c) })
}

// webSocket is a WebSocket connection.
type webSocket struct {
	*session
	in  *bufio.Reader
	out *bufio.Writer
}

// run reads frames until the client ends.
func (w *webSocket) run() {
	for left := uint64(maxBody); left > 2; {
		f, err := readFrame(w.in)
		if err != nil {
			return
		}
		var payload []byte
		left -= 2
		err = f.read(w.in, left, func(p []byte) {
			w.sent("frame", p)
			payload = append(payload, p[:min(len(p), keptInEvent-len(payload))]...)
		})
		if err != nil || !w.reply(f, payload) {
			return
		}
		left -= min(f.size, left)
	}
	w.unread()
}

// reply answers a frame; false ends the connection.
func (w *webSocket) reply(f *frame, payload []byte) bool {
	switch f.kind {
	case frameClose:
		_, _ = w.out.Write(appendFrame(nil, frameClose, payload[:min(len(payload), 2)]))
		w.out.Flush()
		return false
	case framePing:
		_, _ = w.out.Write(appendFrame(nil, framePong, payload))
	case frameText:
		if f.final && bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{")) {
			_, _ = w.out.Write(appendFrame(nil, frameText, []byte(`{"type":"ack","ok":true}`)))
		}
	}
	if w.in.Buffered() == 0 {
		w.out.Flush()
	}
	return true
}

// buffered is what was read ahead from a client that sent an invalid frame.
func buffered(in *bufio.Reader) []byte {
	p := make([]byte, in.Buffered())
	n, _ := io.ReadFull(in, p) // these bytes are already buffered
	return p[:n]
}
