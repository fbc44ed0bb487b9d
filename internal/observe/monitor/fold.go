package monitor

import (
	"container/list"

	"github.com/mcpsf/mcpsf"
)

// foldKey is what observations must have in common to be counted as one.
type foldKey struct {
	pid                    int32
	phase                  mcpsf.Phase
	call                   string
	kind                   mcpsf.Kind
	path, asked, to, flags string
	err                    string
	number                 uint32 // a mode or a port
}

func (m *Monitor) key(o *origin, kind mcpsf.Kind) foldKey {
	return foldKey{pid: o.pid, phase: o.phase, call: o.callID(), kind: kind}
}

// folded counts what came after the first observation with its key.
type folded struct {
	key   foldKey
	event mcpsf.Event
	count int64
	bytes int64
}

// folds are the open counts, oldest first.
type folds struct {
	order  *list.List
	byKey  map[foldKey]*list.Element
	byPID  map[int32]int
	byCall map[string]int
}

func (f *folds) init() {
	f.order = list.New()
	f.byKey = map[foldKey]*list.Element{}
	f.byPID = map[int32]int{}
	f.byCall = map[string]int{}
}

// fold emits the first observation with this key and counts the others. It
// returns the number of the event, 0 if it was only counted.
func (m *Monitor) fold(key foldKey, bytes int64, event func() mcpsf.Event) int64 {
	if m.count(key, bytes) {
		return 0
	}
	e := event()
	seq := m.emit(&e)
	m.hold(&folded{key: key, event: e})
	return seq
}

// tally counts every observation with this key, the first one too.
func (m *Monitor) tally(key foldKey, bytes int64, event func() mcpsf.Event) {
	if !m.count(key, bytes) {
		m.hold(&folded{key: key, event: event(), count: 1, bytes: bytes})
	}
}

func (m *Monitor) count(key foldKey, bytes int64) bool {
	el := m.folds.byKey[key]
	if el == nil {
		return false
	}
	f := el.Value.(*folded)
	f.count++
	f.bytes = sum(f.bytes, bytes)
	return true
}

func (m *Monitor) hold(f *folded) {
	for len(m.folds.byKey) >= m.opts.MaxFolds {
		m.settle(m.folds.order.Front())
	}
	m.folds.byKey[f.key] = m.folds.order.PushBack(f)
	m.folds.byPID[f.key.pid]++
	m.folds.byCall[f.key.call]++
}

// settle forgets a count and, if there is one, writes it out.
func (m *Monitor) settle(el *list.Element) {
	f := m.folds.order.Remove(el).(*folded)
	delete(m.folds.byKey, f.key)
	release(m.folds.byPID, f.key.pid)
	release(m.folds.byCall, f.key.call)
	if f.count == 0 {
		return
	}
	e := f.event
	e.T, e.TID = m.seconds(), 0
	if f.count > 1 {
		e.Count = f.count
	}
	if e.File != nil {
		file := *e.File
		file.Bytes = f.bytes
		e.File = &file
	}
	if e.Process != nil {
		process := *e.Process
		process.Child = 0 // it stands for many
		e.Process = &process
	}
	m.emit(&e)
}

// flushCall writes out the counts of a call.
func (m *Monitor) flushCall(id string) {
	if m.folds.byCall[id] > 0 {
		m.flush(func(k *foldKey) bool { return k.call == id })
	}
}

// flushProcess writes out the counts of a process.
func (m *Monitor) flushProcess(pid int32) {
	if m.folds.byPID[pid] > 0 {
		m.flush(func(k *foldKey) bool { return k.pid == pid })
	}
}

// flush writes out the counts that match, oldest first; nil matches all.
func (m *Monitor) flush(match func(*foldKey) bool) {
	for el := m.folds.order.Front(); el != nil; {
		next := el.Next()
		if match == nil || match(&el.Value.(*folded).key) {
			m.settle(el)
		}
		el = next
	}
}

func release[K comparable](counts map[K]int, k K) {
	if counts[k]--; counts[k] == 0 {
		delete(counts, k)
	}
}
