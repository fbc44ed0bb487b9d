package monitor

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// process is the state of one live process.
type process struct {
	parent int32
	// name is the name the process gave itself, else the base name of its
	// program.
	name string
	// made is the fork or exec event that created the process, and madeFor the
	// call of that event.
	made    int64
	madeFor string
	// program is the base name of the running program; launched says that made
	// is its exec and not a fork.
	program  string
	launched bool
	// variables is how many environment variables it received.
	variables int64
}

// processes reports started programs, forks and exits.
type processes struct {
	attr    *attribution
	log     *eventLog
	folds   *folds
	decoys  *decoys
	leaks   *leakage
	network *network
}

func (ps *processes) exec(o *origin, r *wire.Record) {
	name := cleanPath(r.Path)
	d := &mcpsf.ProcessDetail{
		Path:    name,
		Args:    cleanArgs(r.Args),
		ArgsCut: r.Flags&wire.FlagCut != 0 || len(r.Args) > wire.MaxArgs,
		Memory:  r.Flags&wire.FlagMemory != 0,
		Remote:  ps.network.remote(r),
		Error:   errnoName(r.Errno),
	}
	if ps.log.full() {
		d.Args, d.ArgsCut = nil, true
	}
	if d.Error != "" {
		ps.failedExec(o, d)
		return
	}
	ps.folds.flushProcess(o.pid) // a new program; its accesses are counted separately
	if o.proc != nil {
		o.proc.name, o.proc.program = path.Base(name), path.Base(name)
		o.proc.variables = r.N
	}
	e := ps.log.base(o, mcpsf.KindProcessExec)
	e.Process = d
	seq := ps.log.emit(&e)
	ps.leaks.inArguments(&e)
	if o.proc != nil {
		o.proc.made, o.proc.madeFor, o.proc.launched = seq, o.callID(), true
	}
	if decoy := ps.decoys.find(name, inode{r.Dev, r.Ino}); decoy != nil {
		ps.decoys.reached(o, seq, decoy, name, "exec")
	}
}

// failedExec folds failed attempts with equal arguments.
func (ps *processes) failedExec(o *origin, d *mcpsf.ProcessDetail) {
	if ps.log.full() {
		ps.log.totals.Suppressed++
		return
	}
	key := keyOf(o, mcpsf.KindProcessExec)
	key.path, key.to, key.err = d.Path, strings.Join(d.Args, "\x00"), d.Error
	ps.folds.fold(key, 0, func() mcpsf.Event {
		e := ps.log.base(o, mcpsf.KindProcessExec)
		e.Process = d
		return e
	})
}

func (ps *processes) fork(o *origin, r *wire.Record) {
	d := &mcpsf.ProcessDetail{
		Child:  int(max(r.Child, 0)),
		Thread: r.Flags&wire.FlagThread != 0 || r.ChildPID == r.PID,
		Error:  errnoName(r.Errno),
	}
	if d.Thread || d.Error != "" {
		ps.foldFork(o, d)
		return
	}
	e := ps.log.base(o, mcpsf.KindProcessFork)
	e.Process = d
	seq := ps.log.emit(&e)
	if r.ChildPID <= 0 {
		return
	}
	child := &process{parent: max(r.PID, 0), made: seq, madeFor: o.callID()}
	if o.proc != nil {
		child.name, child.program, child.variables = o.proc.name, o.proc.program, o.proc.variables
	}
	ps.folds.flushProcess(r.ChildPID) // the pid may have been used before
	ps.attr.remember(r.ChildPID, child)
}

// foldFork keeps thread pools and refused forks from flooding the trace.
func (ps *processes) foldFork(o *origin, d *mcpsf.ProcessDetail) {
	if d.Error == "" && ps.log.full() {
		ps.log.totals.Suppressed++
		return
	}
	key := keyOf(o, mcpsf.KindProcessFork)
	key.err = d.Error
	ps.folds.fold(key, 0, func() mcpsf.Event {
		e := ps.log.base(o, mcpsf.KindProcessFork)
		e.Process = d
		return e
	})
}

func (ps *processes) exit(o *origin, r *wire.Record) {
	if r.Flags&wire.FlagThread != 0 {
		return
	}
	ps.folds.flushProcess(r.PID)
	e := ps.log.base(o, mcpsf.KindProcessExit)
	e.Process = &mcpsf.ProcessDetail{Code: int(int32(r.N)), Signal: signalName(r.Num)}
	ps.log.emit(&e)
	delete(ps.attr.byPID, r.PID)
}

// name records the name a process gives itself; its other threads have their
// own names.
func (ps *processes) name(o *origin, r *wire.Record) {
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
