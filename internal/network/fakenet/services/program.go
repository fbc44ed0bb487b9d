package services

import "encoding/binary"

// windowsProgram is a program for Windows on x86-64 that returns 0.
func windowsProgram() []byte {
	le := binary.LittleEndian
	p := make([]byte, 1024)
	copy(p, "MZ")
	le.PutUint32(p[0x3c:], 0x80)
	h := p[0x80:]
	copy(h, "PE\x00\x00")
	le.PutUint16(h[4:], 0x8664) // machine
	le.PutUint16(h[6:], 1)      // sections
	le.PutUint16(h[20:], 240)   // size of the optional header
	le.PutUint16(h[22:], 0x22)  // executable, large addresses
	o := h[24:]
	le.PutUint16(o, 0x20b)            // PE32+
	le.PutUint32(o[4:], 512)          // size of code
	le.PutUint32(o[16:], 0x1000)      // entry point
	le.PutUint32(o[20:], 0x1000)      // base of code
	le.PutUint64(o[24:], 0x140000000) // base of the image
	le.PutUint32(o[32:], 0x1000)      // alignment in memory
	le.PutUint32(o[36:], 0x200)       // alignment in the file
	le.PutUint16(o[40:], 6)           // version of the system
	le.PutUint16(o[48:], 6)           // version of the subsystem
	le.PutUint32(o[56:], 0x2000)      // size of the image
	le.PutUint32(o[60:], 0x200)       // size of the headers
	le.PutUint16(o[68:], 3)           // console
	le.PutUint64(o[72:], 0x100000)    // stack
	le.PutUint64(o[80:], 0x1000)
	le.PutUint64(o[88:], 0x100000) // heap
	le.PutUint64(o[96:], 0x1000)
	le.PutUint32(o[108:], 16) // directories, all empty
	section := o[240:]
	copy(section, ".text")
	le.PutUint32(section[8:], 3)
	le.PutUint32(section[12:], 0x1000)
	le.PutUint32(section[16:], 512)
	le.PutUint32(section[20:], 512)
	le.PutUint32(section[36:], 0x60000020)  // code, to execute and read
	copy(p[512:], []byte{0x31, 0xc0, 0xc3}) // xor eax, eax; ret
	return p
}
