package wire

import (
	"encoding/binary"
	"fmt"
)

// Through a port forward the orchestrator connects to a server that listens
// inside the sandbox. Both sides exchange forward messages, each one packet on
// a socket pair.

// MaxForwardData is the most data that one [Forward] carries.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const MaxForwardData = 32 << 10

// ForwardKind is the kind of a [Forward].
type ForwardKind uint8

// The kinds. For each connection the orchestrator sends ForwardOpen with the
// address as data, then data, then ForwardClose. It receives ForwardOpen, or
// ForwardClose with the reason; then data, and ForwardClose when the server has
// closed its side.
const (
	ForwardOpen ForwardKind = 1 + iota
	ForwardData
	ForwardClose
)

// Forward is one message of a port forward.
type Forward struct {
	Kind ForwardKind
	// Conn is the number of the connection.
	Conn uint32
	// Offset is how many bytes were sent in that direction, over all
	// connections, up to the end of Data.
	Offset uint64
	Data   []byte
}

const forwardHeader = 1 + 4 + 8

// MaxForwardSize is the maximum size of an encoded message.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const MaxForwardSize = forwardHeader + MaxForwardData

// Append encodes f and appends it to buf.
func (f *Forward) Append(buf []byte) []byte {
	buf = append(buf, byte(f.Kind))
	buf = binary.LittleEndian.AppendUint32(buf, f.Conn)
	buf = binary.LittleEndian.AppendUint64(buf, f.Offset)
	return append(buf, f.Data...)
}

// ParseForward decodes a message. Data is part of raw.
func ParseForward(raw []byte) (Forward, error) {
	if len(raw) < forwardHeader || len(raw) > MaxForwardSize {
		return Forward{}, fmt.Errorf("a forward message of %d bytes", len(raw))
	}
	f := Forward{
		Kind: ForwardKind(raw[0]), Conn: binary.LittleEndian.Uint32(raw[1:]),
		Offset: binary.LittleEndian.Uint64(raw[5:]), Data: raw[forwardHeader:],
	}
	if f.Kind < ForwardOpen || f.Kind > ForwardClose {
		return Forward{}, fmt.Errorf("a forward message of kind %d", f.Kind)
	}
	return f, nil
}
