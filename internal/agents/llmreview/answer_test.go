package llmreview

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Models use wrong types; values that make no sense are left out.
func TestDecode(t *testing.T) {
	got := decode(json.RawMessage(`{
		"findings": [
			{"number": 1, "agrees": true, "text": "a"}, {"number": "2", "agrees": "No", "text": "b"}, {"number": 2.5, "text": "c"},
			{"number": -1}, {"number": 1e99}, {"number": null, "agrees": 1, "text": 5}, "x", null, 7, []
		],
		"suspicions": [{"block": "3", "quote": "q", "kind": "other", "severity": "low", "text": ["t"]}, {}],
		"verdict": {"a": 1}, "note": ["n"], "more": 1
	}`))
	want := &answer{
		findings: []findingReview{
			{1, mcpsf.StanceAgrees, "a"}, {2, mcpsf.StanceDisagrees, "b"}, {0, "", "c"}, {0, "", ""}, {0, "", ""}, {0, "", "5"},
		},
		suspicions: []claim{{3, "q", "other", "low", `["t"]`}, {}},
		verdict:    `{"a": 1}`, note: `["n"]`,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{}, findingReview{}, claim{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, raw := range []string{`{"findings":{},"suspicions":"x"}`, `{}`, `[]`, ``} {
		if diff := cmp.Diff(&answer{}, decode(json.RawMessage(raw)), cmp.AllowUnexported(answer{}, findingReview{}, claim{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
}

func TestObjects(t *testing.T) {
	a := &ask{id: "abc"}
	for _, tt := range []struct {
		text string
		want int
	}{
		{`{"ask":"abc"}`, 1},
		{`x {"ask":"abd"} {"ask":"abc"} y`, 1},
		{`{"a":{"ask":"abc"}}`, 0},
		{`{ {"ask":"abc"}`, 1},
		{`{"ask":"abc"`, 0},
		{`{"ask":"abc"}{"ask":"abc","note":"x"}`, 2},
		{strings.Repeat("{", 100_000), 0},
		{strings.Repeat("{", maxObjects) + `{"ask":"abc"}`, 0},
		{`{"ask":"abc","x":"` + strings.Repeat("y", maxAnswer) + `"}`, 0},
	} {
		if got := len(a.objects(tt.text)); got != tt.want {
			t.Errorf("%d answers in %.60q, want %d", got, tt.text, tt.want)
		}
	}
}

// Whatever a model answers, in a call or in text: the rules' findings stay, and
// what is added is bounded, plain, and refers to evidence.
func FuzzAnswer(f *testing.F) {
	r, events := sample()
	asks := gather(r, events).asks()
	for n, a := range asks {
		s := lay(f, a.request().System, a.prompt())
		good := honest(s)
		suspecting(taking, "sends-data", "critical", "See https://x.example <b>now</b>.")(s, good)
		for _, raw := range []string{good.json(), `{"ask":"` + a.id + `","findings":[{"number":1,"agrees":true,"text":"\u001b[31m"}]}`, `{`, `null`, ``} {
			f.Add(n == 0, raw, "")
			f.Add(n == 0, "", "x "+raw)
		}
	}
	f.Fuzz(func(t *testing.T, first bool, arguments, text string) {
		a := asks[1]
		if first {
			a = asks[0]
		}
		reply := &llm.Reply{Text: text, Stop: llm.StopEnd}
		if json.Valid([]byte(arguments)) {
			reply.Calls = []llm.Call{{ID: "c", Name: toolName, Tool: 1, Arguments: json.RawMessage(arguments)}}
		}
		r, events := sample()
		h := &review{report: r, material: gather(r, events), out: &mcpsf.SecondOpinion{Model: "m"}}
		said, why := a.read(reply)
		if (said == nil) == (why == "") {
			t.Fatalf("answer %v, why %q", said, why)
		}
		a.checkProbes(said, reply)
		if said != nil {
			h.apply(a, said)
		}
		checkTaken(t, h)
	})
}

func checkTaken(t *testing.T, h *review) {
	t.Helper()
	checkOpinion := func(o *mcpsf.Opinion) {
		if o != nil && (len(o.Text) > maxText || strings.ContainsAny(o.Text, "<>[]`\n\x1b") || strings.Contains(o.Text, "://")) {
			t.Errorf("opinion %q", o.Text)
		}
	}
	if n := len(h.out.Suspicions); n > maxSuspected {
		t.Errorf("%d suspicions", n)
	}
	for i := range h.out.Suspicions {
		s := &h.out.Suspicions[i]
		f := &s.Finding
		if f.Severity != mcpsf.SeverityLow && f.Severity != mcpsf.SeverityMedium || f.Grade != mcpsf.GradeSuspected || f.Weight != 0 {
			t.Errorf("a suspicion that is %s, %s, %d", f.Severity, f.Grade, f.Weight)
		}
		if len(s.Quote) > maxQuote || s.Of == "" || f.Opinion == nil || f.Opinion.Text == "" {
			t.Errorf("suspicion %+v", s)
		}
		checkOpinion(f.Opinion)
	}
	want, _ := sample()
	for i := range h.report.Findings {
		checkOpinion(h.report.Findings[i].Opinion)
		h.report.Findings[i].Opinion = nil
	}
	if diff := cmp.Diff(want, h.report); diff != "" {
		t.Errorf("the report changed (-want +got):\n%s", diff)
	}
}
