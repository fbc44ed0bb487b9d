package assess

import (
	"context"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/listener"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// sendAlone sends one message to a fresh server. It returns the event to report,
// nil if the server survived.
func (f *fuzzing) sendAlone(ctx context.Context, m *fuzz.Message) (*mcpsf.Event, error) {
	from := len(f.ledger.log.Events())
	f.progress.Step("fuzz", "once more: "+m.Why)
	b, d, err := f.send(ctx, []fuzz.Message{*m}, 2*silence)
	if err != nil {
		return nil, err
	}
	last := b.Last()
	if last == nil || !last.Outcome.Disruption() {
		return nil, nil
	}
	wire := m.Wire(firstID)
	u := &mcpsf.DisruptionDetail{
		What: mcpsf.DisruptionHang, Message: fuzz.Told(wire), Size: int64(len(wire)), Why: m.Why, Seconds: last.Waited.Seconds(),
	}
	e := &mcpsf.Event{
		T: float64(virtualclock.Nanotime()-f.began) / 1e9, Phase: mcpsf.PhaseAttack, Call: last.Call, Kind: mcpsf.KindMCPDisruption, Disruption: u,
	}
	events := f.ledger.log.Events()[from:]
	if last.Outcome == session.Ended {
		u.What, u.Seconds, u.Words = mcpsf.DisruptionCrash, 0, listener.Reason(d.said)
		if end := serverExit(events); end != nil {
			e.Cause, u.Code, u.Signal = end.Seq, end.Process.Code, end.Process.Signal
		}
	}
	if limit := memoryLimit(events); limit != nil {
		e.Cause, u.What, u.Bytes = limit.Seq, mcpsf.DisruptionGrowth, limit.Limit.Value
	}
	if e.Cause == 0 {
		e.Cause = requestOf(events, last.Call)
	}
	return e, nil
}

// firstID is the id of the message in the report.
const firstID = 2

// serverExit returns the exit of the first process of a sandbox.
func serverExit(events []mcpsf.Event) *mcpsf.Event {
	server := 0
	for i := range events {
		switch e := &events[i]; {
		case e.Process == nil:
		case e.Kind == mcpsf.KindProcessExec && e.Process.Error == "" && server == 0:
			server = e.PID
		case e.Kind == mcpsf.KindProcessExit && e.PID == server && server != 0:
			return e
		}
	}
	return nil
}

// memoryLimit returns the event of the memory limit, nil if it was not reached.
func memoryLimit(events []mcpsf.Event) *mcpsf.Event {
	for i := range events {
		if l := events[i].Limit; l != nil && l.Name == mcpsf.LimitMemory {
			return &events[i]
		}
	}
	return nil
}

func requestOf(events []mcpsf.Event, call string) int64 {
	for i := range events {
		if e := &events[i]; e.Kind == mcpsf.KindMCPRequest && e.Call == call {
			return e.Seq
		}
	}
	return 0
}
