package monitor

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// eventLog stamps, numbers and emits the events, and counts those seen and
// those not kept.
type eventLog struct {
	attr *attribution
	out  func(mcpsf.Event)
	// after is the number of the last event before this log's first.
	after int64
	// start is the clock at the start of the run, clock the current time.
	start, clock int64

	maxEvents, maxText int64
	// written is the amount of text in the events so far.
	written int64
	// capped is set once the log has reported that it is full.
	capped bool
	totals Totals
}

// present returns the origin of an event outside the sandbox now.
func (l *eventLog) present() *origin { return l.attr.present(l.clock) }

// at runs fn with the clock set to another time.
func (l *eventLog) at(nanos int64, fn func()) {
	clock := l.clock
	l.clock = nanos
	fn()
	l.clock = clock
}

// base starts an event with this origin.
func (l *eventLog) base(o *origin, kind mcpsf.Kind) mcpsf.Event {
	e := mcpsf.Event{
		T: l.seconds(), Phase: o.phase, Call: o.callID(), Kind: kind, Cause: o.cause(),
	}
	if o.pid > 0 {
		e.PID = int(o.pid)
	}
	if o.tid > 0 && o.tid != o.pid {
		e.TID = int(o.tid)
	}
	if o.proc != nil {
		e.PPID, e.Proc = int(o.proc.parent), o.proc.name
	}
	return e
}

// seconds returns the clock as events show it. A hostile clock may have any
// value.
func (l *eventLog) seconds() float64 {
	if l.clock <= l.start {
		return 0
	}
	micros := (uint64(l.clock) - uint64(l.start)) / 1000
	return float64(micros) / 1e6
}

func (l *eventLog) note(kind mcpsf.Kind, text string) {
	e := l.base(l.present(), kind)
	e.Sandbox = &mcpsf.SandboxDetail{Text: clean(text)}
	l.emit(&e)
}

func (l *eventLog) limit(o *origin, d mcpsf.LimitDetail) {
	e := l.base(o, mcpsf.KindLimitHit)
	d.Name, d.Action = clean(d.Name), clean(d.Action)
	e.Limit = &d
	l.emit(&e)
}

// emit numbers the event and passes it on. The values it points to must not
// change afterwards.
func (l *eventLog) emit(e *mcpsf.Event) int64 {
	l.totals.Events++
	l.written += textOf(e)
	e.Seq = l.after + l.totals.Events
	l.out(*e)
	return e.Seq
}

// full reports whether minor observations are only counted from now on. The
// first time it emits a note.
func (l *eventLog) full() bool {
	if l.totals.Events < l.maxEvents && l.written < l.maxText {
		return false
	}
	if !l.capped {
		l.capped = true
		l.note(mcpsf.KindSandboxError, fmt.Sprintf(
			"after %d events with %d bytes of text further file accesses and threads are only counted, except those of decoys and those that probe or seek rights",
			l.totals.Events, l.written))
	}
	return true
}

// hardCap is the factor by which important events may exceed the limit before
// the run must end.
const hardCap = 6

// overflows reports whether the target did more than can be recorded.
func (l *eventLog) overflows() bool {
	return l.totals.Events > hardCap*l.maxEvents || l.written > hardCap*l.maxText
}

// textOf returns the approximate size of an event in bytes.
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
