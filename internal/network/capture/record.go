package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// The flags of a record.
const (
	outgoing    uint32 = 1 << iota // the sandbox sent it
	fromClient                     // the sender began the flow
	firstOfFlow                    // no packet of the flow was kept before it
	secret                         // a key log line instead of a frame
)

// headerSize is the size of a record's header.
const headerSize = 20

// record is one entry of the spool: a frame or a secret.
type record struct {
	at       time.Time
	flags    uint32
	original int // bytes of the frame before it was shortened
	data     []byte
}

// size is what the record costs in the spool, with its header.
func (r record) size() int64 { return headerSize + int64(len(r.data)) }

func (r record) encode(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(r.at.UnixNano()))
	b = binary.LittleEndian.AppendUint32(b, r.flags)
	b = binary.LittleEndian.AppendUint32(b, uint32(r.original))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.data)))
	return append(b, r.data...)
}

// scan calls visit for every record of a spool. The record's data is valid
// until visit returns.
func scan(spool io.Reader, visit func(record) error) error {
	in := bufio.NewReaderSize(spool, 64<<10)
	var header [headerSize]byte
	data := make([]byte, maxSnap)
	for {
		if _, err := io.ReadFull(in, header[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading the capture's spool: %w", err)
		}
		r := record{
			at:       time.Unix(0, int64(binary.LittleEndian.Uint64(header[0:]))).UTC(),
			flags:    binary.LittleEndian.Uint32(header[8:]),
			original: int(binary.LittleEndian.Uint32(header[12:])),
		}
		size := binary.LittleEndian.Uint32(header[16:])
		if size > maxSnap {
			return fmt.Errorf("reading the capture's spool: a record of %d bytes", size)
		}
		r.data = data[:size]
		if _, err := io.ReadFull(in, r.data); err != nil {
			return fmt.Errorf("reading the capture's spool: %w", err)
		}
		if err := visit(r); err != nil {
			return err
		}
	}
}

func flagIf(is bool, flag uint32) uint32 {
	if is {
		return flag
	}
	return 0
}
