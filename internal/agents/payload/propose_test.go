package payload

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func world() *attack.World { return attack.New(7, "/srv/docs") }

// search is a tool with parameters of many kinds.
func search() mcpsf.Tool {
	return mcpsf.Tool{Name: "search", Description: "Searches the notes.", InputSchema: json.RawMessage(`{"type":"object","properties":{` +
		`"query":{"type":"string","description":"What to look for"},"file":{"type":"string","description":"Path of the file to search"},` +
		`"mode":{"type":"string","enum":["plain","regex"]},"everywhere":{"type":"boolean"},"limit":{"type":"integer","minimum":1}},` +
		`"required":["query","limit"],"additionalProperties":false}`)}
}

func note() mcpsf.Tool {
	return mcpsf.Tool{Name: "note", Description: "Keeps a note.", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
}

// options are those of most tests, without the model.
func options(tools ...mcpsf.Tool) *Options {
	return &Options{
		World: world(), Tools: tools, Seed: 7, Values: meaning.Values{Dir: "/srv/docs", File: "/srv/docs/notes.md"},
		Inputs: map[string]json.RawMessage{"search": json.RawMessage(`{"query":"hello","file":"/srv/docs/notes.md","limit":5}`)},
	}
}

// mark is the marker in a payload of a class.
func mark(t testing.TB, class string, sign mcpsf.AttackSign) string {
	t.Helper()
	for _, m := range world().Marks() {
		if m.Class == class && m.Sign == sign && len(m.Texts) > 0 {
			return m.Texts[0]
		}
	}
	t.Fatalf("there is no mark of %s for %s", class, sign)
	return ""
}

// propose is the model's call with these payloads.
func propose(payloads ...string) llmtest.Answer {
	return llmtest.Do(llmtest.Call{ID: "p1", Name: "propose", Arguments: `{"payloads":[` + strings.Join(payloads, ",") + `]}`})
}

// one is a payload in the model's form.
func one(class, place, why string, arguments map[string]any) string {
	out, _ := json.Marshal(map[string]any{"class": class, "place": place, "why": why, "arguments": arguments})
	return string(out)
}

type side struct {
	provider string
	start    func(testing.TB, llmtest.Script) *llmtest.Server
}

func sides() []side {
	return []side{{"openai", llmtest.OpenAI}, {"anthropic", llmtest.Anthropic}}
}

// model is a scripted model.
func (s side) model(t testing.TB, script llmtest.Script) (llm.Model, *llmtest.Server) {
	t.Helper()
	server := s.start(t, script)
	m, err := llm.New(llm.Spec{Provider: s.provider, Model: "some-model"}, &llm.Options{
		Key: "sk-test", BaseURL: server.URL, Random: func() float64 { return 0 },
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, server
}

func run(t testing.TB, o *Options, m llm.Model) Proposals {
	t.Helper()
	o.Model = m
	got, err := Propose(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// told is a call in short form.
func told(c *AttackCall) string {
	return fmt.Sprintf("%s %s %s %s by %q: %s", c.Tool, c.Attack.Class, c.Attack.Place, c.Attack.Sign, c.Attack.By, c.Arguments)
}

func toldAll(calls []AttackCall) []string {
	var all []string
	for i := range calls {
		all = append(all, told(&calls[i]))
	}
	return all
}

// good are payloads of several classes, and the resulting calls.
func good(t testing.TB) (payloads []string, want []string) {
	t.Helper()
	program, file := mark(t, "command-injection", mcpsf.SignExec), mark(t, "path-traversal", mcpsf.SignOpen)
	plain := world().Secret(1) // one of our secrets
	by := `by "PROVIDER/some-model"`
	climbs := "x/../../../../../../../.." + world().Outside + "/" + file
	payloads = []string{
		// The limit is missing, and the place is written in another form.
		one("command-injection", "query", "quotes\nin a\x1b pattern", map[string]any{"query": "a' ; " + program + " '"}),
		// Where limits are judged, the model may choose other values only from
		// a list.
		one("path-traversal", "/file", "climbs", map[string]any{"query": "x", "limit": 9, "file": climbs, "everywhere": true, "mode": "regex"}),
		one("numeric-edge", "/limit", "", map[string]any{"query": "x", "limit": -7}),
	}
	want = []string{
		`search command-injection /query exec ` + by + `: {"limit":5,"query":"a' ; ` + program + ` '"}`,
		`search path-traversal /file open by "": {"file":"` + plain + `.md","limit":5,"mode":"regex","query":"hello"}`,
		`search path-traversal /file open by "": {"file":"/` + world().Secret(20) + `.md","limit":5,"mode":"regex","query":"hello"}`,
		`search path-traversal /file open ` + by + `: {"file":"` + climbs + `","limit":5,"mode":"regex","query":"hello"}`,
		`search numeric-edge /limit crash ` + by + `: {"file":"/srv/docs/notes.md","limit":-7,"query":"hello"}`,
	}
	return payloads, want
}

func TestPropose(t *testing.T) {
	payloads, want := good(t)
	for _, s := range sides() {
		t.Run(s.provider, func(t *testing.T) {
			m, server := s.model(t, llmtest.Steps(propose(payloads...)))
			got := run(t, options(search()), m)
			var wanted []string
			for _, w := range want {
				wanted = append(wanted, strings.ReplaceAll(w, "PROVIDER", s.provider))
			}
			if diff := cmp.Diff(wanted, toldAll(got.Calls)); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if len(got.Run.Lost) > 0 || got.Run.Usage.Asks != 1 || got.Run.Unanswered != 0 || got.Run.Usage.TokensIn == 0 {
				t.Errorf("%+v", got)
			}
			if why := got.Calls[0].Attack.Why; why != "quotes in a pattern" {
				t.Errorf("the model's reason is %q", why)
			}
			r := server.Requests()[0]
			if !r.Stream || len(r.Tools) != 1 || r.Tools[0].Name != "propose" {
				t.Errorf("the request streams: %v, tools: %+v", r.Stream, r.Tools)
			}
		})
	}
}

// Payloads in text count like those in the requested call.
func TestProposeInWords(t *testing.T) {
	payloads, want := good(t)
	list := "[" + strings.Join(payloads, ",\n") + "]"
	for name, text := range map[string]string{
		"fenced":      "Here you are:\n```json\n{\"payloads\": " + list + "}\n```\nGood luck {with} [that]!",
		"bare list":   list,
		"in an array": "Sure. " + list,
		"lines":       strings.Join(payloads, "\n"),
		"wrapped":     `{"answer":{"payloads":` + list + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := sides()[0].model(t, llmtest.Steps(llmtest.Say(text)))
			if got := run(t, options(search()), m); len(got.Calls) != len(want) || len(got.Run.Lost) > 0 {
				t.Errorf("%q\nlost %q", toldAll(got.Calls), got.Run.Lost)
			}
		})
	}
}

// The same record gives the same calls, without a model.
func TestReplay(t *testing.T) {
	payloads, _ := good(t)
	for _, s := range sides() {
		t.Run(s.provider, func(t *testing.T) {
			tools := []mcpsf.Tool{search(), note()}
			for i := range 7 { // two batches, with some in each
				more := note()
				more.Name = fmt.Sprint("note", i)
				tools = append(tools, more)
			}
			live, _ := s.model(t, func(r *llmtest.Request) llmtest.Answer {
				switch {
				case strings.Contains(r.Last().Text, `"name":"search"`):
					return propose(payloads...)
				case strings.Contains(r.Last().Text, `"name":"note3"`):
					return llmtest.Status(400, "not today")
				}
				return propose(one("unicode-edge", "/text", "odd", map[string]any{"text": "\u202e"}))
			})
			var record strings.Builder
			want := run(t, options(tools...), llm.Record(live, &record, nil))
			again, err := llm.Replay(strings.NewReader(record.String()))
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, options(tools...), again)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("again (-want +got):\n%s", diff)
			}
			if len(want.Calls) < 10 || want.Run.Usage.Asks != 9 || want.Run.Unanswered != 1 || len(want.Run.Lost) != 1 {
				t.Errorf("%d calls, %+v", len(want.Calls), want)
			}
		})
	}
}

func TestMost(t *testing.T) {
	program := mark(t, "command-injection", mcpsf.SignExec)
	var payloads []string
	for i := range 9 {
		payloads = append(payloads, one("command-injection", "/text", "x", map[string]any{"text": strings.Repeat("a", i) + "|" + program}))
	}
	m, _ := sides()[0].model(t, llmtest.Steps(propose(payloads...)))
	o := options(note(), search())
	o.Most, o.Each = 4, 6
	got := run(t, o, m)
	want := []string{
		`"note": 3 payloads left out: more than were asked for`,
		`"search": 9 payloads left out: it does not fit the schema of the tool`,
		`"note": 2 payloads left out: there are 4 calls for such payloads`,
	}
	if diff := cmp.Diff(want, got.Run.Lost); diff != "" || len(got.Calls) != 4 {
		t.Errorf("%d calls, lost (-want +got):\n%s", len(got.Calls), diff)
	}
}

func TestNobodyToAsk(t *testing.T) {
	if _, err := Propose(t.Context(), options(note())); err == nil {
		t.Error("without a model there is no error")
	}
	asked := 0
	m, _ := sides()[0].model(t, func(*llmtest.Request) llmtest.Answer { asked++; return propose() })
	nothing := mcpsf.Tool{Name: "now", InputSchema: json.RawMessage(`{"type":"object"}`)}
	if got := run(t, options(nothing, note(), note()), m); asked != 1 || got.Run.Usage.Asks != 1 || len(got.Run.Lost) > 0 {
		t.Errorf("asked %d times: %+v", asked, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := options(note())
	o.Model = m
	if _, err := Propose(ctx, o); err == nil {
		t.Error("the context has ended, and there is no error")
	}
}
