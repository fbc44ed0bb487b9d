package wire

import (
	"encoding/binary"
	"fmt"
)

// Through the door the orchestrator reaches what listens inside the sandbox.
// Both sides exchange knocks, each one message on a pair of sockets.

// MaxKnock is the most data that one [Knock] carries.
const MaxKnock = 32 << 10

// KnockKind says what a [Knock] is.
type KnockKind uint8

// The kinds. Of a visit the orchestrator sends KnockOpen with the address as
// data, then data, then KnockClose; it gets KnockOpen back, or KnockClose with
// the reason, then data, and KnockClose when the server has closed its side.
const (
	KnockOpen KnockKind = 1 + iota
	KnockData
	KnockClose
)

// Knock is one message through the door.
type Knock struct {
	Kind  KnockKind
	Visit uint32
	// Offset is how many bytes went that way, of all visits, up to the last
	// of Data.
	Offset uint64
	Data   []byte
}

const knockHeader = 1 + 4 + 8

// MaxKnockSize is how large an encoded knock can be.
const MaxKnockSize = knockHeader + MaxKnock

// Append encodes k behind buf.
func (k *Knock) Append(buf []byte) []byte {
	buf = append(buf, byte(k.Kind))
	buf = binary.LittleEndian.AppendUint32(buf, k.Visit)
	buf = binary.LittleEndian.AppendUint64(buf, k.Offset)
	return append(buf, k.Data...)
}

// ParseKnock decodes a message. Data is part of it.
func ParseKnock(raw []byte) (Knock, error) {
	if len(raw) < knockHeader || len(raw) > MaxKnockSize {
		return Knock{}, fmt.Errorf("a message of %d bytes at the door", len(raw))
	}
	k := Knock{
		Kind: KnockKind(raw[0]), Visit: binary.LittleEndian.Uint32(raw[1:]),
		Offset: binary.LittleEndian.Uint64(raw[5:]), Data: raw[knockHeader:],
	}
	if k.Kind < KnockOpen || k.Kind > KnockClose {
		return Knock{}, fmt.Errorf("a message of kind %d at the door", k.Kind)
	}
	return k, nil
}
