package execproof

import (
	"encoding/binary"
	"net/netip"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf"
)

// hidden is XORed with the question in the file, so that the name is not
// readable there.
const hidden = 0xa7

// program is machine code for Linux on x86-64 that sends the machine's resolver
// one question, waits at most a second for the answer and exits with 0. It
// needs no library.
func program(p *plan) []byte {
	return asking(question("v"+p.product+"."+p.zone), netip.AddrPortFrom(netip.MustParseAddr(mcpsf.NetRouter4), 53))
}

func asking(query []byte, resolver netip.AddrPort) []byte {
	if len(query) == 0 {
		return nil
	}
	for i := range query {
		query[i] ^= hidden
	}
	ip := resolver.Addr().As4()
	address := binary.BigEndian.AppendUint16([]byte{2, 0}, resolver.Port()) // family and port
	address = append(append(address, ip[:]...), make([]byte, 8)...)
	code := []byte{
		0xb8, 41, 0, 0, 0, // mov eax, 41 (socket)
		0xbf, 2, 0, 0, 0, // mov edi, 2 (AF_INET)
		0xbe, 2, 0, 0, 0, // mov esi, 2 (SOCK_DGRAM)
		0x31, 0xd2, // xor edx, edx
		0x0f, 0x05, // syscall
		0x89, 0xc3, // mov ebx, eax
		0xb9, 0, 0, 0, 0, // mov ecx, length: patched below
		0x48, 0x8d, 0x35, 0, 0, 0, 0, // lea rsi, [question]: patched below
		0x80, 0x74, 0x0e, 0xff, hidden, // again: xor byte [rsi+rcx-1], hidden
		0xe2, 0xf9, // loop again
		0xb8, 44, 0, 0, 0, // mov eax, 44 (sendto)
		0x89, 0xdf, // mov edi, ebx
		0xba, 0, 0, 0, 0, // mov edx, length: patched below
		0x45, 0x31, 0xd2, // xor r10d, r10d
		0x4c, 0x8d, 0x05, 0, 0, 0, 0, // lea r8, [address]: patched below
		0x41, 0xb9, 16, 0, 0, 0, // mov r9d, 16
		0x0f, 0x05, // syscall
		0x6a, 0x01, // push 1 (POLLIN in the upper half below)
		0x48, 0xc1, 0x24, 0x24, 32, // shl qword [rsp], 32
		0x89, 0x1c, 0x24, // mov [rsp], ebx
		0xb8, 7, 0, 0, 0, // mov eax, 7 (poll)
		0x48, 0x89, 0xe7, // mov rdi, rsp
		0xbe, 1, 0, 0, 0, // mov esi, 1
		0xba, 0xe8, 0x03, 0, 0, // mov edx, 1000
		0x0f, 0x05, // syscall
		0xb8, 60, 0, 0, 0, // mov eax, 60 (exit)
		0x31, 0xff, // xor edi, edi
		0x0f, 0x05, // syscall
	}
	const count, lea, size, to = 22, 29, 48, 58 // offsets of the patched numbers
	le := binary.LittleEndian
	le.PutUint32(code[count:], uint32(len(query)))
	le.PutUint32(code[size:], uint32(len(query)))
	le.PutUint32(code[to:], uint32(len(code)-to-4))
	le.PutUint32(code[lea:], uint32(len(code)+len(address)-lea-4))
	return executable(append(append(code, address...), query...))
}

func question(name string) []byte {
	asked, err := dnsmessage.NewName(name + ".")
	if err != nil { // cannot be too long, see zone
		return nil
	}
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 0x2b1d, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: asked, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	packed, err := m.Pack()
	if err != nil {
		return nil
	}
	return packed
}

// executable wraps code in an ELF file that starts at its first byte.
func executable(code []byte) []byte {
	const base, head = 0x400000, 64 + 56
	le := binary.LittleEndian
	p := []byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	p = le.AppendUint16(p, 2)         // executable
	p = le.AppendUint16(p, 62)        // x86-64
	p = le.AppendUint32(p, 1)         // version
	p = le.AppendUint64(p, base+head) // entry point
	p = le.AppendUint64(p, 64)        // program headers
	p = le.AppendUint64(p, 0)         // no sections
	p = le.AppendUint32(p, 0)         // flags
	for _, v := range []uint16{64, 56, 1, 64, 0, 0} {
		p = le.AppendUint16(p, v)
	}
	p = le.AppendUint32(p, 1) // load
	p = le.AppendUint32(p, 7) // to read, write and execute
	for _, v := range []uint64{0, base, base, uint64(head + len(code)), uint64(head + len(code)), 0x1000} {
		p = le.AppendUint64(p, v)
	}
	return append(p, code...)
}
