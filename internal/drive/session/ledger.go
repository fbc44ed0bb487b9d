package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// Bounds of the ledger. A hostile server can make both lists long.
// no gap: bounds notes about defects of the protocol
const (
	maxIrregularities = 64
	maxNote           = 400
)

// ledger records requests and their outcomes, the server's irregularities, and
// the phase. The driver's goroutine and those of the link use it.
type ledger struct {
	first int // number of calls in earlier sessions

	mu             sync.Mutex
	phase          mcpsf.Phase
	exchanges      []*exchange // the request with JSON-RPC id n is at n-1
	malformed      *exchange   // the last malformed message, nil if there is none
	calls          []mcpsf.Call
	noted          map[string]bool
	irregularities []string
	gaps           []mcpsf.Gap
}

func newLedger(first int) *ledger {
	return &ledger{first: first, phase: mcpsf.PhaseStart, calls: []mcpsf.Call{}, noted: map[string]bool{}}
}

// next returns the JSON-RPC id of the next request and its exchange, which is
// not yet added.
func (l *ledger) next(method, tool string, attack *mcpsf.AttackDetail) (int, *exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.exchanges) + 1
	return n, &exchange{
		ledger: l, call: fmt.Sprintf("c%d", l.first+n), method: method, tool: tool, attack: attack,
		sent: time.Now(), answer: make(chan answer, 1),
	}
}

// add records a request that is about to be sent. Only the driver's goroutine
// calls it.
func (l *ledger) add(x *exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges = append(l.exchanges, x)
}

// addMalformed does the same for a message that the server may not recognise as
// a request.
func (l *ledger) addMalformed(x *exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges, l.malformed = append(l.exchanges, x), x
}

// probed records an HTTP request outside the protocol. Its answer is handled
// elsewhere.
func (l *ledger) probed(method string, a *mcpsf.AttackDetail) *exchange {
	method, _ = jsonrpc.Clip(method, maxMethod)
	_, x := l.next(method, "", a)
	x.state = answered
	l.add(x)
	return x
}

// ended is how a request ended.
type ended struct {
	status mcpsf.CallStatus
	// arguments are those that the report shows, nil for none.
	arguments json.RawMessage
	// server are the values that the server made.
	server mcpsf.ServerValues
	// note is a remark on the request, and why the reason of its end.
	note, why string
	// preparing is set if it only made the state for an attack.
	preparing bool
	// unmarked is set if an ordinary result refused it.
	unmarked bool
	// doubtful is set if its result may say that it was refused.
	doubtful bool
}

// record records how a request ended.
func (l *ledger) record(x *exchange, e ended) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x.state == waiting {
		x.state = expired
	}
	note := e.note + e.why
	if e.note != "" && e.why != "" {
		note = e.note + "; " + e.why
	}
	note, _ = jsonrpc.Clip(note, maxNote)
	if len(e.server) == 0 {
		e.server = nil
	}
	l.calls = append(l.calls, mcpsf.Call{
		ID: x.call, Method: x.method, Tool: x.tool, Arguments: e.arguments,
		Status: e.status, Note: note, Seconds: time.Since(x.sent).Seconds(), ServerValues: e.server,
		Preparing: e.preparing, Unmarked: e.unmarked, Doubtful: e.doubtful,
	})
}

// dependsOn notes on which calls a request depended, itself last.
func (l *ledger) dependsOn(call string, steps []mcpsf.Step) {
	l.change(call, func(c *mcpsf.Call) { c.Sequence = steps })
}

// tried notes how much was done for a call to work.
func (l *ledger) tried(call string, how mcpsf.Effort) {
	l.change(call, func(c *mcpsf.Call) { c.Effort = how })
}

// explain adds to why a request was refused what the server logged of it.
func (l *ledger) explain(call, logged string) {
	l.change(call, func(c *mcpsf.Call) { c.Note, _ = jsonrpc.Clip(c.Note+" (its log says: "+logged+")", maxNote) })
}

// isRepeated notes that a request is made again in another state.
func (l *ledger) isRepeated(call string) {
	l.change(call, func(c *mcpsf.Call) { c.Preparing = true })
}

// change changes what is recorded of a request.
func (l *ledger) change(call string, do func(*mcpsf.Call)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range slices.Backward(l.calls) {
		if l.calls[i].ID == call {
			do(&l.calls[i])
			return
		}
	}
}

// recordOpen records a request without waiting for its answer.
func (l *ledger) recordOpen(x *exchange, note string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, mcpsf.Call{ID: x.call, Method: x.method, Status: mcpsf.CallOK, Note: note})
}

// last returns how the last request ended, empty if none has.
func (l *ledger) last() mcpsf.Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.calls); n > 0 {
		return l.calls[n-1]
	}
	return mcpsf.Call{}
}

// unanswered reports whether the last request got no answer at all.
func (l *ledger) unanswered() bool {
	status := l.last().Status
	return status == mcpsf.CallTimeout || status == mcpsf.CallCrashed
}

// lastAsked returns the last call.
func (l *ledger) lastAsked() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.exchanges); n > 0 {
		return l.exchanges[n-1].call
	}
	return ""
}

// enter begins a phase.
func (l *ledger) enter(p mcpsf.Phase) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase = p
}

// Phase returns the current phase.
func (l *ledger) Phase() mcpsf.Phase {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.phase
}

// unlessStopping runs a function unless the session is being ended. The phase
// does not change while it runs.
func (l *ledger) unlessStopping(do func(mcpsf.Phase)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase != mcpsf.PhaseStop {
		do(l.phase)
	}
}

// Note records an irregularity, each text once.
func (l *ledger) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noteLocked(text)
}

func (l *ledger) noteLocked(text string) {
	if l.noted[text] || len(l.noted) >= maxIrregularities {
		return
	}
	l.noted[text] = true
	l.irregularities = append(l.irregularities, text)
}

// gap records that a bound was reached, and how much lies beyond it; 0 is
// unknown.
func (l *ledger) gap(code mcpsf.GapCode, limit, count int) {
	l.addGap(gap.New(code, int64(limit), int64(count)))
}

func (l *ledger) addGap(g mcpsf.Gap) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gaps = gap.Fold(append(l.gaps, g))
}

// taken returns the calls, irregularities and gaps for the report.
func (l *ledger) taken() (calls []mcpsf.Call, irregularities []string, gaps []mcpsf.Gap) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.calls), slices.Clip(l.irregularities), slices.Clip(l.gaps)
}

// match returns the request that an answer belongs to, nil if there is none.
func (l *ledger) match(e *jsonrpc.Envelope) *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !e.HasID() {
		l.noteLocked(noteNoID)
		if l.malformed != nil && l.malformed.state == waiting && e.Failed() {
			return l.malformed
		}
		// Requests are made one at a time, so an error without an id can only
		// belong to the waiting one.
		if n := len(l.exchanges); n > 0 && e.Failed() && l.exchanges[n-1].state == waiting {
			return l.exchanges[n-1]
		}
		return nil
	}
	id, exact, ok := e.Number()
	if !ok || id < 1 || id > int64(len(l.exchanges)) {
		l.noteLocked(noteUnknownID)
		return nil
	}
	if !exact {
		l.noteLocked(noteInexactID)
	}
	return l.exchanges[id-1]
}

// reported returns the request whose progress the server reports, nil if it is
// none of ours.
func (l *ledger) reported(method string, params json.RawMessage) *exchange {
	if method != protocol.MethodProgress {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var p struct {
		Token json.RawMessage `json:"progressToken"`
	}
	if !jsonrpc.IsObject(params) || json.Unmarshal(params, &p) != nil {
		l.noteLocked("reported progress that makes no sense")
		return nil
	}
	n, _, ok := (&jsonrpc.Envelope{ID: p.Token}).Number()
	if !ok || n < 1 || n > int64(len(l.exchanges)) {
		l.noteLocked("reported progress of a request that was not made")
		return nil
	}
	return l.exchanges[n-1]
}
