//go:build linux

package sentry

import (
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func (o *observer) ioCalls() map[string]wrapper {
	calls := map[string]wrapper{
		"mmap":     o.mmap,
		"sendfile": o.copied(o.transfer(1, 0)),
		"splice":   o.transfer(0, 2),
		// Kernel asynchronous I/O would read past the observer; like io_uring
		// it is absent here, and every program that knows it has a fallback.
		"io_setup": replace(func(*kernel.Task, uintptr, arch.SyscallArguments) (uintptr, error) {
			return 0, linuxerr.ENOSYS
		}),
	}
	for _, name := range []string{"read", "pread64", "readv", "preadv", "preadv2"} {
		calls[name] = o.transfer(0, -1)
	}
	for _, name := range []string{"write", "pwrite64"} {
		calls[name] = o.written(singleBuffer, o.transfer(-1, 0))
	}
	for _, name := range []string{"writev", "pwritev", "pwritev2"} {
		calls[name] = o.written(manyBuffers, o.transfer(-1, 0))
	}
	return calls
}

// transfer observes a call that moves bytes; from and to are the positions of
// the descriptors among its arguments, or -1.
func (o *observer) transfer(from, to int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			source, sink := o.side(t, args, from), o.side(t, args, to)
			o.beforeWrite(t, sink)
			rval, ctrl, err := next(t, sysno, args)
			if err == nil {
				o.afterRead(t, source, int64(rval))
				o.afterWrite(t, sink, int64(rval))
				o.replaced(t, args, from, source, func(e end) { o.afterRead(t, e, int64(rval)) })
				o.replaced(t, args, to, sink, func(e end) { o.afterWrite(t, e, int64(rval)) })
			} else {
				o.noteErrno(errno(err, sysno))
			}
			source.release(t)
			sink.release(t)
			return rval, ctrl, err
		}
	}
}

// end is one end of a transfer: the file and what is known of it.
type end struct {
	file *vfs.FileDescription
	knownFile
}

func (o *observer) side(t *kernel.Task, args arch.SyscallArguments, position int) end {
	if position < 0 {
		return end{}
	}
	e := end{file: t.GetFile(args[position].Int())}
	if e.file == nil {
		return end{}
	}
	if _, ok := e.file.Impl().(*stdioFile); ok {
		return e // tells by itself
	}
	known, ok := o.files.get(e.file)
	if !ok {
		known = o.introduce(t, e.file)
	}
	e.knownFile = known
	return e
}

// replaced tells of the file behind a descriptor that is not the one from
// before the call: gVisor looked at the descriptor itself, and which of the
// two it found cannot be known.
func (o *observer) replaced(t *kernel.Task, args arch.SyscallArguments, position int, before end, tell func(end)) {
	if position < 0 || before.file == nil {
		return
	}
	file := t.GetFile(args[position].Int())
	if file == nil {
		return
	}
	same := file == before.file
	file.DecRef(t)
	if !same {
		after := o.side(t, args, position)
		tell(after)
		after.release(t)
	}
}

func (e end) release(t *kernel.Task) {
	if e.file != nil {
		e.file.DecRef(t)
	}
}

// introduce tells the monitor of a file it has not seen opened: inherited,
// received over a socket, made by memfd_create, or forgotten.
func (o *observer) introduce(t *kernel.Task, file *vfs.FileDescription) knownFile {
	id := o.identify(t, file)
	known := o.files.add(file, id, o.channelOf(t, file, id))
	if known.content {
		o.emitFor(t, &wire.Record{Op: wire.OpRead, File: known.number, Path: id.path, Dev: id.dev, Ino: id.ino})
	}
	return known
}

func (o *observer) beforeWrite(t *kernel.Task, e end) {
	if e.out != nil {
		o.wakes.mark(wakeKey{object: e.out}, o.label(o.state(t)))
	}
	if e.visit != nil {
		e.visit.writes(o, t)
	}
	if e.file != nil && !e.content {
		o.transmits(t, e.file)
	}
}

func (o *observer) afterRead(t *kernel.Task, e end, n int64) {
	switch {
	case e.file == nil:
	case e.visit != nil && n > 0:
		e.visit.hears(o, t, n)
	case e.in != nil && n > 0:
		o.wakeUp(t, wakeKey{object: e.in})
	case e.content:
		o.moved(t, wire.OpRead, e.number, n)
	}
}

func (o *observer) afterWrite(t *kernel.Task, e end, n int64) {
	if e.file != nil && e.content {
		o.moved(t, wire.OpWrite, e.number, n)
	}
}

// moved tells of bytes read or written: the most frequent record there is.
func (o *observer) moved(t *kernel.Task, op wire.Op, file uint32, n int64) {
	r := &o.state(t).scratch
	*r = wire.Record{Op: op, File: file, N: n}
	o.emitFor(t, r)
}

// mmap of a file is a read of whatever is touched later.
func (o *observer) mmap(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if args[3].Int()&linux.MAP_ANONYMOUS != 0 {
			return next(t, sysno, args)
		}
		e := o.side(t, args, 4)
		rval, ctrl, err := next(t, sysno, args)
		if err == nil && e.file != nil && e.content {
			r := &wire.Record{Op: wire.OpRead, File: e.number, N: int64(args[1].Uint64()), Flags: wire.FlagMapped}
			if args[3].Int()&linux.MAP_SHARED != 0 && e.file.IsWritable() {
				r.Op = wire.OpWrite // now, or after an mprotect
			}
			o.emitFor(t, r)
			o.library(t, e.file, rval, args)
		}
		e.release(t)
		return rval, ctrl, err
	}
}
