//go:build linux

package sentry

import (
	"sync"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// observer is the one instance in the kernel process. It holds the parts: rec
// delivers records, attr knows which call a task works for, and each of the
// others observes one kind of system call or one resource.
type observer struct {
	conf  *Config
	begun sync.Once

	rec     *recorder
	attr    *attribution
	conv    *conversation
	limits  *limits
	root    *rootFS
	forward *forwarder
	local   *localServices
	clock   *virtualClock

	processes *processes
	execs     *execs
	env       *envReads
	// groups are the observed system calls, in the order in which they are
	// wrapped around each other where several observe the same call.
	groups []callGroup
}

// callGroup observes some system calls.
type callGroup interface {
	// calls returns the wrappers by the name of the system call, so that gVisor
	// resolves the numbers of each architecture.
	calls() map[string]wrapper
}

// newObserver connects the parts. payload is the archive to unpack into the
// sandbox, nil for none.
func newObserver(conf *Config, w *wire.Writer, payload []byte) *observer {
	attr := &attribution{}
	rec := &recorder{attr: attr, w: w}
	conv := &conversation{rec: rec, attr: attr}
	limits := &limits{conf: conf, rec: rec, attr: attr}
	root := &rootFS{conf: conf, rec: rec, payload: payload}
	forward := newForwarder(conv)
	local := &localServices{w: w}
	env := &envReads{hooks: conf.Hooks, rec: rec, attr: attr}
	execs := &execs{rec: rec, attr: attr}
	files := &openFiles{rec: rec, forward: forward}
	senders := &senders{rec: rec, attr: attr, local: local}
	transfers := &transfers{maxWritten: conf.MaxWritten, rec: rec, attr: attr, files: files, senders: senders, env: env, limits: limits}
	processes := &processes{linger: conf.Linger, rec: rec, attr: attr, limits: limits, execs: execs, root: root}
	sleeps := &sleeps{rec: rec, attr: attr}
	clock := &virtualClock{later: conf.Later, rec: rec, attr: attr, conv: conv, forward: forward, sleeps: sleeps, timers: newTimers()}
	o := &observer{
		conf: conf, rec: rec, attr: attr, conv: conv, limits: limits, root: root, forward: forward, local: local, clock: clock,
		processes: processes, execs: execs, env: env,
		groups: []callGroup{
			&fileOpens{rec: rec, files: files, env: env, conv: conv, limits: limits},
			&nameChanges{rec: rec, limits: limits},
			&attributeChanges{rec: rec, limits: limits},
			&lookups{rec: rec, attr: attr, env: env},
			transfers, processes, execs,
			&sockets{rec: rec, transfers: transfers, local: local},
			&privileges{rec: rec},
			attr, files, limits, sleeps, clock.timers,
		},
	}
	conv.owner = &carried{observer: o}
	return o
}

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
			table.Table[uintptr(hooks.Number)] = kernel.Syscall{Fn: o.env.nodeCall}
		}
		table.Init()
	}
}

// unknownCalls are refused calls that gVisor's tables lack. Their numbers are
// the same on every architecture.
func unknownCalls() map[uintptr]string {
	return map[uintptr]string{442: "mount_setattr", 443: "quotactl_fd"}
}

// wrappers lists every observed system call by name.
func (o *observer) wrappers() map[string]wrapper {
	all := map[string]wrapper{}
	for _, group := range o.groups {
		for name, outer := range group.calls() {
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

// errno returns the number the target will see; 0 for success and for a call
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

// firstSyscall is a tracer for one system call: the first of the first process,
// before which the sandbox is prepared. It then removes itself, so that it
// costs nothing.
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
		if f.observer.conf.Copy {
			f.observer.beginCopy(t)
		} else {
			f.observer.begin(t)
		}
		for _, table := range kernel.SyscallTables() {
			table.FeatureEnable.Enable(kernel.StraceEnableLog, nil, false)
		}
	})
	return nil
}

// SyscallExit implements [kernel.Stracer].
func (firstSyscall) SyscallExit(any, *kernel.Task, uintptr, uintptr, error) {}

// begin runs on the first process before its first system call. Any failure
// here ends the sandbox, because it would not be set up as requested.
func (o *observer) begin(t *kernel.Task) {
	if err := o.conv.replaceStdio(t); err != nil {
		panic("mcpsf: watching the streams: " + err.Error())
	}
	if err := o.root.populate(t); err != nil {
		panic("mcpsf: populating the sandbox: " + err.Error())
	}
	if err := o.clock.attach(t); err != nil {
		panic("mcpsf: replacing the clocks: " + err.Error())
	}
	orderVariables(t)
	first := o.attr.state(t)
	o.attr.tasks.join(first.pid)
	first.reads = readsFresh
	o.rec.emitFor(t, &wire.Record{Op: wire.OpStart, Path: program(t), Args: o.conf.Command, N: int64(o.conf.Variables)})
	o.open(t)
}

// open connects the kernel with the orchestrator.
func (o *observer) open(t *kernel.Task) {
	if err := o.forward.open(t.Kernel()); err != nil {
		panic("mcpsf: opening the port forward: " + err.Error())
	}
	o.local.open(t.Kernel())
	go o.limits.watch(t.Kernel())
	go o.clock.run()
}
