//go:build linux

package sentry

import (
	"errors"
	"io"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"
	"gvisor.dev/gvisor/pkg/waiter"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// conversation counts the bytes that the orchestrator and the server exchange,
// over the standard streams and over port forwards. Each read of the server
// begins a new epoch: the server works for those bytes from then on.
type conversation struct {
	rec  *recorder
	attr *attribution

	// owner connects the counting files with this observer.
	owner *carried
	// stdio holds the files behind descriptors 0 to 2 of the first process.
	stdio [3]*vfs.Dentry
	// counted has the bytes read from or written to each stream. The lock of
	// rec guards it, so that counts and records have the same order.
	counted [4]uint64
	// blocked has a bit for each stream that was full at the last write.
	blocked atomic.Uint32
	// restless says that other tasks were still running at the end of the last
	// [conversation.settle].
	restless atomic.Bool
}

// beginEpoch records that s has read the input up to total, for the request
// that ends at label. The caller holds the lock of rec.
func (c *conversation) beginEpoch(s *taskState, total, label uint64) {
	c.counted[mcpsf.Stdin] = total
	c.attr.epoch.Store(total)
	s.adopt(label)
}

// record reports n bytes that passed through a stream. The caller holds the
// lock of rec.
func (c *conversation) record(s *taskState, stream mcpsf.Stream, n int64) {
	c.rec.deliver(&wire.Record{
		Op: wire.OpStdio, PID: s.pid, TID: s.tid, Epoch: c.attr.label(s),
		Stream: uint8(stream), N: n, Total: c.counted[stream],
	})
}

// stdioFile is an open file on one of the server's three streams. It counts by
// itself, so that every byte of the conversation is counted correctly, even if
// the descriptor changes during a call.
type stdioFile struct {
	vfs.FileDescriptionImpl // of inner

	vfsfd  vfs.FileDescription
	inner  *vfs.FileDescription
	owner  *carried
	stream mcpsf.Stream
}

var _ vfs.FileDescriptionImpl = (*stdioFile)(nil)

// replaceStdio replaces descriptors 0 to 2 by counting files.
func (c *conversation) replaceStdio(t *kernel.Task) error {
	for fd := range c.stdio {
		file, flags := t.FDTable().Get(int32(fd))
		if file == nil {
			continue
		}
		c.stdio[fd] = file.Dentry()
		counting, err := c.counting(t, file)
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

// counting takes over file and returns a counting file if it leads to one of
// the three streams, else file itself.
func (c *conversation) counting(ctx context.Context, file *vfs.FileDescription) (*vfs.FileDescription, error) {
	for i, dentry := range c.stdio {
		if dentry == nil || dentry != file.Dentry() {
			continue
		}
		s := &stdioFile{FileDescriptionImpl: file.Impl(), inner: file, owner: c.owner, stream: mcpsf.Stream(i)}
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

// Read implements [vfs.FileDescriptionImpl]. The lock is held during the read,
// which does not block, because another thread can see the bytes in memory
// before this call returns.
func (s *stdioFile) Read(ctx context.Context, dst usermem.IOSequence, opts vfs.ReadOptions) (int64, error) {
	t := kernel.TaskFromContext(ctx)
	if t == nil || s.stream != mcpsf.Stdin {
		return s.FileDescriptionImpl.Read(ctx, dst, opts)
	}
	c := s.owner.observer.conv
	state := c.attr.state(t)
	if s.Readiness(waiter.ReadableEvents) != 0 {
		c.settle(t)
	}
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	n, err := s.FileDescriptionImpl.Read(ctx, dst, opts)
	if n == 0 && (err != nil && !errors.Is(err, io.EOF) || dst.NumBytes() == 0) {
		return n, err
	}
	total := c.counted[mcpsf.Stdin] + uint64(n)
	c.beginEpoch(state, total, total)
	c.record(state, s.stream, n)
	return n, err
}

// Write implements [vfs.FileDescriptionImpl].
func (s *stdioFile) Write(ctx context.Context, src usermem.IOSequence, opts vfs.WriteOptions) (int64, error) {
	wanted := src.NumBytes()
	n, err := s.FileDescriptionImpl.Write(ctx, src, opts)
	c := s.owner.observer.conv
	if bit := uint32(1) << s.stream; n < wanted {
		c.blocked.Or(bit)
	} else {
		c.blocked.And(^bit)
	}
	t := kernel.TaskFromContext(ctx)
	if n == 0 || t == nil || s.stream == mcpsf.Stdin {
		return n, err
	}
	state := c.attr.state(t)
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	c.counted[s.stream] += uint64(n)
	c.record(state, s.stream, n)
	return n, err
}
