package monitor

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// process is what is known of one live process.
type process struct {
	parent int32
	// name is what the process calls itself, else the base of its program.
	name string
	// made is the fork or exec event that made the process what it is, and
	// madeFor the call that one belongs to.
	made    int64
	madeFor string
	// program is the base of the program that runs; launched says that made
	// is the exec of it and not a fork.
	program  string
	launched bool
	// variables is how many environment variables it was given.
	variables int64
}

// process returns what is known of pid, nil for a number no process has.
func (m *Monitor) process(pid int32) *process {
	if pid <= 0 {
		return nil
	}
	p := m.processes[pid]
	if p == nil {
		p = &process{}
		m.remember(pid, p)
	}
	return p
}

// remember keeps p unless there are more processes than a sandbox can hold.
func (m *Monitor) remember(pid int32, p *process) {
	if _, known := m.processes[pid]; known || len(m.processes) < maxProcesses {
		m.processes[pid] = p
	}
}

func (m *Monitor) exec(o *origin, r *wire.Record) {
	name := cleanPath(r.Path)
	d := &mcpsf.ProcessDetail{
		Path:    name,
		Args:    cleanArgs(r.Args),
		ArgsCut: r.Flags&wire.FlagCut != 0 || len(r.Args) > wire.MaxArgs,
		Memory:  r.Flags&wire.FlagMemory != 0,
		Remote:  m.remote(r),
		Error:   errnoName(r.Errno),
	}
	if m.full() {
		d.Args, d.ArgsCut = nil, true
	}
	if d.Error != "" {
		m.failedExec(o, d)
		return
	}
	m.flushProcess(o.pid) // another program now; its accesses are its own
	if o.proc != nil {
		o.proc.name, o.proc.program = path.Base(name), path.Base(name)
		o.proc.variables = r.N
	}
	e := m.base(o, mcpsf.KindProcessExec)
	e.Process = d
	seq := m.emit(&e)
	m.leaksInArguments(&e)
	if o.proc != nil {
		o.proc.made, o.proc.madeFor, o.proc.launched = seq, o.callID(), true
	}
	if decoy := m.decoys.find(name, inode{r.Dev, r.Ino}); decoy != nil {
		m.canary(o, seq, decoy, name, "exec")
	}
}

// failedExec folds attempts that are the same in every argument.
func (m *Monitor) failedExec(o *origin, d *mcpsf.ProcessDetail) {
	if m.full() {
		m.totals.Suppressed++
		return
	}
	key := m.key(o, mcpsf.KindProcessExec)
	key.path, key.to, key.err = d.Path, strings.Join(d.Args, "\x00"), d.Error
	m.fold(key, 0, func() mcpsf.Event {
		e := m.base(o, mcpsf.KindProcessExec)
		e.Process = d
		return e
	})
}

func (m *Monitor) fork(o *origin, r *wire.Record) {
	d := &mcpsf.ProcessDetail{
		Child:  int(max(r.Child, 0)),
		Thread: r.Flags&wire.FlagThread != 0 || r.ChildPID == r.PID,
		Error:  errnoName(r.Errno),
	}
	if d.Thread || d.Error != "" {
		m.foldFork(o, d)
		return
	}
	e := m.base(o, mcpsf.KindProcessFork)
	e.Process = d
	seq := m.emit(&e)
	if r.ChildPID <= 0 {
		return
	}
	child := &process{parent: max(r.PID, 0), made: seq, madeFor: o.callID()}
	if o.proc != nil {
		child.name, child.program, child.variables = o.proc.name, o.proc.program, o.proc.variables
	}
	m.flushProcess(r.ChildPID) // the number may have had another owner
	m.remember(r.ChildPID, child)
}

// foldFork keeps thread pools and refused forks from flooding the trace.
func (m *Monitor) foldFork(o *origin, d *mcpsf.ProcessDetail) {
	if d.Error == "" && m.full() {
		m.totals.Suppressed++
		return
	}
	key := m.key(o, mcpsf.KindProcessFork)
	key.err = d.Error
	m.fold(key, 0, func() mcpsf.Event {
		e := m.base(o, mcpsf.KindProcessFork)
		e.Process = d
		return e
	})
}

func (m *Monitor) exit(o *origin, r *wire.Record) {
	if r.Flags&wire.FlagThread != 0 {
		return
	}
	m.flushProcess(r.PID)
	e := m.base(o, mcpsf.KindProcessExit)
	e.Process = &mcpsf.ProcessDetail{Code: int(int32(r.N)), Signal: signalName(r.Num)}
	m.emit(&e)
	delete(m.processes, r.PID)
}

// name takes the name a process gives itself; its other threads have names of
// their own.
func (m *Monitor) name(o *origin, r *wire.Record) {
	if o.proc != nil && r.PID == r.TID && r.Errno == 0 {
		o.proc.name = clean(r.Text)
	}
}

func cleanArgs(args []string) []string {
	args = args[:min(len(args), wire.MaxArgs)]
	if len(args) == 0 {
		return nil
	}
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = clean(a)
	}
	return out
}
