//go:build linux

package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// RingSize is the capacity of a ring in bytes, a power of two.
const RingSize = 8 << 20

const (
	headerSize = 4096
	payloadAt  = headerSize + RingSize
	magic      = 0x6d637073665f7231
	// A futex wait ends after this time even without a wake-up, so that a dead
	// peer cannot block the other side for ever.
	patience = 50 * time.Millisecond

	doze = 300 * time.Microsecond

	futexWait = 0
	futexWake = 1
)

// header is the shared part of the ring. Writer and reader each own their cache
// lines. The totals are here and not in a final message, so that they can be
// compared however the sandbox ended.
type header struct {
	magic uint64
	_     [56]byte
	// head counts bytes written, tail bytes read, both since the beginning.
	head atomic.Uint64
	// produced counts records begun, committed records readable.
	produced  atomic.Uint64
	committed atomic.Uint64
	_         [40]byte
	tail      atomic.Uint64
	_         [56]byte
	// Each side sets its word to 1 before it sleeps on it.
	readerSleeps uint32
	_            [60]byte
	writerSleeps uint32
	_            [60]byte
	// clock is the shared state of the virtual clock, local that of services at
	// localhost.
	clock clockHeader
	local localHeader
}

// ring is the mapping both sides work on.
type ring struct {
	mem  []byte
	h    *header
	data []byte
}

// NewRing makes the shared memory for a ring. The bytes that fill writes follow
// the ring: the payload, which the kernel's side needs before the target
// starts.
func NewRing(fill func(io.Writer) error) (*os.File, error) {
	fd, err := unix.MemfdCreate("ring", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("creating the event ring: %w", err)
	}
	f := os.NewFile(uintptr(fd), "ring")
	if err := f.Truncate(payloadAt); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("sizing the event ring: %w", err)
	}
	if fill != nil {
		w := bufio.NewWriterSize(io.NewOffsetWriter(f, payloadAt), 1<<20)
		if err := errors.Join(fill(w), w.Flush()); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("filling the event ring: %w", err)
		}
	}
	// A compromised kernel could otherwise shorten the file, and the reader
	// would crash on memory that is no longer mapped.
	const seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("sealing the event ring: %w", err)
	}
	return f, nil
}

// DropPayload frees the payload's memory after use.
func DropPayload(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("event ring: %w", err)
	}
	size := info.Size() - payloadAt
	if size <= 0 {
		return nil
	}
	const hole = unix.FALLOC_FL_PUNCH_HOLE | unix.FALLOC_FL_KEEP_SIZE
	if err := unix.Fallocate(int(f.Fd()), hole, payloadAt, size); err != nil {
		return fmt.Errorf("dropping the payload: %w", err)
	}
	return nil
}

func mapRing(fd int) (*ring, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("event ring: %w", err)
	}
	if st.Size < payloadAt {
		return nil, fmt.Errorf("event ring has %d bytes", st.Size)
	}
	mem, err := unix.Mmap(fd, 0, payloadAt, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the event ring: %w", err)
	}
	return &ring{mem: mem, h: (*header)(unsafe.Pointer(&mem[0])), data: mem[headerSize:]}, nil
}

// MapPayload maps the payload of [NewRing]. The caller unmaps it with
// [unix.Munmap]; it is nil if there was none.
func MapPayload(fd int) ([]byte, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("event ring: %w", err)
	}
	size := st.Size - payloadAt
	if size <= 0 {
		return nil, nil
	}
	mem, err := unix.Mmap(fd, payloadAt, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the payload: %w", err)
	}
	return mem, nil
}

func (r *ring) copyIn(at uint64, b []byte) {
	i := at & (RingSize - 1)
	n := copy(r.data[i:], b)
	copy(r.data, b[n:])
}

func (r *ring) copyOut(at uint64, b []byte) {
	i := at & (RingSize - 1)
	n := copy(b, r.data[i:])
	copy(b[n:], r.data)
}

// sleep waits until *word is no longer 1, a wake-up, or the end of patience.
func sleep(word *uint32) {
	ts := unix.NsecToTimespec(int64(patience))
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, 1, uintptr(unsafe.Pointer(&ts)), 0, 0)
}

// wake wakes the peer if it sleeps on word.
func wake(word *uint32) {
	if atomic.LoadUint32(word) == 1 && atomic.CompareAndSwapUint32(word, 1, 0) {
		_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1, 0, 0, 0)
	}
}

// Writer is the kernel's side. It blocks when the ring is full and never drops
// a record. It is not safe for concurrent use: the caller's lock determines the
// order.
type Writer struct {
	ring *ring
	seq  uint64
	buf  []byte
	// tail is the reader's position when last read.
	tail uint64
}

// NewWriter maps the ring behind fd, which the caller keeps and closes.
func NewWriter(fd int) (*Writer, error) {
	r, err := mapRing(fd)
	if err != nil {
		return nil, err
	}
	r.h.magic = magic
	return &Writer{ring: r, buf: make([]byte, 0, MaxRecord)}, nil
}

// Write numbers r and appends it to the ring.
func (w *Writer) Write(r *Record) {
	h := w.ring.h
	w.seq++
	r.Seq = w.seq
	h.produced.Store(w.seq)
	w.buf = append(w.buf[:0], 0, 0, 0, 0)
	w.buf = Append(w.buf, r)
	size := len(w.buf) - 4
	w.buf[0], w.buf[1], w.buf[2], w.buf[3] = byte(size), byte(size>>8), byte(size>>16), byte(size>>24)
	need := uint64(len(w.buf))
	head := h.head.Load()
	for head+need-w.tail > RingSize {
		if w.tail = h.tail.Load(); head+need-w.tail <= RingSize {
			break
		}
		atomic.StoreUint32(&h.writerSleeps, 1)
		if head+need-h.tail.Load() <= RingSize {
			atomic.StoreUint32(&h.writerSleeps, 0)
			continue
		}
		wake(&h.readerSleeps)
		sleep(&h.writerSleeps)
	}
	w.ring.copyIn(head, w.buf)
	h.head.Store(head + need)
	h.committed.Store(w.seq)
	wake(&h.readerSleeps)
}

// Reader is the orchestrator's side. The data it reads is hostile.
type Reader struct {
	ring   *ring
	tail   uint64
	buf    []byte
	record Record
	// dozed is the position of the last doze.
	dozed uint64
}

// NewReader maps the ring behind f, which the caller keeps and closes.
func NewReader(f *os.File) (*Reader, error) {
	r, err := mapRing(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	return &Reader{ring: r, buf: make([]byte, MaxRecord)}, nil
}

// Close unmaps the ring.
func (r *Reader) Close() error {
	if err := unix.Munmap(r.ring.mem); err != nil {
		return fmt.Errorf("unmapping the event ring: %w", err)
	}
	return nil
}

// Totals reads the kernel's counters.
func (r *Reader) Totals() Totals {
	return Totals{Produced: r.ring.h.produced.Load(), Committed: r.ring.h.committed.Load()}
}

// Written is how far the kernel's side has written, Taken how far this side has
// read.
func (r *Reader) Written() uint64 { return r.ring.h.head.Load() }

// Taken may be called only by the reading goroutine.
func (r *Reader) Taken() uint64 { return r.tail }

// ErrCorrupt reports that the ring's content is invalid.
var ErrCorrupt = errors.New("event ring is corrupt")

// Next returns the next record, or nil if there is none at the moment. The
// record is valid until the next call; its strings remain valid.
func (r *Reader) Next() (*Record, error) {
	h := r.ring.h
	avail := h.head.Load() - r.tail
	switch {
	case avail == 0:
		return nil, nil
	case avail > RingSize || avail < 4:
		return nil, ErrCorrupt
	}
	var size [4]byte
	r.ring.copyOut(r.tail, size[:])
	n := uint64(size[0]) | uint64(size[1])<<8 | uint64(size[2])<<16 | uint64(size[3])<<24
	if n > MaxRecord || n+4 > avail {
		return nil, ErrCorrupt
	}
	b := r.buf[:n]
	r.ring.copyOut(r.tail+4, b)
	r.tail += n + 4
	h.tail.Store(r.tail)
	if avail-n-4 <= RingSize*3/4 {
		wake(&h.writerSleeps) // there is room for more than one record
	}
	if err := r.record.decode(b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return &r.record, nil
}

// Wait sleeps until there may be a record to read, at most for a short while.
//
// It dozes before it asks to be woken: a wake-up costs the kernel's side a
// system call, and a busy target fills the ring meanwhile without one.
func (r *Reader) Wait() {
	h := r.ring.h
	if r.tail != r.dozed {
		r.dozed = r.tail
		time.Sleep(doze)
		if h.head.Load() != r.tail {
			return
		}
	}
	atomic.StoreUint32(&h.readerSleeps, 1)
	if h.head.Load() != r.tail {
		atomic.StoreUint32(&h.readerSleeps, 0)
		return
	}
	sleep(&h.readerSleeps)
	atomic.StoreUint32(&h.readerSleeps, 0)
}
