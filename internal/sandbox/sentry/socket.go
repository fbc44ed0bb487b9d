//go:build linux

package sentry

import (
	"encoding/binary"
	"math/bits"
	"net/netip"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"

	"github.com/mcpsf/mcpsf/internal/wire"
)

func (o *observer) socketCalls() map[string]wrapper {
	return map[string]wrapper{
		"socket":  o.socket,
		"connect": o.addressed(wire.OpConnect, 1, 2),
		"bind":    o.addressed(wire.OpListen, 1, 2),
		"listen":  o.listen,
		"sendto":  o.addressed(wire.OpSend, 4, 5),
		"sendmsg": o.sendmsg,
	}
}

// addressed observes a call with a socket address at position addr and its
// length at position size.
func (o *observer) addressed(op wire.Op, addr, size int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			raw := copyAddress(t, args[addr].Pointer(), args[size].Uint())
			rval, ctrl, err := next(t, sysno, args)
			o.spoke(t, op, args[0].Int(), raw, errno(err, sysno))
			return rval, ctrl, err
		}
	}
}

// sendmsg carries its address in the message header, behind two words.
func (o *observer) sendmsg(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		var header [12]byte
		var raw []byte
		if _, err := t.CopyInBytes(args[1].Pointer(), header[:]); err == nil {
			name := hostarch.Addr(binary.LittleEndian.Uint64(header[:8]))
			raw = copyAddress(t, name, binary.LittleEndian.Uint32(header[8:]))
		}
		rval, ctrl, err := next(t, sysno, args)
		o.spoke(t, wire.OpSend, args[0].Int(), raw, errno(err, sysno))
		return rval, ctrl, err
	}
}

func copyAddress(t *kernel.Task, addr hostarch.Addr, size uint32) []byte {
	const largest = 128
	if addr == 0 || size < 2 || size > largest {
		return nil
	}
	raw := make([]byte, size)
	if _, err := t.CopyInBytes(addr, raw); err != nil {
		return nil
	}
	return raw
}

func (o *observer) spoke(t *kernel.Task, op wire.Op, fd int32, raw []byte, number uint16) {
	if raw == nil {
		return
	}
	r := &wire.Record{Op: op, Errno: number, Family: binary.LittleEndian.Uint16(raw)}
	if r.Family == linux.AF_NETLINK || r.Family == linux.AF_UNSPEC {
		return // talk with the kernel about one's own interfaces
	}
	parseAddress(r, raw)
	r.SockType = uint16(socketType(t, fd))
	if op == wire.OpListen && (r.SockType != uint16(linux.SOCK_DGRAM) || r.Port == 0) {
		return // a name alone accepts nothing; listen tells of streams
	}
	o.emitFor(t, r)
}

// listen tells where a stream socket accepts connections.
func (o *observer) listen(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		r := &wire.Record{Op: wire.OpListen, Errno: errno(err, sysno), SockType: uint16(socketType(t, args[0].Int()))}
		if file := t.GetFile(args[0].Int()); file != nil {
			if s, ok := file.Impl().(socket.Socket); ok {
				if name, _, nameErr := s.GetSockName(t); nameErr == nil {
					localAddress(r, name)
				}
			}
			file.DecRef(t)
		}
		o.emitFor(t, r)
		return rval, ctrl, err
	}
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
