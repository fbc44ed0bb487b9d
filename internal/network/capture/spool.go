package capture

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// no gap: bounds the capture file; events have everything
const (
	defaultMax  = 64 << 20
	defaultSnap = 64 << 10
	// minSnap is enough for every header that a flow is read from.
	minSnap = 128
	// maxSnap is the largest packet that readers accept.
	maxSnap = 256 << 10
	// mostMax is a large limit that cannot overflow in calculations.
	mostMax = 1 << 40
)

// Options say how much is kept. The zero value works.
type Options struct {
	// Max is how many bytes of frames are kept, 64 MiB if it is 0. In addition,
	// an eighth of it is reserved for flows that begin later, and a quarter of
	// it for TLS secrets.
	Max int64
	// Snap is how many bytes of one frame are kept, 64 KiB if it is 0.
	Snap int
	// Link is the type of a frame's header, [Ethernet] if it is 0.
	Link Link
	// Now is the clock, [time.Now] if it is nil.
	Now func() time.Time
}

// Totals say how much was kept and how much was left out.
type Totals struct {
	// Frames and Bytes were kept.
	Frames, Bytes int64
	// LeftFrames and LeftBytes were left out, the first at LeftSince.
	LeftFrames, LeftBytes int64
	LeftSince             time.Time
	// Shortened frames were truncated to [Options.Snap].
	Shortened int64
	// LeftSecrets are key log lines that did not fit or were invalid.
	LeftSecrets int64
	// Err says why frames could not be kept, other than the limit.
	Err error
}

// Spool keeps frames during the run. All methods are safe for concurrent use.
// [Spool.Frame] costs one write to the page cache, and no method makes it wait
// longer than that.
type Spool struct {
	link Link
	snap int
	max  int64
	now  func() time.Time

	mu     sync.Mutex // guards what follows
	file   *os.File   // nil after Close
	end    int64      // records are complete up to here
	buf    []byte     // the record being built
	limit  limit
	flows  flows
	totals Totals
}

// NewSpool makes a spool in a file of its own in dir, which [Spool.Close]
// removes.
func NewSpool(dir string, opts Options) (*Spool, error) {
	if opts.Max == 0 {
		opts.Max = defaultMax
	}
	if opts.Snap == 0 {
		opts.Snap = defaultSnap
	}
	if opts.Link == 0 {
		opts.Link = Ethernet
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	switch {
	case opts.Max < 0 || opts.Max > mostMax:
		return nil, fmt.Errorf("a capture cannot keep %d bytes", opts.Max)
	case opts.Snap < minSnap || opts.Snap > maxSnap:
		return nil, fmt.Errorf("a capture keeps between %d and %d bytes of a frame, not %d", minSnap, maxSnap, opts.Snap)
	case opts.Link != Ethernet && opts.Link != RawIP:
		return nil, fmt.Errorf("a capture has no link type %d", opts.Link)
	}
	file, err := os.CreateTemp(dir, "traffic-*.spool") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("making the capture's spool: %w", err)
	}
	return &Spool{
		link: opts.Link, snap: opts.Snap, max: opts.Max, now: opts.Now,
		file: file, limit: newLimit(opts.Max),
	}, nil
}

// Frame keeps a frame that the sandbox sends (outbound) or receives. It never
// fails: a frame that does not fit is counted. The frame is not retained.
func (s *Spool) Frame(outbound bool, frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := record{at: s.now(), original: len(frame), data: frame[:min(len(frame), s.snap)]}
	var f *flow
	// The flow is parsed from the shortened frame, because Write parses that
	// again from the spool and must find the same flow.
	if p, ok := parse(s.link, r.data); ok {
		f = s.flows.of(p)
		f.see(r.size())
		r.flags |= flagIf(f.client == p.src, fromClient) | flagIf(!f.kept, firstOfFlow)
	}
	r.flags |= flagIf(outbound, outgoing)
	if !s.limit.admit(r.size(), f, r.at) || !s.append(r) {
		s.leave(r)
		return
	}
	if f != nil {
		f.kept = true
	}
	s.totals.Frames++
	s.totals.Bytes += int64(len(r.data))
	if len(r.data) < r.original {
		s.totals.Shortened++
	}
}

// Secret keeps one line of an NSS key log, with or without its line end.
func (s *Spool) Secret(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := record{at: s.now(), flags: secret, original: len(line), data: line}
	if !isKeyLog(line) || !s.limit.admitSecret(r.size()) || !s.append(r) {
		s.totals.LeftSecrets++
	}
}

// KeyLog returns the spool as a [crypto/tls.Config.KeyLogWriter]. Writing never
// fails; otherwise a full disk would end the target's connections.
func (s *Spool) KeyLog() io.Writer { return keyLog{s} }

// Totals returns what was kept and left out so far.
func (s *Spool) Totals() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.totals
}

// Close removes the spool. Frames that come later are counted as left out.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.file.Close(), os.Remove(s.file.Name()))
	s.file = nil
	if err != nil {
		return fmt.Errorf("removing the capture's spool: %w", err)
	}
	return nil
}

// append writes a record at the end of the spool. A partial record that a full
// disk leaves is overwritten by the next.
func (s *Spool) append(r record) bool {
	if s.file == nil {
		return false
	}
	s.buf = r.encode(s.buf[:0])
	if _, err := s.file.WriteAt(s.buf, s.end); err != nil {
		s.totals.Err = err
		return false
	}
	s.end += int64(len(s.buf))
	return true
}

func (s *Spool) leave(r record) {
	if s.totals.LeftFrames == 0 {
		s.totals.LeftSince = r.at
	}
	s.totals.LeftFrames++
	s.totals.LeftBytes += int64(r.original)
}
