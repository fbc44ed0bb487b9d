//go:build linux

package sentry

import (
	"encoding/binary"
	"math/bits"
	"net/netip"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Socket addresses, in the formats of the target's memory and of gVisor's
// sockets.

// headerAddress returns the address in a message's header.
func headerAddress(t *kernel.Task, addr hostarch.Addr) []byte {
	var header [12]byte
	if _, err := t.CopyInBytes(addr, header[:]); err != nil {
		return nil
	}
	return copyAddress(t, hostarch.Addr(binary.LittleEndian.Uint64(header[:])), binary.LittleEndian.Uint32(header[8:]))
}

func copyAddress(t *kernel.Task, addr hostarch.Addr, size uint32) []byte {
	const largest = 200 // gVisor's limit
	if addr == 0 || size < 2 || size > largest {
		return nil
	}
	raw := make([]byte, size)
	if _, err := t.CopyInBytes(addr, raw); err != nil {
		return nil
	}
	return raw
}

func socketType(t *kernel.Task, fd int32) linux.SockType {
	file := t.GetFile(fd)
	if file == nil {
		return 0
	}
	defer file.DecRef(t)
	s, ok := file.Impl().(socket.Socket)
	if !ok {
		return 0
	}
	_, kind, _ := s.Type()
	return kind
}

func localAddress(r *wire.Record, name linux.SockAddr) {
	switch a := name.(type) {
	case *linux.SockAddrInet:
		r.Family, r.Port, r.Addr = linux.AF_INET, bits.ReverseBytes16(a.Port), netip.AddrFrom4(a.Addr).String()
	case *linux.SockAddrInet6:
		r.Family, r.Port, r.Addr = linux.AF_INET6, bits.ReverseBytes16(a.Port), netip.AddrFrom16(a.Addr).String()
	case *linux.SockAddrUnix:
		r.Family = linux.AF_UNIX
	}
}

func parseAddress(r *wire.Record, raw []byte) {
	switch r.Family {
	case linux.AF_INET:
		if len(raw) >= 8 {
			r.Port = binary.BigEndian.Uint16(raw[2:])
			r.Addr = netip.AddrFrom4([4]byte(raw[4:8])).String()
		}
	case linux.AF_INET6:
		if len(raw) >= 24 {
			r.Port = binary.BigEndian.Uint16(raw[2:])
			r.Addr = netip.AddrFrom16([16]byte(raw[8:24])).String()
		}
	case linux.AF_UNIX:
		name := raw[2:]
		for i, b := range name {
			if b == 0 && i > 0 {
				name = name[:i]
				break
			}
		}
		if len(name) > 0 && name[0] == 0 {
			name[0] = '@' // the abstract name space
		}
		r.Addr = string(name)
	}
}

// localPort returns the local port of a socket, 0 if it has none yet.
func localPort(t *kernel.Task, s socket.Socket) uint16 {
	name, _, err := s.GetSockName(t)
	if err != nil {
		return 0
	}
	at, _ := internetAddress(name)
	return at.Port()
}

func internetAddress(name linux.SockAddr) (netip.AddrPort, bool) {
	switch a := name.(type) {
	case *linux.SockAddrInet:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), bits.ReverseBytes16(a.Port)), true
	case *linux.SockAddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), bits.ReverseBytes16(a.Port)), true
	}
	return netip.AddrPort{}, false
}
