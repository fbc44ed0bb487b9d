//go:build linux

package sentry

import (
	"sync"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/futex"
	"gvisor.dev/gvisor/pkg/sentry/memmap"
)

// A thread of a pool is created in one call and works for all the later ones.
// What sets it to work is a wake-up: whoever wakes a sleeper, or feeds the
// pipe it reads, hands over the label of his own work.
//
// Two threads that fight for a lock wake each other all the time without
// giving each other work. They differ from a pool in when they fell asleep: an
// idle thread did so before the waker's call began.

// wakeKey is what two tasks meet at: a word in a process's memory, or one that
// processes share, or a way between them.
type wakeKey struct {
	process int32
	addr    hostarch.Addr
	object  any
}

// sharedWord is a word of memory by what is mapped there.
type sharedWord struct {
	memory memmap.Mappable
	offset uint64
}

// wordKey finds the meeting place of a futex.
func (o *observer) wordKey(t *kernel.Task, addr hostarch.Addr, private bool) wakeKey {
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
	return wakeKey{process: o.state(t).pid, addr: addr}
}

// wakeTable remembers the label of the last waker at each meeting place.
type wakeTable struct {
	mu     sync.Mutex
	labels map[wakeKey]uint64
}

// maxWakes bounds the table; forgetting costs a thread its newer label only.
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

func (o *observer) wakeUp(t *kernel.Task, key wakeKey) {
	o.state(t).adopt(o.wakes.last(key))
}

func (o *observer) wakeCalls() map[string]wrapper {
	return map[string]wrapper{"futex": o.futex}
}

func (o *observer) futex(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if o.epoch.Load() == 0 {
			return next(t, sysno, args) // nothing has been asked of the server yet
		}
		key := o.wordKey(t, args[0].Pointer(), args[1].Int()&linux.FUTEX_PRIVATE_FLAG != 0)
		switch args[1].Int() &^ (linux.FUTEX_PRIVATE_FLAG | linux.FUTEX_CLOCK_REALTIME) {
		case linux.FUTEX_WAKE, linux.FUTEX_WAKE_BITSET, linux.FUTEX_WAKE_OP, linux.FUTEX_REQUEUE, linux.FUTEX_CMP_REQUEUE:
			o.wakes.mark(key, o.label(o.state(t)))
		case linux.FUTEX_WAIT, linux.FUTEX_WAIT_BITSET:
			asleep := o.epoch.Load()
			rval, ctrl, err := next(t, sysno, args)
			if label := o.wakes.last(key); err == nil && label > asleep {
				o.state(t).adopt(label)
			}
			return rval, ctrl, err
		}
		return next(t, sysno, args)
	}
}
