//go:build linux

package sentry

import (
	"sync"
	"sync/atomic"

	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// taskState is the observer's state of a task. Only the task itself uses the
// fields after label.
type taskState struct {
	pid, tid int32
	// label is the epoch the task works for; 0 means it exists since
	// start-up and follows the input.
	label atomic.Uint64

	// exec is the program that the task is about to run.
	exec *wire.Record
	// image is the program that the task has started, until the first record
	// after that has checked what really runs.
	image *wire.Record
	// scratch avoids allocating frequent records.
	scratch wire.Record
	// reads is the progress of the process towards reporting the environment
	// variables it reads.
	reads readsStage
	// wakesAt is when the task wakes from a long sleep, as last recorded.
	wakesAt int64
}

// taskTable finds the state of a task. Children are announced by number before
// they exist as a task.
type taskTable struct {
	byTask    sync.Map // *kernel.Task -> *taskState
	announced sync.Map // int32 -> uint64 label

	mu     sync.Mutex
	living map[int32]int // number of tasks of each process
}

// processes returns the number of processes.
func (tt *taskTable) processes() int {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	return len(tt.living)
}

// join records a new task of a process.
func (tt *taskTable) join(pid int32) {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	if tt.living == nil {
		tt.living = map[int32]int{}
	}
	tt.living[pid]++
}

// leave records the end of a task and returns how many of the process are left.
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

// get returns the state of a task, and makes it at its first use.
func (tt *taskTable) get(t *kernel.Task) *taskState {
	if s, ok := tt.byTask.Load(t); ok {
		return s.(*taskState)
	}
	s := &taskState{}
	s.number(t)
	if label, ok := tt.announced.LoadAndDelete(s.tid); ok {
		s.label.Store(label.(uint64))
	}
	actual, _ := tt.byTask.LoadOrStore(t, s)
	return actual.(*taskState)
}

// number reads the task's ids from the kernel; they change when a thread that
// is not the leader executes a program.
func (s *taskState) number(t *kernel.Task) {
	root := t.Kernel().RootPIDNamespace()
	s.pid = int32(root.IDOfThreadGroup(t.ThreadGroup()))
	s.tid = int32(root.IDOfTask(t))
}

// adopt makes s work for the given epoch from now on. Tasks that exist since
// start-up follow the input anyway.
func (s *taskState) adopt(label uint64) {
	if s.label.Load() != 0 && label != 0 {
		s.label.Store(label)
	}
}
