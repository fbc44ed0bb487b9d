package box

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// maxUnread is how much of what the server says through one connection waits
// to be read. Then the connection is ended: others must get through.
const maxUnread = 64 << 20

// Visit is a connection to a server in the sandbox.
type Visit struct {
	id     uint32
	door   *Door
	opened chan struct{}
	ended  chan struct{}

	mu     sync.Mutex
	more   sync.Cond
	queue  []wire.Knock
	unread int
	// offset is that of the last byte that was read.
	offset int64
	why    error // set when it has ended
	closed bool
}

func newVisit(d *Door, id uint32) *Visit {
	v := &Visit{id: id, door: d, opened: make(chan struct{}), ended: make(chan struct{})}
	v.more.L = &v.mu
	return v
}

// Send sends p. Before its first byte leaves it calls leaving, if that is not
// nil, with how much all servers of the sandbox were sent up to its last.
func (v *Visit) Send(p []byte, leaving func(offset int64)) error {
	d := v.door
	d.sending.Lock()
	defer d.sending.Unlock()
	begin := d.sent
	d.sent += int64(len(p))
	if leaving != nil {
		leaving(d.sent)
	}
	for len(p) > 0 {
		n := min(len(p), wire.MaxKnock)
		begin += int64(n)
		if err := d.send(wire.Knock{Kind: wire.KnockData, Visit: v.id, Offset: uint64(begin), Data: p[:n]}); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

// Read implements [io.Reader].
func (v *Visit) Read(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for len(v.queue) == 0 && v.why == nil && !v.closed {
		v.more.Wait()
	}
	switch {
	case v.closed:
		return 0, io.ErrClosedPipe
	case len(v.queue) == 0:
		return 0, v.why
	}
	k := &v.queue[0]
	n := copy(p, k.Data)
	k.Data = k.Data[n:]
	v.offset = int64(k.Offset) - int64(len(k.Data))
	v.unread -= n
	if len(k.Data) == 0 {
		v.queue = v.queue[1:]
	}
	return n, nil
}

// Offset is how much all servers of the sandbox had said up to the last byte
// that was read.
func (v *Visit) Offset() int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.offset
}

// Close ends the visit. It may be called again, and while something is read.
func (v *Visit) Close() error {
	v.mu.Lock()
	again := v.closed
	v.closed, v.queue = true, nil
	v.more.Broadcast()
	v.mu.Unlock()
	if again {
		return nil
	}
	v.door.forget(v.id)
	_ = v.door.send(wire.Knock{Kind: wire.KnockClose, Visit: v.id}) // or the sandbox is gone
	return nil
}

// take is called with what the sandbox's kernel sent.
func (v *Visit) take(k wire.Knock) {
	switch k.Kind {
	case wire.KnockOpen:
		select {
		case <-v.opened:
		default:
			close(v.opened)
		}
	case wire.KnockData:
		v.keep(k)
	case wire.KnockClose:
		if string(k.Data) == io.EOF.Error() {
			v.end(io.EOF)
		} else {
			v.end(fmt.Errorf("%s", k.Data))
		}
	}
}

func (v *Visit) keep(k wire.Knock) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unread += len(k.Data); v.unread > maxUnread || v.closed || v.why != nil {
		v.finish(errors.New("the server says more than is read"))
		return
	}
	k.Data = append([]byte(nil), k.Data...)
	v.queue = append(v.queue, k)
	v.more.Broadcast()
}

// end says that nothing more comes.
func (v *Visit) end(why error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.finish(why)
}

// finish must be called with mu held.
func (v *Visit) finish(why error) {
	if v.why == nil {
		v.why = why
		close(v.ended)
		v.more.Broadcast()
	}
}

// idle tells whether everything was read that was said.
func (v *Visit) idle() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.queue) == 0
}

func (v *Visit) reason() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.why
}
