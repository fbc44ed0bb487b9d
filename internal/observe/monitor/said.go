package monitor

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Changed reports that the server describes itself differently than before, in
// its answer to that call.
func (m *Monitor) Changed(call string, d mcpsf.ChangeDetail) {
	d.Of, d.Name, d.Field, d.Before, d.After = clean(d.Of), clean(d.Name), clean(d.Field), clean(d.Before), clean(d.After)
	m.about(call, mcpsf.KindMCPChanged, func(e *mcpsf.Event) { e.Change = &d })
}

// Said reports something remarkable in the server's answer to that call.
func (m *Monitor) Said(call string, d mcpsf.TextDetail) {
	d.Of, d.Name, d.Field, d.Excerpt, d.Target = clean(d.Of), clean(d.Name), clean(d.Field), clean(d.Excerpt), clean(d.Target)
	m.about(call, mcpsf.KindMCPText, func(e *mcpsf.Event) { e.Text = &d })
}

// Checked reports the result of a check on a server that listens.
func (m *Monitor) Checked(d mcpsf.RemoteDetail) {
	d.URL, d.Method, d.Sent, d.Got, d.Want = clean(d.URL), clean(d.Method), clean(d.Sent), clean(d.Got), clean(d.Want)
	m.about("", mcpsf.KindRemoteCheck, func(e *mcpsf.Event) {
		e.Call, e.Cause, e.Phase = "", 0, mcpsf.PhaseDrive
		e.Remote = &d
	})
}

// about reports something about the answer to a call.
func (m *Monitor) about(call string, kind mcpsf.Kind, fill func(*mcpsf.Event)) {
	m.locked(func() { m.conv.about(clean(call), kind, fill) })
}

// about emits an event about the answer to a call. If the driver has read the
// answer before the kernel's records have reached the request, the event waits;
// otherwise it would be attributed to the previous call.
func (cv *conversation) about(call string, kind mcpsf.Kind, fill func(*mcpsf.Event)) {
	if call != "" && cv.attr.timeline.byID[call] == nil {
		cv.ahead[call] = append(cv.ahead[call], func() { cv.tell(call, kind, fill) })
		return
	}
	cv.tell(call, kind, fill)
}

func (cv *conversation) tell(call string, kind mcpsf.Kind, fill func(*mcpsf.Event)) {
	e := cv.log.base(cv.log.present(), kind)
	if c := cv.attr.timeline.byID[call]; c != nil {
		e.Call, e.Cause = c.id, c.seq
	}
	fill(&e)
	cv.log.emit(&e)
}

// catchUp emits the waiting events of a call.
func (cv *conversation) catchUp(call string) {
	for _, tell := range cv.ahead[call] {
		tell()
	}
	delete(cv.ahead, call)
}

// catchUpAll does so for calls whose requests were never reached, in the order
// of their names.
func (cv *conversation) catchUpAll() {
	for _, call := range slices.Sorted(maps.Keys(cv.ahead)) {
		cv.catchUp(call)
	}
}
