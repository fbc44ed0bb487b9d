package capture

import (
	"encoding/binary"
	"io"
	"time"
)

// The blocks of a pcapng file.
const (
	blockSection    = 0x0a0d0d0a
	blockInterface  = 1
	blockStatistics = 5
	blockPacket     = 6
	blockSecrets    = 10
)

// The options of blocks. Except for the end and the comment, a number means
// something else in each type of block.
const (
	optEnd     = 0
	optComment = 1

	optSectionOS          = 3
	optSectionApplication = 4

	optInterfaceName       = 2
	optInterfaceResolution = 9

	optPacketFlags = 2

	optStatisticsStart   = 2
	optStatisticsEnd     = 3
	optStatisticsSeen    = 4
	optStatisticsDropped = 5
)

// block is a block of a pcapng file while it is built, little-endian.
type block struct{ b []byte }

// begin starts over with an empty block.
func (k *block) begin(kind uint32) {
	k.b = k.b[:0]
	k.u32(kind)
	k.u32(0) // the length, set in writeTo
}

func (k *block) u16(v uint16) { k.b = binary.LittleEndian.AppendUint16(k.b, v) }
func (k *block) u32(v uint32) { k.b = binary.LittleEndian.AppendUint32(k.b, v) }
func (k *block) u64(v uint64) { k.b = binary.LittleEndian.AppendUint64(k.b, v) }

// time adds a time in nanoseconds. The high half comes first in either byte
// order.
func (k *block) time(at time.Time) {
	ns := uint64(at.UnixNano())
	k.u32(uint32(ns >> 32))
	k.u32(uint32(ns))
}

// data adds bytes, padded to a multiple of four.
func (k *block) data(b []byte) {
	k.b = append(k.b, b...)
	k.b = append(k.b, make([]byte, -len(b)&3)...)
}

// text adds an option. The value must be shorter than 64 KiB.
func (k *block) text(code uint16, value string) {
	k.option(code, len(value))
	k.data([]byte(value))
}

// option adds the header of an option; its value of size bytes must follow.
func (k *block) option(code uint16, size int) {
	k.u16(code)
	k.u16(uint16(size))
}

func (k *block) endOptions() { k.u32(optEnd) }

// writeTo finishes the block and writes it.
func (k *block) writeTo(w io.Writer) error {
	size := uint32(len(k.b) + 4)
	k.u32(size)
	binary.LittleEndian.PutUint32(k.b[4:], size)
	_, err := w.Write(k.b)
	return err
}
