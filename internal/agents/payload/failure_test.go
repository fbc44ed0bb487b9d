package payload

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// notes are tools that differ only in their number.
func notes(n int) []mcpsf.Tool {
	var tools []mcpsf.Tool
	for i := range n {
		tool := note()
		tool.Name = fmt.Sprint("note", i)
		tools = append(tools, tool)
	}
	return tools
}

// about is the number of the tool in a request.
func about(r *llmtest.Request) string {
	_, after, _ := strings.Cut(r.Last().Text, `"name":"note`)
	return after[:1]
}

// failure is a failure of the asks about some of eight tools.
type failure struct {
	answer llmtest.Answer
	bad    string // the numbers of the tools
	once   bool   // the next try succeeds
	calls  int
	lost   int
	asked  int
}

func failures(fine llmtest.Answer) map[string]failure {
	return map[string]failure{
		"too many requests":     {llmtest.Status(429, "slow down"), "25", false, 6, 2, 8},
		"too many for a moment": {llmtest.Status(429, "slow down", "Retry-After", "1"), "25", true, 8, 0, 8},
		"failing":               {llmtest.Status(500, "oops"), "0", false, 7, 1, 8},
		"a bad moment":          {llmtest.Status(502, "oops"), "01234567", true, 8, 0, 8},
		"a page":                {llmtest.HTML(), "1", false, 7, 1, 8},
		"broken off":            {fine.Cut(1), "7", false, 7, 1, 8},
		"no end":                {fine.End(1), "3", false, 7, 1, 8},
		"within":                {fine.Within(1, "overloaded_error", "busy"), "3", false, 7, 1, 8},
		"garbage":               {llmtest.Nested(), "3", false, 7, 1, 8},
		"key":                   {llmtest.Status(401, "who are you"), "1", false, 3, 2, 4},
		"down":                  {llmtest.Status(503, "later"), "01234567", false, 0, 5, 4},
	}
}

// A failure with one tool does not affect the others, unless it would happen to
// them, too.
func TestFailures(t *testing.T) {
	fine := propose(one("command-injection", "/text", "x", map[string]any{"text": "a|" + mark(t, "command-injection", mcpsf.SignExec)}))
	for name, c := range failures(fine) {
		for _, s := range sides() {
			t.Run(name+" "+s.provider, func(t *testing.T) {
				before := map[string]bool{}
				m, _ := s.model(t, func(r *llmtest.Request) llmtest.Answer {
					n := about(r)
					if !strings.Contains(c.bad, n) || c.once && before[n] {
						return fine
					}
					before[n] = true
					return c.answer
				})
				got := run(t, options(notes(8)...), m)
				if r := got.Run; len(got.Calls) != c.calls || len(r.Lost) != c.lost || r.Usage.Asks != c.asked || r.Tools != 8 || r.Unanswered != 8-c.calls {
					t.Errorf("%d calls, %+v, want %d calls, asked %d, %d lost, the other tools unanswered", len(got.Calls), r, c.calls, c.asked, c.lost)
				}
			})
		}
	}
}

// A model that hangs on one tool is still asked about the others.
func TestSilence(t *testing.T) {
	fine := propose(one("command-injection", "/text", "x", map[string]any{"text": "a|" + mark(t, "command-injection", mcpsf.SignExec)}))
	for _, s := range sides() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			server := s.start(t, func(r *llmtest.Request) llmtest.Answer {
				if about(r) == "1" {
					return fine.Hang(1)
				}
				return fine
			})
			m, err := llm.New(llm.Spec{Provider: s.provider, Model: "some-model"}, &llm.Options{Key: "sk-test", BaseURL: server.URL, Idle: 5 * time.Second, Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, options(notes(6)...), m)
			if len(got.Calls) != 5 || got.Run.Unanswered != 1 || len(got.Run.Lost) != 1 || !strings.HasPrefix(got.Run.Lost[0], `"note1": the model gave no answer: `) {
				t.Errorf("%d calls, %+v", len(got.Calls), got.Run)
			}
		})
	}
}

// A model that hangs is not waited for forever, and a used-up budget ends the
// asks.
func TestLimits(t *testing.T) {
	m, _ := sides()[1].model(t, llmtest.Steps(propose().Hang(0)))
	o := options(note())
	o.Limit = 1 // ends before it begins
	got := run(t, o, m)
	if len(got.Calls) > 0 || len(got.Run.Lost) != 1 || !strings.HasPrefix(got.Run.Lost[0], `"note": the model gave no answer: `) {
		t.Errorf("%+v", got)
	}
	m, server := sides()[1].model(t, llmtest.Steps(propose()))
	got = run(t, options(note()), llm.WithBudget(m, &llm.Budget{Tokens: 100}))
	if n := len(server.Requests()); n > 0 || len(got.Run.Lost) != 1 || !strings.Contains(got.Run.Lost[0], "budget") {
		t.Errorf("%d requests: %+v", n, got)
	}
}
