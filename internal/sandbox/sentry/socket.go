//go:build linux

package sentry

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"
	slinux "gvisor.dev/gvisor/pkg/sentry/syscalls/linux"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// sockets observes the calls that create and connect sockets and send on them.
type sockets struct {
	rec       *recorder
	transfers *transfers
	local     *localServices
}

func (so *sockets) calls() map[string]wrapper {
	return map[string]wrapper{
		"socket": so.socket,
		"connect": so.addressed(wire.OpConnect, func(t *kernel.Task, file *vfs.FileDescription, s socket.Socket, to []byte) error {
			blocking := file.StatusFlags()&linux.SOCK_NONBLOCK == 0
			return linuxerr.ConvertIntr(s.Connect(t, to, blocking).ToError(), linuxerr.ERESTARTSYS)
		}),
		"bind": so.addressed(wire.OpListen, func(t *kernel.Task, _ *vfs.FileDescription, s socket.Socket, to []byte) error {
			return s.Bind(t, to).ToError()
		}),
		"listen":   so.listen,
		"sendto":   so.sendto,
		"sendmsg":  so.sendmsg,
		"sendmmsg": so.sendmmsg,
	}
}

// socket records sockets that see or forge other programs' packets. A raw
// netlink socket is the ordinary way to list one's own interfaces.
func (so *sockets) socket(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		family, kind := args[0].Int(), args[1].Int()&linux.SOCK_TYPE_MASK
		switch {
		case family == linux.AF_PACKET:
			so.rec.emitFor(t, &wire.Record{Op: wire.OpPrivilege, Text: "packet socket", Errno: errno(err, sysno)})
		case kind == int32(linux.SOCK_RAW) && family != linux.AF_NETLINK:
			so.rec.emitFor(t, &wire.Record{Op: wire.OpPrivilege, Text: "raw socket", Asked: fmt.Sprintf("family=%d", family), Errno: errno(err, sysno)})
		}
		return rval, ctrl, err
	}
}

// addressed carries out a call with the address it records, which is copied
// from the target's memory once.
func (so *sockets) addressed(op wire.Op, act func(*kernel.Task, *vfs.FileDescription, socket.Socket, []byte) error) wrapper {
	return replace(func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, error) {
		file := t.GetFile(args[0].Int())
		if file == nil {
			return 0, linuxerr.EBADF
		}
		defer file.DecRef(t)
		s, ok := file.Impl().(socket.Socket)
		if !ok {
			return 0, linuxerr.ENOTSOCK
		}
		to, err := slinux.CaptureAddress(t, args[1].Pointer(), args[2].Uint())
		if err != nil {
			return 0, err
		}
		err = act(t, file, s, to)
		so.spoke(t, op, s, to, errno(err, sysno))
		return 0, err
	})
}

func (so *sockets) sendto(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		so.transfers.beforeSend(t, args)
		to := copyAddress(t, args[4].Pointer(), args[5].Uint())
		so.configures(t, args[0].Int(), args[1].Pointer())
		rval, ctrl, err := next(t, sysno, args)
		so.sent(t, args[0].Int(), to, copyAddress(t, args[4].Pointer(), args[5].Uint()), errno(err, sysno))
		return rval, ctrl, err
	}
}

func (so *sockets) sendmsg(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		so.transfers.beforeSend(t, args)
		to := so.message(t, args[0].Int(), args[1].Pointer())
		rval, ctrl, err := next(t, sysno, args)
		so.sent(t, args[0].Int(), to, headerAddress(t, args[1].Pointer()), errno(err, sysno))
		return rval, ctrl, err
	}
}

// sendmmsg is many sendmsg in one; unsent messages are not recorded.
func (so *sockets) sendmmsg(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		so.transfers.beforeSend(t, args)
		const headerSize = 64 // struct mmsghdr
		var to [][]byte
		for i := range min(args[2].Uint(), linux.UIO_MAXIOV) {
			to = append(to, so.message(t, args[0].Int(), args[1].Pointer()+hostarch.Addr(i*headerSize)))
		}
		rval, ctrl, err := next(t, sysno, args)
		count := min(int(rval), len(to))
		if err != nil {
			count = min(1, len(to))
		}
		for i, raw := range to[:count] {
			after := headerAddress(t, args[1].Pointer()+hostarch.Addr(i*headerSize))
			so.sent(t, args[0].Int(), raw, after, errno(err, sysno))
		}
		return rval, ctrl, err
	}
}

// message returns the address of a message from its header and inspects its
// purpose. The header begins with the address, its length and the addresses of
// the parts.
func (so *sockets) message(t *kernel.Task, fd int32, addr hostarch.Addr) []byte {
	var header [24]byte
	if _, err := t.CopyInBytes(addr, header[:]); err != nil {
		return nil
	}
	word := func(i int) hostarch.Addr { return hostarch.Addr(binary.LittleEndian.Uint64(header[i:])) }
	var part [8]byte
	if _, err := t.CopyInBytes(word(16), part[:]); err == nil {
		so.configures(t, fd, hostarch.Addr(binary.LittleEndian.Uint64(part[:])))
	}
	return copyAddress(t, word(0), binary.LittleEndian.Uint32(header[8:]))
}

// configures records a netlink message that changes interfaces, addresses or
// routes. Every runtime reads them, so reads are not recorded.
func (so *sockets) configures(t *kernel.Task, fd int32, addr hostarch.Addr) {
	file := t.GetFile(fd)
	if file == nil {
		return
	}
	defer file.DecRef(t)
	s, ok := file.Impl().(socket.Socket)
	if !ok {
		return
	}
	if family, _, protocol := s.Type(); family != linux.AF_NETLINK || protocol != linux.NETLINK_ROUTE {
		return
	}
	var header [6]byte // a length, then the type
	if _, err := t.CopyInBytes(addr, header[:]); err != nil {
		return
	}
	const verbs, get = 3, 2 // the low bits say new, delete, get or set
	kind := binary.LittleEndian.Uint16(header[4:])
	if kind < linux.RTM_NEWLINK || kind&verbs == get {
		return
	}
	r := &wire.Record{Op: wire.OpPrivilege, Text: "netlink", Asked: fmt.Sprintf("type=%d", kind)}
	if !t.Credentials().HasRootCapability(linux.CAP_NET_ADMIN) {
		r.Errno = uint16(unix.EPERM) // the error comes back in a message
	}
	so.rec.emitFor(t, r)
}

// sent records where a message went. gVisor reads the address from the target's
// memory itself, so if it changed meanwhile both are recorded.
func (so *sockets) sent(t *kernel.Task, fd int32, before, after []byte, number uint16) {
	file := t.GetFile(fd)
	if file == nil {
		return
	}
	defer file.DecRef(t)
	s, ok := file.Impl().(socket.Socket)
	if !ok {
		return
	}
	so.spoke(t, wire.OpSend, s, before, number)
	if !bytes.Equal(before, after) {
		so.spoke(t, wire.OpSend, s, after, number)
	}
}

// spoke records the use of an address.
func (so *sockets) spoke(t *kernel.Task, op wire.Op, s socket.Socket, raw []byte, number uint16) {
	if len(raw) < 2 {
		return
	}
	r := &wire.Record{Op: op, Errno: number, Family: binary.LittleEndian.Uint16(raw)}
	if r.Family == linux.AF_NETLINK || r.Family == linux.AF_UNSPEC {
		return // netlink messages about one's own interfaces
	}
	parseAddress(r, raw)
	_, kind, _ := s.Type()
	r.SockType, r.Local = uint16(kind), localPort(t, s)
	if op == wire.OpListen && r.Family == linux.AF_UNIX && r.Addr != "" && r.Addr[0] == '/' {
		so.rec.emitFor(t, &wire.Record{Op: wire.OpCreate, Text: "socket", Path: r.Addr, Errno: number})
	}
	if op == wire.OpListen && (r.SockType != uint16(linux.SOCK_DGRAM) || r.Port == 0) {
		return // bind alone accepts nothing; listen records streams
	}
	so.rec.emitFor(t, r)
}

// listen records where a stream socket accepts connections.
func (so *sockets) listen(next syscallFn) syscallFn {
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
		if r.Errno == 0 && r.Family != linux.AF_UNIX {
			so.local.listens(r.Port)
		}
		so.rec.emitFor(t, r)
		return rval, ctrl, err
	}
}
