//go:build linux

package sentry

import (
	"errors"
	"io"

	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// stdioFile is an open file on one of the server's three streams. It counts by
// itself, so that no system call moves bytes of the conversation unseen and
// none is taken for one that does, whatever becomes of the descriptor while
// the call is under way.
type stdioFile struct {
	vfs.FileDescriptionImpl // of inner

	vfsfd    vfs.FileDescription
	inner    *vfs.FileDescription
	observer *observer
	stream   mcpsf.Stream
}

var _ vfs.FileDescriptionImpl = (*stdioFile)(nil)

// countStdio puts counting files in the place of descriptors 0 to 2.
func (o *observer) countStdio(t *kernel.Task) error {
	for fd := range o.stdio {
		file, flags := t.FDTable().Get(int32(fd))
		if file == nil {
			continue
		}
		o.stdio[fd] = file.Dentry()
		counting, err := o.counting(t, file)
		if err != nil {
			return err
		}
		displaced, err := t.FDTable().NewFDAt(t, int32(fd), counting, flags)
		counting.DecRef(t) // the table has its own reference now
		if err != nil {
			return err
		}
		if displaced != nil {
			displaced.DecRef(t)
		}
	}
	return nil
}

// counting takes over file and returns it as one that counts if it leads to
// one of the three streams, else as it is.
func (o *observer) counting(ctx context.Context, file *vfs.FileDescription) (*vfs.FileDescription, error) {
	for i, dentry := range o.stdio {
		if dentry == nil || dentry != file.Dentry() {
			continue
		}
		s := &stdioFile{FileDescriptionImpl: file.Impl(), inner: file, observer: o, stream: mcpsf.Stream(i)}
		err := s.vfsfd.Init(s, file.StatusFlags(), auth.CredentialsFromContext(ctx), file.Mount(), dentry, &vfs.FileDescriptionOptions{})
		if err != nil {
			file.DecRef(ctx)
			return nil, err
		}
		return &s.vfsfd, nil
	}
	return file, nil
}

// Release implements [vfs.FileDescriptionImpl].
func (s *stdioFile) Release(ctx context.Context) { s.inner.DecRef(ctx) }

// Read begins a new epoch: whatever the bytes ask for is done for them. The
// lock is held over the read, which does not block, because another thread can
// see the bytes in memory before this one comes back.
func (s *stdioFile) Read(ctx context.Context, dst usermem.IOSequence, opts vfs.ReadOptions) (int64, error) {
	t := kernel.TaskFromContext(ctx)
	if t == nil || s.stream != mcpsf.Stdin {
		return s.FileDescriptionImpl.Read(ctx, dst, opts)
	}
	o, state := s.observer, s.observer.state(t)
	if s.Readiness(waiter.ReadableEvents) != 0 {
		o.settle(t)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := s.FileDescriptionImpl.Read(ctx, dst, opts)
	if n == 0 && (err != nil && !errors.Is(err, io.EOF) || dst.NumBytes() == 0) {
		return n, err
	}
	o.counted[mcpsf.Stdin] += uint64(n)
	o.epoch.Store(o.counted[mcpsf.Stdin])
	state.adopt(o.counted[mcpsf.Stdin])
	s.tell(state, n)
	return n, err
}

// Write implements [vfs.FileDescriptionImpl].
func (s *stdioFile) Write(ctx context.Context, src usermem.IOSequence, opts vfs.WriteOptions) (int64, error) {
	wanted := src.NumBytes()
	n, err := s.FileDescriptionImpl.Write(ctx, src, opts)
	if bit := uint32(1) << s.stream; n < wanted {
		s.observer.clogged.Or(bit)
	} else {
		s.observer.clogged.And(^bit)
	}
	t := kernel.TaskFromContext(ctx)
	if n == 0 || t == nil || s.stream == mcpsf.Stdin {
		return n, err
	}
	o, state := s.observer, s.observer.state(t)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.counted[s.stream] += uint64(n)
	s.tell(state, n)
	return n, err
}

// tell must be called with the observer's lock held.
func (s *stdioFile) tell(state *taskState, n int64) {
	o := s.observer
	o.deliver(&wire.Record{
		Op: wire.OpStdio, PID: state.pid, TID: state.tid, Epoch: o.label(state),
		Stream: uint8(s.stream), N: n, Total: o.counted[s.stream],
	})
}
