//go:build linux

package sentry

import (
	"encoding/binary"
	"fmt"
	"weak"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/fsimpl/eventfd"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/socket"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
)

// A worker process is started in one call and gets its work in later ones. A
// task that reads what another wrote works for the other's call from then on.

// channel is an open file as a channel between tasks: data read from it was
// written to a file whose out equals this in. Both are nil for other files.
type channel struct {
	in, out any
	// forwarded is the connection of the port forward whose server end is this
	// file, nil if there is none.
	forwarded *forwardConn
}

// pairEnd is one direction of a socket pair, addressPair that of two sockets
// with addresses, pipe both ends of a pipe.
type (
	pairEnd struct {
		pair uint32
		end  bool
	}
	addressPair struct{ from, to string }
	pipe        struct{ dev, ino uint64 }
)

func (of *openFiles) channelOf(t *kernel.Task, file *vfs.FileDescription, id identity) channel {
	switch impl := file.Impl().(type) {
	case *eventfd.EventFileDescription:
		w := weak.Make(file)
		return channel{in: w, out: w}
	case socket.Socket:
		return of.socketChannel(t, impl)
	}
	if linux.FileMode(id.mode).FileType() == linux.ModeNamedPipe {
		p := pipe{id.dev, id.ino}
		return channel{in: p, out: p}
	}
	return channel{}
}

// socketChannel recognises two connected sockets by their addresses. Clients of
// a Unix socket have no address, so all clients of a listener share the
// channel.
func (of *openFiles) socketChannel(t *kernel.Task, s socket.Socket) channel {
	local, _, err := s.GetSockName(t)
	if err != nil {
		return channel{}
	}
	peer, _, err := s.GetPeerName(t)
	if err != nil {
		return channel{}
	}
	if from, ok := internetAddress(peer); ok {
		if fc := of.forward.connFrom(from); fc != nil {
			return channel{forwarded: fc}
		}
	}
	here, there := fmt.Sprint(local), fmt.Sprint(peer)
	if here == there {
		return channel{} // a forgotten pair, or one made elsewhere
	}
	return channel{in: addressPair{there, here}, out: addressPair{here, there}}
}

func (of *openFiles) calls() map[string]wrapper {
	return map[string]wrapper{"socketpair": of.socketpair}
}

// socketpair remembers which two sockets belong together: they have no address.
func (of *openFiles) socketpair(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			of.paired(t, args[3].Pointer())
		}
		return rval, ctrl, err
	}
}

func (of *openFiles) paired(t *kernel.Task, addr hostarch.Addr) {
	var made [8]byte
	if _, err := t.CopyInBytes(addr, made[:]); err != nil {
		return
	}
	a := t.GetFile(int32(binary.LittleEndian.Uint32(made[:])))
	b := t.GetFile(int32(binary.LittleEndian.Uint32(made[4:])))
	if isSocket(a) && isSocket(b) {
		of.table.pair(a, b)
	}
	for _, file := range []*vfs.FileDescription{a, b} {
		if file != nil {
			file.DecRef(t)
		}
	}
}

// isSocket guards against descriptors that were replaced in the meantime.
func isSocket(file *vfs.FileDescription) bool {
	if file == nil {
		return false
	}
	_, ok := file.Impl().(socket.Socket)
	return ok
}
