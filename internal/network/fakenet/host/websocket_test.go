package host

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

const handshake = "GET /live HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"

// masked makes a frame in the form that clients send.
func masked(final bool, kind byte, text string) string {
	b := []byte{kind}
	if final {
		b[0] |= 0x80
	}
	if len(text) < 126 {
		b = append(b, 0x80|byte(len(text)))
	} else {
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(len(text)))
	}
	mask := []byte{1, 2, 3, 250}
	b = append(b, mask...)
	for i := range len(text) {
		b = append(b, text[i]^mask[i%4])
	}
	return string(b)
}

func TestWebSocket(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	long := strings.Repeat("x", 200<<10)
	reply := w.exchange(t, handshake+masked(true, frameText, `{"a":"SECRET"}`)+masked(false, frameText, "one ")+masked(true, framePing, "are you there")+
		masked(true, frameContinuation, "two ")+"\x81\x05plain"+masked(true, frameBinary, long)+masked(true, frameClose, "\x03\xe8bye"))
	head, frames, _ := strings.Cut(reply, "\r\n\r\n")
	if !strings.HasPrefix(head, "HTTP/1.1 101 Switching Protocols\r\n") || !strings.Contains(head, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") {
		t.Errorf("head: %q", head)
	}
	if strings.Contains(head, "Extensions") {
		t.Error("compression was agreed on")
	}
	want := "\x81\x18" + `{"type":"ack","ok":true}` + "\x8a\x0dare you there" + "\x88\x02\x03\xe8"
	if frames != want {
		t.Errorf("frames: %q", frames)
	}
	if got, want := w.all("frame"), `{"a":"SECRET"}one are you theretwo plain`+long+"\x03\xe8bye"; got != want {
		t.Errorf("%d bytes of %d: %.200q", len(got), len(want), got)
	}
	if end := w.end(t, 1)[0]; end.Service != "websocket" || end.Cut {
		t.Errorf("%+v", end)
	}
	if r := w.requests()[0]; !r.Upgrade || r.Status != 101 {
		t.Errorf("%+v", r)
	}
}

func TestHostileWebSocket(t *testing.T) {
	endless := string(binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, 1<<62)) + "\x00\x00\x00\x00"
	for _, tt := range []struct {
		name, text, part, want string
		cut                    bool
	}{
		{"unfinished frame", masked(true, frameText, "SECRET")[:9], "frame", "SEC", false},
		{"endless frame", endless + strings.Repeat("s", maxBody+10), "frame", strings.Repeat("s", maxBody-2), true},
		{"long control frame", "\x89\xfe\x04\x00\x00\x00\x00\x00SECRET", "", "SECRET", false},
		{"empty frames", strings.Repeat("\x81\x80abcd", 1000) + masked(true, frameText, "SECRET"), "frame", "SECRET", false},
		{"unknown kinds", masked(true, 5, "SECRET"), "frame", "SECRET", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, nil, "a.example", 80)
			w.exchange(t, handshake+tt.text)
			end := w.end(t, 1)[0]
			if got := w.all(tt.part); got != tt.want {
				t.Errorf("%d bytes of %d: %.100q", len(got), len(tt.want), got)
			}
			if end.Cut != tt.cut {
				t.Errorf("cut is %t", end.Cut)
			}
		})
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte(masked(true, frameText, "hello") + masked(true, framePing, "x") + masked(true, frameClose, "")))
	f.Add([]byte("\x81\x05plain\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff1234x"))
	f.Add([]byte("\x89\xfe\x04\x00"))
	f.Fuzz(func(t *testing.T, p []byte) {
		in := bufio.NewReader(bytes.NewReader(p))
		told := 0
		for {
			fr, err := readFrame(in)
			if err != nil {
				break
			}
			if fr.read(in, maxBody, func(p []byte) { told += len(p) }) != nil {
				break
			}
		}
		if told > len(p) {
			t.Errorf("%d bytes were made of %d", told, len(p))
		}
	})
}
