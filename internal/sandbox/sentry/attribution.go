//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/futex"
	"gvisor.dev/gvisor/pkg/sentry/memmap"
)

// attribution knows which call each task works for. A task's label is the epoch
// of its work: how many bytes of standard input had been read when the work
// began.
//
// A pool thread is created in one call and works for all later ones. A wake-up
// gives it work: a task that wakes a sleeper, or writes to the pipe it reads,
// passes on its own label.
//
// Two threads that compete for a lock wake each other all the time without
// passing on work. They differ from a pool in when they fell asleep: an idle
// thread did so before the waker's call began.
type attribution struct {
	// epoch is how many bytes of standard input have been read.
	epoch atomic.Uint64
	tasks taskTable
	wakes wakeTable
}

// state returns the state of a task.
func (attr *attribution) state(t *kernel.Task) *taskState { return attr.tasks.get(t) }

// label returns the epoch of the work that s does now.
func (attr *attribution) label(s *taskState) uint64 {
	if l := s.label.Load(); l != 0 {
		return l
	}
	return attr.epoch.Load()
}

// labelOf returns the epoch of the work that t does now.
func (attr *attribution) labelOf(t *kernel.Task) uint64 { return attr.label(attr.state(t)) }

// wakeKey is the object that two tasks synchronise on: a word in one process's
// memory, a shared word, or a channel.
type wakeKey struct {
	process int32
	addr    hostarch.Addr
	object  any
}

// sharedWord identifies a word of memory by what is mapped there.
type sharedWord struct {
	memory memmap.Mappable
	offset uint64
}

// wordKey identifies the word of a futex.
func (attr *attribution) wordKey(t *kernel.Task, addr hostarch.Addr, private bool) wakeKey {
	if !private {
		if k, err := t.MemoryManager().GetSharedFutexKey(t, addr); err == nil {
			if k.MappingIdentity != nil {
				defer k.MappingIdentity.DecRef(t)
			}
			if k.Kind == futex.KindSharedMappable {
				return wakeKey{object: sharedWord{k.Mappable, k.Offset}}
			}
		}
	}
	return wakeKey{process: attr.state(t).pid, addr: addr}
}

// wakeTable remembers the label of the last waker for each key.
type wakeTable struct {
	mu     sync.Mutex
	labels map[wakeKey]uint64
}

// maxWakes bounds the table; a dropped entry only costs a thread its newer
// label.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const maxWakes = 4096

func (w *wakeTable) mark(key wakeKey, label uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.labels == nil || len(w.labels) >= maxWakes {
		w.labels = make(map[wakeKey]uint64)
	}
	w.labels[key] = label
}

func (w *wakeTable) last(key wakeKey) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.labels[key]
}

// wakeUp gives a woken task the label of its waker.
func (attr *attribution) wakeUp(t *kernel.Task, key wakeKey) {
	attr.state(t).adopt(attr.wakes.last(key))
}

func (attr *attribution) calls() map[string]wrapper {
	return map[string]wrapper{"futex": attr.futex, "msgsnd": attr.msgsnd, "msgrcv": attr.msgrcv}
}

func (attr *attribution) futex(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if attr.epoch.Load() == 0 {
			return next(t, sysno, args) // no request has been read yet
		}
		key := attr.wordKey(t, args[0].Pointer(), args[1].Int()&linux.FUTEX_PRIVATE_FLAG != 0)
		switch args[1].Int() &^ (linux.FUTEX_PRIVATE_FLAG | linux.FUTEX_CLOCK_REALTIME) {
		case linux.FUTEX_WAKE, linux.FUTEX_WAKE_BITSET, linux.FUTEX_WAKE_OP, linux.FUTEX_REQUEUE, linux.FUTEX_CMP_REQUEUE:
			attr.wakes.mark(key, attr.labelOf(t))
		case linux.FUTEX_WAIT, linux.FUTEX_WAIT_BITSET:
			asleep := attr.epoch.Load()
			rval, ctrl, err := next(t, sysno, args)
			if label := attr.wakes.last(key); err == nil && label > asleep {
				attr.state(t).adopt(label)
			}
			return rval, ctrl, err
		}
		return next(t, sysno, args)
	}
}

// messageQueue is a System V message queue as a synchronisation object.
type messageQueue struct{ id int32 }

func (attr *attribution) msgsnd(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		attr.wakes.mark(wakeKey{object: messageQueue{args[0].Int()}}, attr.labelOf(t))
		return next(t, sysno, args)
	}
}

func (attr *attribution) msgrcv(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			attr.wakeUp(t, wakeKey{object: messageQueue{args[0].Int()}})
		}
		return rval, ctrl, err
	}
}
