//go:build linux

package sentry

import (
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// transfers observes the calls that read and write open files.
type transfers struct {
	// maxWritten is how many written bytes are recorded, recorded how many were
	// so far.
	maxWritten int64
	recorded   atomic.Int64

	rec     *recorder
	attr    *attribution
	files   *openFiles
	senders *senders
	env     *envReads
	limits  *limits
}

func (tr *transfers) calls() map[string]wrapper {
	calls := map[string]wrapper{
		"mmap":     tr.mmap,
		"sendfile": tr.copied(tr.transfer(1, 0)),
		"splice":   tr.transfer(0, 2),
		// Kernel asynchronous I/O would bypass the observer; like io_uring it
		// is absent here, and every program that uses it has a fallback.
		"io_setup": replace(func(*kernel.Task, uintptr, arch.SyscallArguments) (uintptr, error) {
			return 0, linuxerr.ENOSYS
		}),
	}
	for _, name := range []string{"recvfrom", "recvmsg", "recvmmsg"} {
		calls[name] = tr.receive
	}
	for _, name := range []string{"read", "pread64", "readv", "preadv", "preadv2"} {
		calls[name] = tr.transfer(0, -1)
	}
	for _, name := range []string{"write", "pwrite64"} {
		calls[name] = tr.written(singleBuffer, tr.transfer(-1, 0))
	}
	for _, name := range []string{"writev", "pwritev", "pwritev2"} {
		calls[name] = tr.written(manyBuffers, tr.transfer(-1, 0))
	}
	return calls
}

// transfer observes a call that moves bytes; from and to are the positions of
// the descriptors among its arguments, or -1.
func (tr *transfers) transfer(from, to int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			source, sink := tr.files.end(t, args, from), tr.files.end(t, args, to)
			tr.beforeWrite(t, sink)
			rval, ctrl, err := next(t, sysno, args)
			if err == nil {
				tr.afterRead(t, source, int64(rval))
				tr.afterWrite(t, sink, int64(rval))
				tr.replaced(t, args, from, source, func(e end) { tr.afterRead(t, e, int64(rval)) })
				tr.replaced(t, args, to, sink, func(e end) { tr.afterWrite(t, e, int64(rval)) })
			} else {
				tr.limits.noteErrno(errno(err, sysno))
			}
			source.release(t)
			sink.release(t)
			return rval, ctrl, err
		}
	}
}

// replaced records the file behind a descriptor if it changed during the call:
// gVisor read the descriptor itself, and which of the two files it found cannot
// be known.
func (tr *transfers) replaced(t *kernel.Task, args arch.SyscallArguments, position int, before end, record func(end)) {
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
		after := tr.files.end(t, args, position)
		record(after)
		after.release(t)
	}
}

func (tr *transfers) beforeWrite(t *kernel.Task, e end) {
	if e.out != nil {
		tr.attr.wakes.mark(wakeKey{object: e.out}, tr.attr.labelOf(t))
	}
	if e.forwarded != nil {
		e.forwarded.beforeWrite(t)
	}
	if e.file != nil && !e.content {
		tr.senders.beforeSend(t, e.file)
	}
}

func (tr *transfers) afterRead(t *kernel.Task, e end, n int64) {
	switch {
	case e.file == nil:
	case e.forwarded != nil && n > 0:
		e.forwarded.afterRead(t, n)
	case e.in != nil && n > 0:
		tr.attr.wakeUp(t, wakeKey{object: e.in})
	case e.content:
		tr.moved(t, wire.OpRead, e.number, n)
	}
}

func (tr *transfers) afterWrite(t *kernel.Task, e end, n int64) {
	if e.file != nil && e.content {
		tr.moved(t, wire.OpWrite, e.number, n)
	}
}

// moved records bytes read or written. It is the most frequent record.
func (tr *transfers) moved(t *kernel.Task, op wire.Op, file uint32, n int64) {
	r := &tr.attr.state(t).scratch
	*r = wire.Record{Op: op, File: file, N: n}
	tr.rec.emitFor(t, r)
}

// mmap of a file counts as a read, because later accesses to the memory are not
// seen.
func (tr *transfers) mmap(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		if args[3].Int()&linux.MAP_ANONYMOUS != 0 {
			return next(t, sysno, args)
		}
		e := tr.files.end(t, args, 4)
		rval, ctrl, err := next(t, sysno, args)
		if err == nil && e.file != nil && e.content {
			r := &wire.Record{Op: wire.OpRead, File: e.number, N: int64(args[1].Uint64()), Flags: wire.FlagMapped}
			if args[3].Int()&linux.MAP_SHARED != 0 && e.file.IsWritable() {
				r.Op = wire.OpWrite // now, or after an mprotect
			}
			tr.rec.emitFor(t, r)
			tr.env.mapped(t, e.file, rval, args)
		}
		e.release(t)
		return rval, ctrl, err
	}
}

// receive observes a call that receives from the socket of its first argument.
func (tr *transfers) receive(next syscallFn) syscallFn {
	return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
		e := tr.files.end(t, args, 0)
		rval, ctrl, err := next(t, sysno, args)
		if err == nil {
			tr.afterRead(t, e, int64(rval))
		}
		e.release(t)
		return rval, ctrl, err
	}
}

// beforeSend is called before a message is sent on the descriptor of the first
// argument.
func (tr *transfers) beforeSend(t *kernel.Task, args arch.SyscallArguments) {
	e := tr.files.end(t, args, 0)
	tr.beforeWrite(t, e)
	e.release(t)
}
