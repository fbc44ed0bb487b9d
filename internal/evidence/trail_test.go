package evidence

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// TestTooMany: events that would not fit into memory are read all the same.
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

// FuzzEvents: whatever the events are, reading and judging them comes to an end.
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
		if _, err := judged(report, tr.events, builtin(t)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestJudgedPanics: a rule that does not expect such events is no end of ours.
func TestJudgedPanics(t *testing.T) {
	if _, err := judged(&mcpsf.Report{}, nil, nil); err == nil || !strings.Contains(err.Error(), "no run leads to events like these") {
		t.Error(err)
	}
}
