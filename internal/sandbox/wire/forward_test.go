package wire

import (
	"bytes"
	"testing"
)

// A parsed message encodes to the same bytes again; everything else is refused.
func FuzzParseForward(f *testing.F) {
	open := Forward{Kind: ForwardOpen, Conn: 7, Data: []byte("127.0.0.1:80")}
	f.Add(open.Append(nil))
	f.Add([]byte{})
	f.Add(make([]byte, forwardHeader))
	f.Add(append([]byte{byte(ForwardClose) + 1}, make([]byte, forwardHeader)...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := ParseForward(raw)
		if err != nil {
			return
		}
		if m.Kind < ForwardOpen || m.Kind > ForwardClose || len(m.Data) > MaxForwardData {
			t.Errorf("parsed %+v", m)
		}
		if !bytes.Equal(m.Append(nil), raw) {
			t.Errorf("%x becomes %x", raw, m.Append(nil))
		}
	})
}
