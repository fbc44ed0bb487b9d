//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/gohacks"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// observer is the one instance in the kernel process.
type observer struct {
	conf    *Config
	payload []byte

	// mu orders the records of all tasks. A full ring blocks its holder, and
	// so everybody: the target waits, nothing is lost.
	mu sync.Mutex
	w  *wire.Writer

	// stdio holds the objects behind descriptors 0 to 2 of the first process;
	// counted are the bytes read from or written to each, and to visits.
	stdio   [3]*vfs.Dentry
	counted [4]uint64

	// epoch is how many bytes of standard input have been read.
	epoch atomic.Uint64
	tasks taskTable
	files fileTable
	wakes wakeTable
	count limitCounters
	// door lets the orchestrator in, nil if it does not want to.
	door *door
	// sleepsBegun counts the calls by which somebody may have gone to sleep.
	sleepsBegun atomic.Uint64
	settling    settling
	// clogged has a bit for each stream that had no room at the last write.
	clogged atomic.Uint32
	// hurrier puts the clock forward.
	hurrier *hurrier
	// speakers are who sends through the connections to the network.
	speakers speakers
	// libraries are the C libraries that were looked at for their getenv.
	libraries libraryTable
	begun     sync.Once
	// handedOut is how much of what was written was told.
	handedOut atomic.Int64

	// root and ours are kept for the export: the file system and the names of
	// what was planted in it.
	root vfs.VirtualDentry
	ours map[string]bool
	// filled is when everything was planted, in seconds of the sandbox's clock.
	filled int64
}

func newObserver(conf *Config, w *wire.Writer, payload []byte) *observer {
	return &observer{conf: conf, w: w, payload: payload}
}

// emit stamps and delivers a record; it blocks while the ring is full.
func (o *observer) emit(r *wire.Record) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.deliver(r)
}

// deliver must be called with mu held.
func (o *observer) deliver(r *wire.Record) {
	r.Nanos = o.now()
	o.w.Write(r)
}

// emitFor delivers a record about something t did.
func (o *observer) emitFor(t *kernel.Task, r *wire.Record) {
	s := o.state(t)
	if s.image != nil && s.image != r {
		o.imaged(t, s)
	}
	r.PID, r.TID = s.pid, s.tid
	o.mu.Lock()
	defer o.mu.Unlock()
	r.Epoch = o.label(s)
	o.deliver(r)
}

// nanotime is the host's monotonic clock, read without a system call.
func nanotime() int64 { return gohacks.Nanotime() }

// syscallFn is gVisor's type of a system call's implementation.
type syscallFn = kernel.SyscallFn

// wrapper builds the observed version of a system call from the original.
type wrapper func(next syscallFn) syscallFn

// install replaces the entries of the system call tables.
func (o *observer) install() {
	wrappers := o.wrappers()
	for _, table := range kernel.SyscallTables() {
		for number, name := range unknownCalls() {
			if _, known := table.Table[number]; !known {
				table.Table[number] = kernel.Syscall{Name: name}
			}
		}
		for number, call := range table.Table {
			if wrap, ok := wrappers[call.Name]; ok {
				call.Fn = wrap(call.Fn)
				table.Table[number] = call
			}
		}
		if hooks := o.conf.Hooks; hooks != nil {
			table.Table[uintptr(hooks.Number)] = kernel.Syscall{Fn: o.asks}
		}
		table.Init()
	}
}

// unknownCalls are refused calls that gVisor's tables lack. Their numbers are
// the same on every architecture.
func unknownCalls() map[uintptr]string {
	return map[uintptr]string{442: "mount_setattr", 443: "quotactl_fd"}
}

// wrappers lists every observed system call by name, so that the numbers of
// each architecture are gVisor's business.
func (o *observer) wrappers() map[string]wrapper {
	all := map[string]wrapper{}
	for _, group := range []map[string]wrapper{
		o.openCalls(), o.nameCalls(), o.attributeCalls(), o.statCalls(), o.ioCalls(),
		o.processCalls(), o.execCalls(), o.socketCalls(), o.privilegeCalls(), o.wakeCalls(), o.channelCalls(), o.descriptorCalls(), o.sleepCalls(), o.timerCalls(),
	} {
		for name, outer := range group {
			inner, ok := all[name]
			if !ok {
				all[name] = outer
				continue
			}
			all[name] = func(next syscallFn) syscallFn { return outer(inner(next)) }
		}
	}
	return all
}

// errno extracts the number the target will see; 0 for success and for a call
// that will be restarted.
func errno(err error, sysno uintptr) uint16 {
	if err == nil {
		return 0
	}
	n := kernel.ExtractErrno(err, int(sysno))
	if n < 0 || n > 4095 {
		return uint16(unix.EIO)
	}
	return uint16(n)
}

// firstSyscall is a tracer that exists for one system call: the first of the
// first process, before which the sandbox is made ready. It then switches
// itself off, so that it costs nothing.
type firstSyscall struct{ observer *observer }

var _ kernel.Stracer = firstSyscall{}

func (o *observer) armFirstSyscall() {
	for _, table := range kernel.SyscallTables() {
		table.Stracer = firstSyscall{o}
		table.FeatureEnable.EnableAll(kernel.StraceEnableLog)
	}
}

// SyscallEnter implements [kernel.Stracer].
func (f firstSyscall) SyscallEnter(t *kernel.Task, _ uintptr, _ arch.SyscallArguments, _ uint32) any {
	f.observer.begun.Do(func() {
		f.observer.begin(t)
		for _, table := range kernel.SyscallTables() {
			table.FeatureEnable.Enable(kernel.StraceEnableLog, nil, false)
		}
	})
	return nil
}

// SyscallExit implements [kernel.Stracer].
func (firstSyscall) SyscallExit(any, *kernel.Task, uintptr, uintptr, error) {}

// begin runs on the first process before it has done anything.
func (o *observer) begin(t *kernel.Task) {
	if err := o.countStdio(t); err != nil {
		panic("mcpsf: watching the streams: " + err.Error())
	}
	if err := o.populate(t); err != nil {
		// Without its files the sandbox is not the one that was asked for.
		panic("mcpsf: populating the sandbox: " + err.Error())
	}
	var err error
	if o.hurrier, err = newHurrier(t, o.conf.Later); err != nil {
		panic("mcpsf: moving the clocks: " + err.Error())
	}
	o.orderVariables(t)
	o.tasks.join(o.state(t).pid)
	path := ""
	if exe := t.MemoryManager().Executable(); exe != nil {
		path = o.pathOf(t, exe.VirtualDentry())
		exe.DecRef(t)
	}
	o.state(t).reads = readsFresh
	o.emitFor(t, &wire.Record{Op: wire.OpStart, Path: path, Args: o.conf.Command, N: int64(o.conf.Variables)})
	if o.door != nil {
		if err := o.door.open(t.Kernel()); err != nil {
			panic("mcpsf: opening the door: " + err.Error())
		}
	}
	go o.watch(t.Kernel())
	go o.hurry()
}
