package stubprograms

import (
	"bytes"
	"encoding/binary"
)

// Where the program is in memory, and the sizes of its headers.
const (
	base        = 0x400000
	headerSize  = 64
	segmentSize = 56
)

// program returns a minimal executable that writes a text and exits with 0.
func program(text, arch string) []byte {
	code, machine := machineCode(len(text), arch)
	const start = headerSize + segmentSize
	size := uint64(start + len(code) + len(text))
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v) // to memory
		}
	}
	// The header: 64 bits, little-endian, executable, one segment.
	put([]byte("\x7fELF\x02\x01\x01\x00"), uint64(0), uint16(2), machine, uint32(1), uint64(base+start), uint64(headerSize), uint64(0))
	put(uint32(0), uint16(headerSize), uint16(segmentSize), uint16(1), uint16(0), uint16(0), uint16(0))
	// The segment: all of the file, to be read and executed.
	put(uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(0x1000))
	put(code, []byte(text))
	return b.Bytes()
}

// machineCode is write(1, text, size); exit(0), with the text right behind it.
func machineCode(size int, arch string) (code []byte, machine uint16) {
	if arch == "arm64" {
		for _, word := range []uint32{
			0xd2800808,                          // mov x8, 64
			0xd2800020,                          // mov x0, 1
			0x100000c1,                          // adr x1, text
			0xd2800002 | uint32(size&0xffff)<<5, // mov x2, size
			0xd4000001,                          // svc 0
			0xd2800ba8,                          // mov x8, 93
			0xd2800000,                          // mov x0, 0
			0xd4000001,                          // svc 0
		} {
			code = binary.LittleEndian.AppendUint32(code, word)
		}
		return code, 183
	}
	code = append(code, 0xb8, 1, 0, 0, 0) // mov eax, 1
	code = append(code, 0xbf, 1, 0, 0, 0) // mov edi, 1
	code = append(code, 0x48, 0x8d, 0x35) // lea rsi, text
	code = binary.LittleEndian.AppendUint32(code, 16)
	code = append(code, 0xba) // mov edx, size
	code = binary.LittleEndian.AppendUint32(code, uint32(size&0xffff))
	code = append(code, 0x0f, 0x05)        // syscall
	code = append(code, 0xb8, 60, 0, 0, 0) // mov eax, 60
	code = append(code, 0x31, 0xff)        // xor edi, edi
	return append(code, 0x0f, 0x05), 62    // syscall
}
