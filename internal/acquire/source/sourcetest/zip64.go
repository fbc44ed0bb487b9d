package sourcetest

import (
	"encoding/binary"
	"slices"
)

const zipEndSize, zipEnd64Size = 22, 56

// Zip64 adds the records with the true sizes to a zip.
func Zip64(data []byte, do func([]byte)) []byte {
	le := binary.LittleEndian
	at := len(data) - zipEndSize
	end := data[at:]
	b := le.AppendUint64([]byte("PK\x06\x06"), zipEnd64Size-12)
	b = append(b, make([]byte, 12)...)
	for range 2 {
		b = le.AppendUint64(b, uint64(le.Uint16(end[10:])))
	}
	b = le.AppendUint64(b, uint64(le.Uint32(end[12:])))
	b = le.AppendUint64(b, uint64(le.Uint32(end[16:])))
	b = append(b, "PK\x06\x07\x00\x00\x00\x00"...)
	b = le.AppendUint64(b, uint64(at))
	b = append(b, 1, 0, 0, 0)
	do(b)
	return slices.Concat(data[:at], b, end)
}

// EditTail changes the record at the end of a zip.
func EditTail(data []byte, do func([]byte)) []byte {
	data = slices.Clone(data)
	do(data[len(data)-zipEndSize:])
	return data
}

// TwoEnds adds another record to the end of a zip.
func TwoEnds(data []byte) []byte {
	data = EditTail(data, func(b []byte) { b[20] = zipEndSize })
	return append(data, zipTail(0, 0, 0)...)
}
