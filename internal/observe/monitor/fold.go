package monitor

import (
	"container/list"

	"github.com/mcpsf/mcpsf"
)

// foldKey has the properties that observations must share to be counted as one
// event.
type foldKey struct {
	pid                    int32
	phase                  mcpsf.Phase
	call                   string
	kind                   mcpsf.Kind
	path, asked, to, flags string
	err                    string
	number                 uint32 // a mode or a port
}

func keyOf(o *origin, kind mcpsf.Kind) foldKey {
	return foldKey{pid: o.pid, phase: o.phase, call: o.callID(), kind: kind}
}

// folded counts the observations after the first with its key.
type folded struct {
	key   foldKey
	event mcpsf.Event
	count int64
	bytes int64
}

// folds counts repeated observations instead of emitting each. The list holds the
// open counts, oldest first.
type folds struct {
	log *eventLog
	// most is how many counts are open at once.
	most   int
	order  *list.List
	byKey  map[foldKey]*list.Element
	byPID  map[int32]int
	byCall map[string]int
}

func newFolds(log *eventLog, most int) *folds {
	return &folds{
		log: log, most: most, order: list.New(),
		byKey: map[foldKey]*list.Element{}, byPID: map[int32]int{}, byCall: map[string]int{},
	}
}

// fold emits the first observation with this key and counts the others. It
// returns the number of the event, 0 if it was only counted.
func (f *folds) fold(key foldKey, bytes int64, event func() mcpsf.Event) int64 {
	if f.count(key, bytes) {
		return 0
	}
	e := event()
	seq := f.log.emit(&e)
	f.hold(&folded{key: key, event: e})
	return seq
}

// tally counts every observation with this key, the first one too.
func (f *folds) tally(key foldKey, bytes int64, event func() mcpsf.Event) {
	if !f.count(key, bytes) {
		f.hold(&folded{key: key, event: event(), count: 1, bytes: bytes})
	}
}

func (f *folds) count(key foldKey, bytes int64) bool {
	el := f.byKey[key]
	if el == nil {
		return false
	}
	counted := el.Value.(*folded)
	counted.count++
	counted.bytes = sum(counted.bytes, bytes)
	return true
}

func (f *folds) hold(c *folded) {
	for len(f.byKey) >= f.most {
		f.settle(f.order.Front())
	}
	f.byKey[c.key] = f.order.PushBack(c)
	f.byPID[c.key.pid]++
	f.byCall[c.key.call]++
}

// settle closes a count and emits it, unless the first event was the only one.
func (f *folds) settle(el *list.Element) {
	c := f.order.Remove(el).(*folded)
	delete(f.byKey, c.key)
	release(f.byPID, c.key.pid)
	release(f.byCall, c.key.call)
	if c.count == 0 {
		return
	}
	e := c.event
	e.T, e.TID = f.log.seconds(), 0
	if c.count > 1 {
		e.Count = c.count
	}
	if e.File != nil {
		file := *e.File
		file.Bytes = c.bytes
		e.File = &file
	}
	if e.Process != nil {
		process := *e.Process
		process.Child = 0 // the event stands for many children
		e.Process = &process
	}
	f.log.emit(&e)
}

// flushCall writes out the counts of a call.
func (f *folds) flushCall(id string) {
	if f.byCall[id] > 0 {
		f.flush(func(k *foldKey) bool { return k.call == id })
	}
}

// flushProcess writes out the counts of a process.
func (f *folds) flushProcess(pid int32) {
	if f.byPID[pid] > 0 {
		f.flush(func(k *foldKey) bool { return k.pid == pid })
	}
}

// flush writes out the counts that match, oldest first; nil matches all.
func (f *folds) flush(match func(*foldKey) bool) {
	for el := f.order.Front(); el != nil; {
		next := el.Next()
		if match == nil || match(&el.Value.(*folded).key) {
			f.settle(el)
		}
		el = next
	}
}

func release[K comparable](counts map[K]int, k K) {
	if counts[k]--; counts[k] == 0 {
		delete(counts, k)
	}
}
