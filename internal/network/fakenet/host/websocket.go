package host

import (
	"bufio"
	"bytes"
	"crypto/sha1" //nolint:gosec // the protocol says so
	"encoding/base64"
	"io"
	"strings"
)

// socketGUID is the constant of RFC 6455, section 1.3.
const socketGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

func isSocket(r *request) bool {
	return r.method == "GET" && r.says("Connection", "upgrade") && r.says("Upgrade", "websocket") && r.header("Sec-WebSocket-Key") != ""
}

// accept agrees to a WebSocket. Compression is not: frames are read as they
// are.
func (s *session) accept(r *request, out *bufio.Writer) {
	sum := sha1.Sum([]byte(r.header("Sec-WebSocket-Key") + socketGUID)) //nolint:gosec // as above
	a := &answer{status: 101, fields: []field{
		{"Upgrade", "websocket"}, {"Connection", "Upgrade"},
		{"Sec-WebSocket-Accept", base64.StdEncoding.EncodeToString(sum[:])},
	}}
	if protocol, _, _ := strings.Cut(r.header("Sec-WebSocket-Protocol"), ","); isToken(protocol) {
		a.fields = append(a.fields, field{"Sec-WebSocket-Protocol", protocol})
	}
	r.upgrade = true
	writeHead(out, a.status, s.stamp(r, a.fields))
	s.ended(r, a)
}

// isToken keeps what would end a header out of it.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c) })
}

// websocket reads frames until the client ends.
func (s *session) websocket(in *bufio.Reader, out *bufio.Writer) {
	for left := uint64(maxBody); left > 2; {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		var payload []byte
		left -= 2
		err = f.read(in, left, func(p []byte) {
			s.sent("frame", p)
			payload = append(payload, p[:min(len(p), keptInEvent-len(payload))]...)
		})
		if err != nil || !s.socketReply(f, payload, in, out) {
			return
		}
		left -= min(f.size, left)
	}
	s.cut = true
}

// socketReply answers a frame; false ends the conversation.
func (s *session) socketReply(f *frame, payload []byte, in *bufio.Reader, out *bufio.Writer) bool {
	switch f.kind {
	case frameClose:
		_, _ = out.Write(appendFrame(nil, frameClose, payload[:min(len(payload), 2)]))
		out.Flush()
		return false
	case framePing:
		_, _ = out.Write(appendFrame(nil, framePong, payload))
	case frameText:
		if f.final && bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{")) {
			_, _ = out.Write(appendFrame(nil, frameText, []byte(`{"type":"ack","ok":true}`)))
		}
	}
	if in.Buffered() == 0 {
		out.Flush()
	}
	return true
}

// buffered is what was read ahead of a client that makes no sense any more.
func buffered(in *bufio.Reader) []byte {
	p := make([]byte, in.Buffered())
	n, _ := io.ReadFull(in, p) // these are there
	return p[:n]
}
