package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// asked returns a ledger with n waiting requests.
func asked(n int) (*ledger, []*exchange) {
	l := newLedger(10)
	var all []*exchange
	for range n {
		_, x := l.next("tools/call", "echo", nil)
		l.add(x)
		all = append(all, x)
	}
	return l, all
}

func TestLedgerMatchesAnswers(t *testing.T) {
	failure := json.RawMessage(`{"code":-32700}`)
	for name, tt := range map[string]struct {
		answer jsonrpc.Envelope
		want   int // 0 for none
		note   string
	}{
		"by its id":         {jsonrpc.Envelope{ID: json.RawMessage(`1`), Result: json.RawMessage(`{}`)}, 1, ""},
		"by a text":         {jsonrpc.Envelope{ID: json.RawMessage(`"2"`), Result: json.RawMessage(`{}`)}, 2, noteInexactID},
		"by an unknown id":  {jsonrpc.Envelope{ID: json.RawMessage(`3`), Result: json.RawMessage(`{}`)}, 0, noteUnknownID},
		"an error, no id":   {jsonrpc.Envelope{ID: json.RawMessage(`null`), Error: failure}, 2, noteNoID},
		"a result, no id":   {jsonrpc.Envelope{Result: json.RawMessage(`{}`)}, 0, noteNoID},
		"by a negative one": {jsonrpc.Envelope{ID: json.RawMessage(`-1`), Result: json.RawMessage(`{}`)}, 0, noteUnknownID},
	} {
		l, all := asked(2)
		got := l.match(&tt.answer)
		if tt.want == 0 && got != nil || tt.want > 0 && got != all[tt.want-1] {
			t.Errorf("%s: matched %+v", name, got)
		}
		if _, notes, _ := l.taken(); strings.Join(notes, "") != tt.note {
			t.Errorf("%s: noted %q", name, notes)
		}
	}
}

func TestExchangeTakesOneAnswer(t *testing.T) {
	l, all := asked(3)
	if got := all[0].take(answer{}); got != waiting || all[0].Waits() {
		t.Error("the first answer was not taken")
	}
	all[0].Refuse("too late")
	if a := <-all[0].answer; a.refused != "" {
		t.Error("the second answer was taken")
	}
	l.record(all[1], ended{status: mcpsf.CallTimeout, note: "as a task", why: "no answer"})
	if got := all[1].take(answer{}); got != expired {
		t.Errorf("after the timeout the state is %d", got)
	}
	all[2].forget()
	if got := all[2].take(answer{}); got != cancelled {
		t.Errorf("after the cancellation the state is %d", got)
	}
	if last := l.last(); last.ID != "c12" || last.Note != "as a task; no answer" || !l.unanswered() {
		t.Errorf("recorded %+v", last)
	}
}

func TestLedgerBoundsIrregularities(t *testing.T) {
	l := newLedger(0)
	for i := range 1000 {
		l.Note(strings.Repeat("x", i))
		l.Note("twice")
	}
	if _, notes, _ := l.taken(); len(notes) != maxIrregularities {
		t.Errorf("%d irregularities are kept", len(notes))
	}
}

func TestNothingIsSentOnceStopping(t *testing.T) {
	l := newLedger(0)
	sent := 0
	l.unlessStopping(func(mcpsf.Phase) { sent++ })
	l.enter(mcpsf.PhaseStop)
	l.unlessStopping(func(mcpsf.Phase) { sent++ })
	if sent != 1 {
		t.Errorf("sent %d times", sent)
	}
}
