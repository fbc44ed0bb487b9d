//go:build linux

package sentry

import (
	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/marshal/primitive"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Content written to files is recorded as well, up to a limit, so that secrets
// can be found in it. It is read from the program's memory when the call
// returns: if another thread changes the buffer during the call, the record
// differs from the file.

// buffers finds the memory that a call writes from.
type buffers func(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error)

func singleBuffer(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error) {
	return t.SingleIOSequence(args[1].Pointer(), int(args[2].SizeT()), usermem.IOOpts{})
}

func manyBuffers(t *kernel.Task, args arch.SyscallArguments) (usermem.IOSequence, error) {
	return t.IovecsIOSequence(args[1].Pointer(), int(args[2].Int()), usermem.IOOpts{})
}

// written records the content that a call has written to a file.
func (tr *transfers) written(from buffers, observed wrapper) wrapper {
	return tr.withContent(observed, func(t *kernel.Task, args arch.SyscallArguments, n int64) ([]byte, error) {
		seq, err := from(t, args)
		if err != nil {
			return nil, err
		}
		data := make([]byte, min(n, seq.NumBytes(), wire.MaxData))
		read, err := seq.TakeFirst(len(data)).CopyIn(t, data)
		return data[:read], err
	})
}

// copied records what sendfile has copied from one file into another: it reads
// the first file again, at the position where the call left it.
func (tr *transfers) copied(observed wrapper) wrapper {
	return tr.withContent(observed, func(t *kernel.Task, args arch.SyscallArguments, n int64) ([]byte, error) {
		file := t.GetFile(args[1].Int())
		if file == nil {
			return nil, linuxerr.EBADF
		}
		defer file.DecRef(t)
		var after int64
		var err error
		if place := args[2].Pointer(); place != 0 {
			_, err = primitive.CopyInt64In(t, place, &after)
		} else {
			after, err = file.Seek(t, 0, linux.SEEK_CUR)
		}
		if err != nil {
			return nil, err
		}
		data := make([]byte, min(n, wire.MaxData))
		read, err := file.PRead(t, usermem.BytesIOSequence(data), after-n, vfs.ReadOptions{})
		return data[:read], err
	})
}

// withContent records what an observed call has written to the file of its
// first argument; content reads it.
func (tr *transfers) withContent(observed wrapper, content func(*kernel.Task, arch.SyscallArguments, int64) ([]byte, error)) wrapper {
	if tr.maxWritten <= 0 {
		return observed
	}
	return func(next syscallFn) syscallFn {
		call := observed(next)
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			rval, ctrl, err := call(t, sysno, args)
			if err == nil && rval > 0 && tr.recorded.Load() < tr.maxWritten {
				e := tr.files.end(t, args, 0)
				if e.file != nil && e.content {
					if data, _ := content(t, args, int64(rval)); len(data) > 0 {
						tr.recorded.Add(int64(len(data)))
						tr.rec.emitFor(t, &wire.Record{Op: wire.OpWritten, File: e.number, Data: data})
					}
				}
				e.release(t)
			}
			return rval, ctrl, err
		}
	}
}
