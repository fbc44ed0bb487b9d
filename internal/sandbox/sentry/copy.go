//go:build linux

package sentry

import (
	"bytes"
	"cmp"
	"slices"

	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// This file takes over a kernel that was loaded from a snapshot.

// beginCopy runs on the first task of a copy that makes a system call; the others wait
// for it at their first one.
func (o *observer) beginCopy(t *kernel.Task) {
	owner := o.conv.takeOver(t)
	if owner == nil {
		panic("mcpsf: a copy without the streams of its first process")
	}
	owner.observer = o
	o.local.listenedBefore(owner.listened)
	if err := o.clock.attach(t); err != nil {
		panic("mcpsf: replacing the clocks: " + err.Error())
	}
	o.introduceTasks(t)
	o.open(t)
}

// takeOver finds the counting files of the first process's streams, and what connects
// them with the observer.
func (c *conversation) takeOver(t *kernel.Task) *carried {
	for _, task := range t.Kernel().RootPIDNamespace().Tasks() {
		table := task.FDTable()
		if table == nil {
			continue
		}
		table.ForEach(t, func(_ int32, file *vfs.FileDescription, _ kernel.FDFlags) bool {
			s, ok := file.Impl().(*stdioFile)
			if ok {
				c.owner = s.owner
				c.stdio[s.stream] = s.inner.Dentry()
			}
			return true
		})
	}
	return c.owner
}

// introduceTasks records all processes and threads that the copy has, as if they were
// made now.
func (o *observer) introduceTasks(t *kernel.Task) {
	tasks := t.Kernel().RootPIDNamespace().Tasks()
	tasks = slices.DeleteFunc(tasks, func(t *kernel.Task) bool { return t.ExitState() != kernel.TaskExitNone })
	slices.SortFunc(tasks, func(a, b *kernel.Task) int {
		x, y := o.attr.state(a), o.attr.state(b)
		return cmp.Or(cmp.Compare(x.pid, y.pid), cmp.Compare(rank(x), rank(y)))
	})
	for i, task := range tasks {
		s := o.attr.state(task)
		s.reads = readsReported
		o.attr.tasks.join(s.pid)
		if i == 0 {
			o.rec.emitFor(task, &wire.Record{Op: wire.OpStart, Path: program(task), Args: o.conf.Command, N: int64(o.conf.Variables)})
			continue
		}
		o.limits.tasks.Add(1)
		o.introduce(task, s)
	}
}

// rank orders the tasks of a process: its leader first.
func rank(s *taskState) int32 {
	if s.tid == s.pid {
		return 0
	}
	return s.tid
}

// introduce records one of them.
func (o *observer) introduce(task *kernel.Task, s *taskState) {
	maker := task.ThreadGroup().Leader()
	r := &wire.Record{Op: wire.OpFork, Child: s.tid, ChildPID: s.pid, Flags: wire.FlagThread}
	if s.tid == s.pid {
		r.Flags = 0
		if maker = task.Parent(); maker == nil {
			maker = task.Kernel().RootPIDNamespace().TaskWithID(1)
		}
	}
	o.rec.emitFor(maker, r)
	if s.tid == s.pid {
		o.rec.emitFor(task, programOf(task))
	}
}

// programOf returns a record of the program that a task runs.
func programOf(t *kernel.Task) *wire.Record {
	r := &wire.Record{Op: wire.OpExec, Path: program(t)}
	mm := t.MemoryManager()
	if mm == nil {
		return r
	}
	if exe := mm.Executable(); exe != nil {
		id := identify(t, exe)
		exe.DecRef(t)
		r.Path, r.Dev, r.Ino, r.Flags = id.path, id.dev, id.ino, fromMemory(id.path)
	}
	r.Args = kept(arguments(t))
	return r
}

// arguments returns the command line of a task, as it stands in its memory.
func arguments(t *kernel.Task) []string {
	mm := t.MemoryManager()
	start, end := mm.ArgvStart(), mm.ArgvEnd()
	if end <= start || end-start > wire.MaxString*wire.MaxArgs {
		return nil
	}
	text := make([]byte, end-start)
	if _, err := mm.CopyIn(t, start, text, usermem.IOOpts{IgnorePermissions: true}); err != nil {
		return nil
	}
	var out []string
	for word := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte{0}), []byte{0}) {
		out = append(out, string(word))
	}
	return out
}
