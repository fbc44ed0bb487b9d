package evidence

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
)

// TestTooMany: events that would not fit into memory are still read.
func TestTooMany(t *testing.T) {
	m := &meter{}
	if _, err := m.Write(bytes.Repeat([]byte(`{"http":{"headers":[0,0,0,0]}}`+"\n"), 1000)); err != nil {
		t.Fatal(err)
	}
	if m.bytes < 1000*(1024+3*32) {
		t.Errorf("estimated %d bytes", m.bytes)
	}
	v := &verifier{result: &Result{}, trail: &trail{many: true}}
	v.rejudge()
	if got := lines(v.result, StatusNote); len(got) != 1 || !strings.Contains(got[0], "too many to be judged again") {
		t.Error(v.result)
	}
}

// FuzzEvents: reading and judging any events terminates.
func FuzzEvents(f *testing.F) {
	f.Add(get(f, sampleRun(f, nil), eventsName))
	f.Add([]byte(`{"seq":1,"kind":"process.fork","pid":1,"ppid":2}` + "\n" + `{"seq":2,"kind":"process.fork","pid":2,"ppid":1,"process":{"child":1}}` + "\n"))
	f.Add([]byte(`{"seq":1,"kind":"mcp.response","cause":1,"mcp":{"body":"\ud800"}}` + "\n"))
	report := sampleReport(f, sampleEvents())
	f.Fuzz(func(t *testing.T, data []byte) {
		tr := follow(bytes.NewReader(data), report)
		if tr.broken != nil {
			return
		}
		if int64(len(tr.events)) != tr.count {
			t.Errorf("%d of %d events", len(tr.events), tr.count)
		}
		again := *report
		if err := judge.Apply(&again, tr.events, builtin(t)); err != nil {
			t.Error(err)
		}
	})
}

// TestGuarded: a rule that panics on unexpected events does not end the program.
func TestGuarded(t *testing.T) {
	if err := guarded(func() error { panic("no such thing") }); err == nil || !strings.Contains(err.Error(), "no run leads to this (no such thing)") {
		t.Error(err)
	}
}

func TestObserveSums(t *testing.T) {
	tr := &trail{phases: map[mcpsf.Phase]bool{}, limits: map[string]bool{}}
	for i := range 1000 {
		e := mcpsf.Event{Kind: mcpsf.KindFileOpen, Count: math.MaxInt64 / 2, Phase: mcpsf.Phase(strconv.Itoa(i)), Limit: &mcpsf.LimitDetail{Name: strconv.Itoa(i)}}
		tr.observe(&e)
	}
	if tr.kernel != math.MaxInt64 || len(tr.phases) != maxNames || len(tr.limits) != maxNames {
		t.Error(tr.kernel, len(tr.phases), len(tr.limits))
	}
}
