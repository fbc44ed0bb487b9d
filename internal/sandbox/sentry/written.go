//go:build linux

package sentry

import (
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/wire"
)

// What is written to files is handed out as well, within a bound, so that
// secrets can be found in it. It is what the program had in its memory when the
// call returned; who changes it meanwhile in another thread has what is
// written differ from what is told.

// buffers finds the memory that a call writes from.
type buffers func(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error)

func singleBuffer(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error) {
	return t.SingleIOSequence(args[1].Pointer(), int(args[2].SizeT()), usermem.IOOpts{})
}

func manyBuffers(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error) {
	return t.IovecsIOSequence(args[1].Pointer(), int(args[2].Int()), usermem.IOOpts{})
}

// written hands out what a call has written to a file.
func (o *observer) written(from buffers, observed wrapper) wrapper {
	if o.conf.MaxWritten <= 0 {
		return observed
	}
	return func(next syscallFn) syscallFn {
		call := observed(next)
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			rval, ctrl, err := call(t, sysno, args)
			if err == nil && rval > 0 && o.handedOut.Load() < o.conf.MaxWritten {
				o.handOut(t, args, from, int64(rval))
			}
			return rval, ctrl, err
		}
	}
}

func (o *observer) handOut(t *kernel.Task, args arch.SyscallArguments, from buffers, n int64) {
	e := o.side(t, args, 0)
	defer e.release(t)
	if e.file == nil || !e.content {
		return
	}
	seq, err := from(t, args)
	if err != nil {
		return
	}
	n = min(n, seq.NumBytes(), wire.MaxData)
	data := make([]byte, n)
	if read, _ := seq.TakeFirst64(n).CopyIn(t, data); read > 0 {
		o.handedOut.Add(int64(read))
		o.emitFor(t, &wire.Record{Op: wire.OpWritten, File: e.number, Data: data[:read]})
	}
}
