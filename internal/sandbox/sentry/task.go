//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// taskState is what the observer keeps of a task.
type taskState struct {
	pid, tid int32
	// label is the epoch the task works for; 0 means it exists since
	// start-up and follows the input.
	label atomic.Uint64
	// exec is the program the task is about to become. Only the task itself
	// touches it.
	exec *wire.Record
	// scratch is for records made by the thousand; it is the task's own.
	scratch wire.Record
	// image is the program it has become and not yet been looked at as; it
	// is the task's own, too.
	image *wire.Record
	// reads is how far the process is on its way to telling of the variables
	// it reads; it is the task's own, too.
	reads readsStage
	// wakesAt is when it is woken from a long sleep, as was told; its own, too.
	wakesAt int64
}

// taskTable finds the state of a task. Children are announced by number
// before they exist as a task that can be looked up.
type taskTable struct {
	byTask    sync.Map // *kernel.Task -> *taskState
	announced sync.Map // int32 -> uint64 label

	mu     sync.Mutex
	living map[int32]int // tasks of each process
}

func (tt *taskTable) join(pid int32) {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	if tt.living == nil {
		tt.living = map[int32]int{}
	}
	tt.living[pid]++
}

// leave returns how many tasks of the process are left.
func (tt *taskTable) leave(pid int32) int {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	left := tt.living[pid] - 1
	if left > 0 {
		tt.living[pid] = left
	} else {
		delete(tt.living, pid)
	}
	return left
}

func (o *observer) state(t *kernel.Task) *taskState {
	if s, ok := o.tasks.byTask.Load(t); ok {
		return s.(*taskState)
	}
	s := &taskState{}
	o.number(t, s)
	if label, ok := o.tasks.announced.LoadAndDelete(s.tid); ok {
		s.label.Store(label.(uint64))
	}
	actual, _ := o.tasks.byTask.LoadOrStore(t, s)
	return actual.(*taskState)
}

// number asks the kernel for the task's numbers; they change when a thread
// that is not the leader executes a program.
func (o *observer) number(t *kernel.Task, s *taskState) {
	root := t.Kernel().RootPIDNamespace()
	s.pid = int32(root.IDOfThreadGroup(t.ThreadGroup()))
	s.tid = int32(root.IDOfTask(t))
}

// label is the epoch of the work s does now.
func (o *observer) label(s *taskState) uint64 {
	if l := s.label.Load(); l != 0 {
		return l
	}
	return o.epoch.Load()
}

// adopt makes s work for the given epoch from now on. Tasks that exist since
// start-up follow the input anyway.
func (s *taskState) adopt(label uint64) {
	if s.label.Load() != 0 && label != 0 {
		s.label.Store(label)
	}
}
