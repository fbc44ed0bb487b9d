// Package monitor turns raw observations into events.
//
// In come the records of the sandbox's kernel ([wire.Record]) and the messages
// the harness exchanged with the server ([mcpsf.Message]). Out goes one
// ordered stream of [mcpsf.Event], numbered without gaps, in which every event
// names the phase, the call and the event that caused it.
//
// The package is pure logic: it opens nothing, starts no goroutine and reads
// no clock but the one it is given. Everything in a record is hostile.
package monitor

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"path"
	"slices"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Sizes that bound the monitor's memory and its output.
const (
	defaultMaxEvents = 400_000
	defaultMaxText   = 64 << 20
	defaultMaxFolds  = 16_384
	maxFiles         = 1 << 17
	maxProcesses     = 1 << 16
	maxNames         = 1 << 12
	maxText          = wire.MaxString
)

// Options of a [Monitor]. Now and Emit are required.
type Options struct {
	Decoys []mcpsf.Decoy
	// Phase is the phase of everything, for a run without a conversation; ""
	// tells phases by the conversation with the server.
	Phase mcpsf.Phase
	// After is the number of the last event before this monitor's first.
	After int64
	// StartNanos is the monotonic clock at the start of the run.
	StartNanos int64
	// Now reads that clock, for events that have no record.
	Now func() int64
	// Emit takes the events in order. It is called with the monitor's lock
	// held: it must not call back.
	Emit func(mcpsf.Event)
	// NameOf returns the name an address was handed out for, "" if for none;
	// nil knows no names. It must not call back, either.
	NameOf func(netip.Addr) string
	// Variables are the environment variables that hold a decoy, with its id.
	Variables map[string]string

	// Leaks looks for planted secrets in what is said and run; nil: nobody
	// does.
	Leaks Leaks

	// MaxEvents is how many events are emitted before accesses that mean
	// little on their own are only counted; 0 is 400,000.
	MaxEvents int64
	// MaxText does the same for the bytes of names and arguments in the
	// events, which the target chooses; 0 is 64 MiB.
	MaxText int64
	// MaxFolds is how many repeated observations are counted at once before
	// the oldest count is written out; 0 is 16,384.
	MaxFolds int
}

// Leaks finds planted secrets.
type Leaks interface {
	// Give tells what a tool is about to be called with.
	Give(call, tool string, arguments json.RawMessage)
	// Answer tells what the server gets because it asked for it.
	Answer(body json.RawMessage)
	// Message looks into one message that is complete.
	Message(channel, destination, part string, body []byte) []mcpsf.LeakDetail
}

// Totals say how much was seen and what was not kept.
type Totals struct {
	// Records were accepted; LastSeq is the number of the last one.
	Records uint64
	LastSeq uint64
	// Gaps is how often the numbering jumped, Missing how many records the
	// jumps swallowed. Either makes the run inconclusive.
	Gaps    uint64
	Missing uint64
	// Events were emitted.
	Events int64
	// Suppressed observations came after MaxEvents and were only counted.
	Suppressed uint64
	// Unnamed reads and writes were on files whose name is not known.
	Unnamed uint64
	// Hooked programs told of the environment variables they read.
	Hooked uint64
	// Unplaced messages were never reached by the server's reads or writes.
	Unplaced int
	// Loaded are the directories among installed packages in which the server
	// opened a file while it ran, and files that lie there alone.
	Loaded []string `json:"-"`
}

// Monitor is safe for use by the harness's goroutines and one goroutine that
// feeds records.
type Monitor struct {
	opts Options

	mu     sync.Mutex
	turn   sync.Cond // the harness has consumed more, or the monitor closed
	closed bool
	capped bool
	// written is the text in the events so far.
	written int64
	clock   int64
	totals  Totals

	streams  [4]stream
	observed uint64
	timeline timeline

	processes map[int32]*process
	files     fileTable
	decoys    decoys
	loaded    map[string]struct{}
	// ahead is what was told of calls whose requests are still to come.
	ahead     map[string][]func()
	folds     folds
	flows     flows
	bursts    map[int32]*burst
	heldNames int // in all bursts
	sleepers  sleepers
	listening []netip.AddrPort
}

// New returns a monitor that has seen nothing.
func New(opts *Options) (*Monitor, error) {
	if opts == nil || opts.Emit == nil || opts.Now == nil {
		return nil, errors.New("monitor: Emit and Now are required")
	}
	m := &Monitor{opts: *opts, clock: opts.StartNanos, processes: map[int32]*process{}, bursts: map[int32]*burst{}, loaded: map[string]struct{}{}, ahead: map[string][]func(){}}
	if m.opts.MaxEvents <= 0 {
		m.opts.MaxEvents = defaultMaxEvents
	}
	if m.opts.MaxText <= 0 {
		m.opts.MaxText = defaultMaxText
	}
	if m.opts.MaxFolds <= 0 {
		m.opts.MaxFolds = defaultMaxFolds
	}
	m.turn.L = &m.mu
	m.timeline.init()
	m.timeline.fixed = opts.Phase
	m.files.init()
	m.folds.init()
	m.decoys.init()
	for _, decoy := range opts.Decoys {
		d := &decoy
		if !path.IsAbs(d.Path) || path.Clean(d.Path) != d.Path {
			return nil, fmt.Errorf("monitor: decoy %q has no clean absolute path: %q", d.ID, d.Path)
		}
		if !m.decoys.plant(d) {
			return nil, fmt.Errorf("monitor: two decoys at %q", d.Path)
		}
	}
	return m, nil
}

// Note tells something about the sandbox itself.
func (m *Monitor) Note(kind mcpsf.Kind, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.clock = m.opts.Now()
	m.note(kind, text)
}

// Refused tells of an entry of the target's archive that was not unpacked.
func (m *Monitor) Refused(name, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.clock = m.opts.Now()
	e := m.base(m.present(), mcpsf.KindArchiveRefused)
	e.File = &mcpsf.FileDetail{Path: clean(name), Error: clean(why)}
	m.emit(&e)
}

// Limit tells of a limit that something outside the kernel held.
func (m *Monitor) Limit(l mcpsf.LimitDetail) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.clock = m.opts.Now()
	m.limit(m.present(), l)
}

// Working counts the processes alive that a call started.
func (m *Monitor) Working() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, p := range m.processes {
		if p.parent != 0 && p.madeFor != "" {
			n++
		}
	}
	return n
}

// Close writes out what is still counted and the messages that no record
// reached, and releases a waiting [Monitor.Record]. Nothing is observed after
// it. Further calls return the same totals.
func (m *Monitor) Close() Totals {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return m.totals
	}
	m.clock = m.opts.Now()
	m.settleBursts()
	m.settleTraffic(math.MaxInt64)
	m.flush(nil)
	m.placeRest()
	m.catchUpAll()
	m.totals.Loaded = slices.Sorted(maps.Keys(m.loaded))
	m.closed = true
	m.turn.Broadcast()
	return m.totals
}

func (m *Monitor) note(kind mcpsf.Kind, text string) {
	e := m.base(m.present(), kind)
	e.Sandbox = &mcpsf.SandboxDetail{Text: clean(text)}
	m.emit(&e)
}

func (m *Monitor) limit(o *origin, l mcpsf.LimitDetail) {
	e := m.base(o, mcpsf.KindLimitHit)
	l.Name, l.Action = clean(l.Name), clean(l.Action)
	e.Limit = &l
	m.emit(&e)
}

// emit numbers the event and hands it on. What it points to must not change
// afterwards.
func (m *Monitor) emit(e *mcpsf.Event) int64 {
	m.totals.Events++
	m.written += textOf(e)
	e.Seq = m.opts.After + m.totals.Events
	m.opts.Emit(*e)
	return e.Seq
}

// full reports whether observations that mean little on their own are only
// counted from now on, and says so once.
func (m *Monitor) full() bool {
	if m.totals.Events < m.opts.MaxEvents && m.written < m.opts.MaxText {
		return false
	}
	if !m.capped {
		m.capped = true
		m.note(mcpsf.KindSandboxError, fmt.Sprintf(
			"after %d events with %d bytes of text further file accesses and threads are only counted, except those of decoys and those that probe or seek rights",
			m.totals.Events, m.written))
	}
	return true
}

// textOf is roughly how much room an event takes.
func textOf(e *mcpsf.Event) int64 {
	n := 0
	if f := e.File; f != nil {
		n += len(f.Path) + len(f.Asked) + len(f.To)
	}
	if d := e.Net; d != nil {
		n += len(d.Name) + len(d.Address)
	}
	if d := e.HTTP; d != nil {
		n += len(d.URL) + len(d.Body) + len(d.Answer)
		for _, h := range d.Headers {
			n += len(h.Name) + len(h.Value)
		}
	}
	if d := e.SMTP; d != nil {
		n += len(d.Body) + len(d.Subject)
	}
	if d := e.Query; d != nil {
		n += len(d.Text)
	}
	if d := e.Flow; d != nil {
		n += len(d.First)
	}
	if d := e.Env; d != nil {
		n += len(d.Name)
	}
	if p := e.Process; p != nil {
		n += len(p.Path)
		for _, a := range p.Args {
			n += len(a)
		}
	}
	return int64(n)
}
