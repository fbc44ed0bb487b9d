//go:build linux

package sentry

import (
	"encoding/binary"
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
	parseAddress(r, raw)
	if file := t.GetFile(fd); file != nil {
		if s, ok := file.Impl().(socket.Socket); ok {
			_, kind, _ := s.Type()
			r.SockType = uint16(kind)
		}
		file.DecRef(t)
	}
	o.emitFor(t, r)
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
