// Package monitor turns raw observations into events.
//
// In come the records of the sandbox's kernel ([wire.Record]) and the messages
// the driver exchanged with the server ([mcpsf.Message]). Out goes one
// ordered stream of [mcpsf.Event], numbered without gaps, in which every event
// names the phase, the call and the event that caused it.
//
// The package is pure logic: it opens nothing, starts no goroutine and reads
// no clock but the one it is given. Everything in a record is hostile.
package monitor

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/netip"
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

// Monitor is safe for use by the driver's goroutines and one goroutine that
// feeds records. Each kind of record has a part that turns it into events; mu
// guards all of them.
type Monitor struct {
	now func() int64

	mu        sync.Mutex
	attr      *attribution
	log       *eventLog
	folds     *folds
	decoys    *decoys
	leaks     *leakage
	conv      *conversation
	network   *network
	env       *environment
	files     *files
	processes *processes
	attempts  *attempts
	sleepers  sleepers
}

// New returns a monitor that has seen nothing.
func New(opts *Options) (*Monitor, error) {
	if opts == nil || opts.Emit == nil || opts.Now == nil {
		return nil, errors.New("monitor: Emit and Now are required")
	}
	attr := &attribution{byPID: map[int32]*process{}}
	attr.timeline.init()
	attr.timeline.fixed = opts.Phase
	log := &eventLog{
		attr: attr, out: opts.Emit, after: opts.After, start: opts.StartNanos, clock: opts.StartNanos,
		maxEvents: orDefault(opts.MaxEvents, defaultMaxEvents), maxText: orDefault(opts.MaxText, defaultMaxText),
	}
	folds := newFolds(log, orDefault(opts.MaxFolds, defaultMaxFolds))
	decoys := newDecoys(log)
	if err := decoys.plantAll(opts.Decoys); err != nil {
		return nil, err
	}
	leaks := &leakage{log: log, finder: opts.Leaks}
	network := &network{attr: attr, log: log, folds: folds, names: opts.NameOf}
	env := &environment{attr: attr, log: log, folds: folds, variables: opts.Variables, bursts: map[int32]*burst{}}
	m := &Monitor{
		now: opts.Now, attr: attr, log: log, folds: folds, decoys: decoys, leaks: leaks, network: network, env: env,
		conv:      &conversation{attr: attr, log: log, folds: folds, leaks: leaks, ahead: map[string][]func(){}},
		files:     newFiles(log, folds, decoys, env, leaks),
		processes: &processes{attr: attr, log: log, folds: folds, decoys: decoys, leaks: leaks, network: network},
		attempts:  &attempts{log: log, folds: folds},
	}
	m.conv.turn.L = &m.mu
	return m, nil
}

func orDefault[T int | int64](n, otherwise T) T {
	if n <= 0 {
		return otherwise
	}
	return n
}

// Note tells something about the sandbox itself.
func (m *Monitor) Note(kind mcpsf.Kind, text string) {
	m.locked(func() { m.log.note(kind, text) })
}

// Refused tells of an entry of the target's archive that was not unpacked.
func (m *Monitor) Refused(name, why string) {
	m.locked(func() {
		e := m.log.base(m.log.present(), mcpsf.KindArchiveRefused)
		e.File = &mcpsf.FileDetail{Path: clean(name), Error: clean(why)}
		m.log.emit(&e)
	})
}

// Limit tells of a limit that something outside the kernel held.
func (m *Monitor) Limit(l mcpsf.LimitDetail) {
	m.locked(func() { m.log.limit(m.log.present(), l) })
}

// locked runs fn for something that happens outside the sandbox now, unless the
// monitor was closed.
func (m *Monitor) locked(fn func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conv.closed {
		return
	}
	m.log.clock = m.now()
	fn()
}

// Working counts the processes alive that a call started.
func (m *Monitor) Working() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, p := range m.attr.byPID {
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
	if m.conv.closed {
		return m.log.totals
	}
	m.log.clock = m.now()
	m.env.settleBursts()
	m.network.settleTraffic(math.MaxInt64)
	m.folds.flush(nil)
	m.conv.close()
	m.log.totals.Loaded = slices.Sorted(maps.Keys(m.files.loaded))
	return m.log.totals
}
