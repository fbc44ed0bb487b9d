package monitor

import (
	"cmp"
	"math"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// call is one request of the driver that the server has read.
type call struct {
	id     string
	offset int64
	phase  mcpsf.Phase
	// seq is the mcp.request event.
	seq   int64
	ended bool
	// endedAt is when its answer was placed among the records.
	endedAt int64
	// after is the call whose request arrived in the same read just before, nil
	// if there is none.
	after *call
}

// first returns the call that work belongs to if c was read last: a server that
// reads several requests at once answers them in turn.
func (c *call) first() *call {
	if c == nil {
		return nil
	}
	worked := c
	for ; c != nil; c = c.after {
		if !c.ended {
			worked = c
		}
	}
	return worked
}

// timeline holds the calls in the order of the bytes that carried them.
type timeline struct {
	// fixed is the phase of every event, in a run without a conversation.
	fixed mcpsf.Phase
	calls []*call
	byID  map[string]*call
	// closing is set once the driver has closed the server's input.
	closing bool
	// stopAt is when the stop phase begins.
	stopAt int64
	// read is how many bytes of its input the server has read.
	read int64
}

func (t *timeline) init() {
	t.byID = map[string]*call{}
	t.stopAt = math.MaxInt64
}

// add adds a call. All bytes after since were read at once.
func (t *timeline) add(c *call, since int64) {
	i, _ := slices.BinarySearchFunc(t.calls, c.offset+1, func(x *call, off int64) int {
		return cmp.Compare(x.offset, off)
	})
	if i > 0 && t.calls[i-1].offset > since {
		c.after = t.calls[i-1]
	}
	t.calls = slices.Insert(t.calls, i, c)
	t.byID[c.id] = c
}

// at returns the call that the server works on after it read n bytes: the last
// request in them, or the first of those that were read together with it.
func (t *timeline) at(n int64) *call {
	i, found := slices.BinarySearchFunc(t.calls, n, func(x *call, off int64) int {
		return cmp.Compare(x.offset, off)
	})
	if found {
		for i+1 < len(t.calls) && t.calls[i+1].offset == n {
			i++
		}
		return t.calls[i].first()
	}
	if i == 0 {
		return nil
	}
	return t.calls[i-1].first()
}

// phase returns the phase of work for c at this time. Work that began before
// the first request stays in the start phase.
func (t *timeline) phase(c *call, now int64) mcpsf.Phase {
	switch {
	case t.fixed != "":
		return t.fixed
	case now >= t.stopAt:
		return mcpsf.PhaseStop
	case c == nil:
		return mcpsf.PhaseStart
	case c.ended && c.phase != mcpsf.PhaseStart:
		return mcpsf.PhaseIdle
	default:
		return c.phase
	}
}

func (t *timeline) stop(now int64) { t.stopAt = min(t.stopAt, now) }

// origin is the source of an event: process, thread, call and phase.
type origin struct {
	call  *call
	phase mcpsf.Phase
	pid   int32
	tid   int32
	proc  *process
}

func (o *origin) callID() string {
	if o.call == nil {
		return ""
	}
	return o.call.id
}

// attribution finds the process and the call that a record belongs to.
type attribution struct {
	timeline timeline
	byPID    map[int32]*process
}

func (at *attribution) originOf(r *wire.Record) *origin {
	c := at.timeline.at(offset(r.Epoch))
	return &origin{
		call: c, phase: at.timeline.phase(c, r.Nanos),
		pid: r.PID, tid: r.TID, proc: at.process(r.PID),
	}
}

// present returns the origin of an event outside the sandbox: the last request
// the server has read.
func (at *attribution) present(now int64) *origin {
	c := at.timeline.at(at.timeline.read)
	return &origin{call: c, phase: at.timeline.phase(c, now)}
}

// process returns the process with that pid, nil for an impossible number.
func (at *attribution) process(pid int32) *process {
	if pid <= 0 {
		return nil
	}
	p := at.byPID[pid]
	if p == nil {
		p = &process{}
		at.remember(pid, p)
	}
	return p
}

// remember stores p unless there are more processes than a sandbox can hold.
func (at *attribution) remember(pid int32, p *process) {
	if _, known := at.byPID[pid]; known || len(at.byPID) < maxProcesses {
		at.byPID[pid] = p
	}
}

// cause returns the event that most directly led to this one: the fork or exec
// that created the process, if that was for the same call, else the request.
func (o *origin) cause() int64 {
	id := o.callID()
	if o.proc != nil && o.proc.made != 0 && o.proc.madeFor == id {
		return o.proc.made
	}
	if o.call != nil {
		return o.call.seq
	}
	return 0
}
