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

// A worker process is started in one call and fed in the later ones. Whoever
// reads what another wrote works for the other's call from then on.

// channel is an open file as a way between tasks: what is read from it was
// written where somebody's out is this in. Both are nil for other files.
type channel struct {
	in, out any
	// visit is ours at the other end, nil for anybody else.
	visit *visit
}

// pairEnd is one direction of a socket pair, named that of two sockets with
// addresses, queue a System V message queue.
type (
	pairEnd struct {
		pair uint32
		end  bool
	}
	named struct{ from, to string }
	queue struct{ id int32 }
	pipe  struct{ dev, ino uint64 }
)

func (o *observer) channelOf(t *kernel.Task, file *vfs.FileDescription, id identity) channel {
	switch impl := file.Impl().(type) {
	case *eventfd.EventFileDescription:
		w := weak.Make(file)
		return channel{in: w, out: w}
	case socket.Socket:
		return o.socketChannel(t, impl)
	}
	if linux.FileMode(id.mode).FileType() == linux.ModeNamedPipe {
		p := pipe{id.dev, id.ino}
		return channel{in: p, out: p}
	}
	return channel{}
}

// socketChannel recognises two connected sockets by their addresses. Of a Unix
// socket's clients none has one, so all of a listener's share the way.
func (o *observer) socketChannel(t *kernel.Task, s socket.Socket) channel {
	local, _, err := s.GetSockName(t)
	if err != nil {
		return channel{}
	}
	peer, _, err := s.GetPeerName(t)
	if err != nil {
		return channel{}
	}
	if from, ok := internetAddress(peer); ok {
		if v := o.door.visitor(from); v != nil {
			return channel{visit: v}
		}
	}
	here, there := fmt.Sprint(local), fmt.Sprint(peer)
	if here == there {
		return channel{} // a pair that was forgotten, or made elsewhere
	}
	return channel{in: named{there, here}, out: named{here, there}}
}

func (o *observer) channelCalls() map[string]wrapper {
	return map[string]wrapper{
		"socketpair": o.socketpair,
		"recvfrom":   o.receives,
		"recvmsg":    o.receives,
		"recvmmsg":   o.receives,
		"msgsnd":     o.queued,
		"msgrcv":     o.dequeued,
	}
}

// socketpair remembers which two sockets belong together: they have no name.
func (o *observer) socketpair(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			o.paired(t, args[3].Pointer())
		}
		return rval, ctrl, err
	}
}

func (o *observer) paired(t *kernel.Task, addr hostarch.Addr) {
	var made [8]byte
	if _, err := t.CopyInBytes(addr, made[:]); err != nil {
		return
	}
	a := t.GetFile(int32(binary.LittleEndian.Uint32(made[:])))
	b := t.GetFile(int32(binary.LittleEndian.Uint32(made[4:])))
	if isSocket(a) && isSocket(b) {
		o.files.pair(a, b)
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

func (o *observer) receives(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		e := o.side(t, args, 0)
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			o.afterRead(t, e, int64(rval))
		}
		e.release(t)
		return rval, ctrl, err
	}
}

// sends is called before a message goes out on the descriptor.
func (o *observer) sends(t *kernel.Task, args arch.SyscallArguments) {
	e := o.side(t, args, 0)
	o.beforeWrite(t, e)
	e.release(t)
}

func (o *observer) queued(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		o.wakes.mark(wakeKey{object: queue{args[0].Int()}}, o.label(o.state(t)))
		return next(t, sysno, args)
	}
}

func (o *observer) dequeued(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			o.wakeUp(t, wakeKey{object: queue{args[0].Int()}})
		}
		return rval, ctrl, err
	}
}
