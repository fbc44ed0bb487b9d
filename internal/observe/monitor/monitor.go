// Package monitor turns raw observations into events.
//
// It takes the records of the sandbox's kernel ([wire.Record]) and the messages
// the driver exchanged with the server ([mcpsf.Message]). It returns one
// ordered stream of [mcpsf.Event], numbered without gaps, in which every event
// names the phase, the call and the event that caused it.
//
// The package is pure logic: it opens nothing, starts no goroutine and reads no
// clock but the one it is given. Everything in a record is hostile.
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
// no gap: what does not fit counts as a lost event, which makes the verdict INCONCLUSIVE
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
	// Phase is the phase of every event, for a run without a conversation; ""
	// derives phases from the conversation with the server.
	Phase mcpsf.Phase
	// After is the number of the last event before this monitor's first.
	After int64
	// StartNanos is the monotonic clock at the start of the run.
	StartNanos int64
	// Now reads that clock, for events without a record.
	Now func() int64
	// Emit receives the events in order. It is called with the monitor's lock
	// held: it must not call back.
	Emit func(mcpsf.Event)
	// NameOf returns the name that resolved to an address, "" if none did; nil
	// knows no names. It must not call back, either.
	NameOf func(netip.Addr) string
	// Variables maps the environment variables that hold a decoy to its id.
	Variables map[string]string

	// Leaks searches messages and command lines for planted secrets; nil: no
	// search.
	Leaks Leaks

	// MaxEvents is how many events are emitted before minor accesses are only
	// counted; 0 is 400,000.
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
	// Give records the arguments of the next call.
	Give(call, tool string, arguments json.RawMessage)
	// Fill records what the user filled into a form of the server's.
	Fill(content json.RawMessage)
	// Answer records the client's answer to a request of the server.
	Answer(body json.RawMessage)
	// Message searches one complete message.
	Message(channel, destination, part string, body []byte) []mcpsf.LeakDetail
	// Opaque measures what of a message nobody can read; nil if nothing.
	Opaque(domain, part string, body []byte) *mcpsf.OpaqueDetail
}

// Totals are how much was seen and how much was not kept.
type Totals struct {
	// Records is the number of accepted records; LastSeq is the number of the
	// last one.
	Records uint64
	LastSeq uint64
	// Gaps is how often the numbering jumped, Missing how many records were
	// lost. Either makes the run inconclusive.
	Gaps    uint64
	Missing uint64
	// Events is the number of emitted events.
	Events int64
	// Suppressed is the number of observations after MaxEvents that were only
	// counted.
	Suppressed uint64
	// Unnamed is the number of reads and writes on files whose name is not
	// known.
	Unnamed uint64
	// Hooked is the number of programs that reported the environment variables
	// they read.
	Hooked uint64
	// Unplaced is the number of messages that no read or write of the server
	// reached.
	Unplaced int
	// Sleepers is the number of sleeps that were too many to be awaited.
	Sleepers int64 `json:",omitempty"` //nolint:tagliatelle // called like the others, which have no tag
	// Loaded are the directories of installed packages in which the server
	// opened a file while it ran, and single files there.
	Loaded []string `json:"-"`
	// Ran is what the runtimes reported about the code they ran, as package
	// envhook describes it; Unheard is how many reports are not in it.
	Ran     []string `json:"-"`
	Unheard int      `json:"-"`
}

// Monitor is safe for use by the driver's goroutines and one goroutine that
// feeds records. Each kind of record has a component that turns it into events;
// mu guards all of them.
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

// New returns an empty monitor.
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

// Note reports something about the sandbox itself.
func (m *Monitor) Note(kind mcpsf.Kind, text string) {
	m.locked(func() { m.log.note(kind, text) })
}

// Started reports that a sandbox starts, whether the files that an earlier start left
// are there, and which browser the server may use.
func (m *Monitor) Started(platform string, kept bool, browser string) {
	m.locked(func() {
		e := m.log.base(m.log.present(), mcpsf.KindSandboxStart)
		e.Sandbox = &mcpsf.SandboxDetail{Text: "gVisor " + platform, Kept: kept, Browser: browser}
		m.log.emit(&e)
	})
}

// Refused reports an entry of the target's archive that was not unpacked.
func (m *Monitor) Refused(name, why string) {
	m.locked(func() {
		e := m.log.base(m.log.present(), mcpsf.KindArchiveRefused)
		e.File = &mcpsf.FileDetail{Path: clean(name), Error: clean(why)}
		m.log.emit(&e)
	})
}

// Limit reports a limit that was enforced outside the kernel.
func (m *Monitor) Limit(l mcpsf.LimitDetail) {
	m.locked(func() { m.log.limit(m.log.present(), l) })
}

// locked runs fn for an observation outside the sandbox, unless the monitor was
// closed.
func (m *Monitor) locked(fn func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conv.closed {
		return
	}
	m.log.clock = m.now()
	fn()
}

// Working returns the number of live processes that a call started.
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

// Close emits the open counts and the messages that no record reached, and
// releases a waiting [Monitor.Record]. Nothing is observed after it. Further
// calls return the same totals.
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
	m.log.totals.Sleepers = m.sleepers.forgotten
	m.log.totals.Loaded = slices.Sorted(maps.Keys(m.files.loaded))
	return m.log.totals
}
