package llm

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

func quick(o *Options) { o.First, o.Idle = 40*time.Millisecond, 40*time.Millisecond }

func TestFaults(t *testing.T) {
	long := llmtest.Say(strings.Repeat("a long reply ", 300))
	tests := []struct {
		name    string
		answer  llmtest.Answer
		change  func(*Options)
		kind    Kind
		tries   int
		message string
	}{
		{"rate limit", llmtest.Status(429, "Slow down"), nil, KindRate, 5, "429 Too Many Requests: Slow down (5 tries)"},
		{"server error", llmtest.Status(500, "Oops"), nil, KindServer, 5, "500 Internal Server Error: Oops"},
		{"bad gateway", llmtest.Status(502, "Bad"), nil, KindServer, 5, "502"},
		{"overloaded", llmtest.Status(529, "Overloaded"), nil, KindServer, 5, "529"},
		{"never again", llmtest.Status(503, "No", "X-Should-Retry", "false"), nil, KindServer, 1, "503"},
		{"no retries", llmtest.Status(503, "No"), func(o *Options) { o.Retries = -1 }, KindServer, 1, "503"},
		{"bad request", llmtest.Status(400, "You are wrong"), nil, KindRefused, 1, "400 Bad Request: You are wrong"},
		{"forbidden", llmtest.Status(403, "Not you"), nil, KindKey, 1, "--api-key"},
		{"no such model", llmtest.Status(404, "No such model"), nil, KindRefused, 1, "404"},
		{"too large", llmtest.Status(413, "Too large"), nil, KindRefused, 1, "413"},
		{"too long a wait", llmtest.Status(429, "Later", "Retry-After", "86400"), nil, KindRate, 1, "asked again in 24h0m0s"},
		{"a hostile wait", llmtest.Status(429, "Later", "Retry-After", "1e300"), nil, KindRate, 1, "asked again in 24h0m0s"},
		{"no time to wait", llmtest.Status(429, "Later", "Retry-After", "50"), func(o *Options) { o.Timeout = 40 * time.Second }, KindRate, 1, "no time to wait 50s"},
		{"hangs at once", llmtest.Say("x").Hang(-1), quick, KindTimeout, 5, "did not answer within 40ms"},
		{"hangs in the middle", long.Hang(5), func(o *Options) { o.Idle = 40 * time.Millisecond }, KindTimeout, 5, "fell silent for 40ms"},
		{"takes for ever", long.Drip(5 * time.Millisecond), func(o *Options) { o.Timeout = 200 * time.Millisecond }, KindTimeout, 1, "longer than 200ms"},
		{"cut off", long.Cut(6), nil, KindConnection, 5, "broke off"},
		{"cut off at once", long.Cut(0), nil, KindConnection, 5, "broke off"},
		{"ends early", long.End(6), nil, KindConnection, 5, "ended in the middle"},
		{"ends at once", long.End(0), nil, KindConnection, 5, "answered nothing"},
		{"garbage", long.Garbage(4), nil, KindReply, 1, "no JSON"},
		{"a page", llmtest.HTML(), nil, KindReply, 1, `text/html; charset=utf-8 that is no reply of a model, beginning "<!DOCTYPE html>`},
		{"without end", llmtest.Endless(), nil, "", 1, ""},
		{"one endless event", llmtest.Flood(), nil, KindSize, 1, "larger than 33554432 bytes"},
		{"too deep", llmtest.Nested(), nil, KindReply, 1, "nests too deep"},
		{"fails within", long.Within(5, "", "Overloaded"), nil, KindServer, 5, "failed within its reply: Overloaded"},
		{"refuses within", long.Within(5, "invalid_request_error", "Bad prompt"), nil, KindRefused, 1, "Bad prompt"},
		{"elsewhere", llmtest.Redirect("http://192.0.2.1/v1"), nil, KindRefused, 1, `redirects (307) to "http://192.0.2.1/v1"`},
		{"terminal escapes", llmtest.Status(400, "a\x1b[31m\u202eb\nc"), nil, KindRefused, 1, "a [31m b c"},
		{"no stream, cut off", llmtest.Answer{Text: "x", Quirks: llmtest.Whole}.Cut(0), nil, KindConnection, 5, "broke off"},
		{"no stream, hangs", llmtest.Answer{Text: "x", Quirks: llmtest.Whole}.Hang(-1), quick, KindTimeout, 5, "within"},
	}
	each(t, func(t *testing.T, s side) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				change := []func(*Options){}
				if tt.change != nil {
					change = append(change, tt.change)
				}
				m, server := s.serve(t, llmtest.Steps(tt.answer), change...)
				e := failed(t, nil, second(m.Ask(t.Context(), hello())))
				if tt.kind != "" && e.Kind != tt.kind || tt.kind == "" && e.Kind != KindSize && e.Kind != KindReply {
					t.Errorf("kind %q, want %q: %v", e.Kind, tt.kind, e)
				}
				if n := len(server.Requests()); n != tt.tries || e.Tries != tt.tries {
					t.Errorf("%d requests, %d tries told, want %d", n, e.Tries, tt.tries)
				}
				if !strings.Contains(e.Message, tt.message) || !strings.HasPrefix(e.Message, s.provider+"/some-model: ") || strings.Contains(e.Message, "\n") {
					t.Errorf("message %q, want one line with %q, and the name of the model", e.Message, tt.message)
				}
			})
		}
	})
}

func second(_ *Reply, err error) error { return err }

// TestSizes: large answers are accepted, too large ones are not.
func TestSizes(t *testing.T) {
	tests := []struct {
		name   string
		answer llmtest.Answer
		ok     bool
	}{
		{"much text", llmtest.Say(strings.Repeat("0123456789abcdef", 2000)), true},
		{"too much text", llmtest.Say(strings.Repeat("0123456789abcdef", 2000) + "more than that"), false},
		{"many calls", llmtest.Do(many(8, "{}")...), true},
		{"too many calls", llmtest.Do(many(9, "{}")...), false},
		{"large arguments", llmtest.Do(many(2, `{"a":"`+strings.Repeat("x", 1900)+`"}`)...), true},
		{"too large arguments", llmtest.Do(many(3, `{"a":"`+strings.Repeat("x", 1900)+`"}`)...), false},
		{"a long name", llmtest.Do(llmtest.Call{Name: strings.Repeat("n", 256), Arguments: "{}"}), true},
		{"too long a name", llmtest.Do(llmtest.Call{Name: strings.Repeat("n", 257), Arguments: "{}"}), false},
		{"too much thinking", llmtest.Answer{Text: "x", Thinking: strings.Repeat("hm", 32000)}, false},
	}
	each(t, func(t *testing.T, s side) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				m, server := s.serve(t, llmtest.Steps(tt.answer))
				limits := limitsOf(m)
				limits.text, limits.calls, limits.arguments = 32000, 8, 4096
				_, err := m.Ask(t.Context(), hello())
				if e := asError(err); tt.ok != (err == nil) || !tt.ok && (e == nil || e.Kind != KindSize || e.Usage.In == 0) {
					t.Errorf("Ask: %v, want success: %v, or else kind size and what was used", err, tt.ok)
				}
				if n := len(server.Requests()); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
			})
		}
	})
}

func many(n int, arguments string) []llmtest.Call {
	var calls []llmtest.Call
	for range n {
		calls = append(calls, llmtest.Call{Name: "x", Arguments: arguments})
	}
	return calls
}

func limitsOf(m Model) *limits {
	switch w := m.(*remote).wire.(type) {
	case *openAI:
		return &w.doer.limits
	case *claude:
		return &w.doer.limits
	}
	return nil
}

func TestStreamLimit(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		m, _ := s.serve(t, llmtest.Steps(llmtest.Say(strings.Repeat("x", 1000))))
		limitsOf(m).stream = 5000
		if e := failed(t, nil, second(m.Ask(t.Context(), hello()))); e.Kind != KindSize {
			t.Errorf("kind %q, want %q: %v", e.Kind, KindSize, e)
		}
	})
}

func TestRecovers(t *testing.T) {
	const begun = "I was about to say something of some length when"
	tests := []struct {
		name  string
		first []llmtest.Answer
		waits []time.Duration
	}{
		{"rate limit", []llmtest.Answer{llmtest.Status(429, "Slow down", "Retry-After", "7")}, []time.Duration{7 * time.Second}},
		{"in milliseconds", []llmtest.Answer{llmtest.Status(429, "Slow down", "Retry-After-Ms", "1500")}, []time.Duration{1500 * time.Millisecond}},
		{"until a date", []llmtest.Answer{llmtest.Status(503, "", "Retry-After", "Thu, 01 Jan 2026 00:00:30 GMT")}, []time.Duration{30 * time.Second}},
		{"a date long ago", []llmtest.Answer{llmtest.Status(503, "", "Retry-After", "Thu, 01 Jan 1998 00:00:30 GMT")}, []time.Duration{500 * time.Millisecond}},
		{"nonsense", []llmtest.Answer{llmtest.Status(503, "", "Retry-After", "soon")}, []time.Duration{500 * time.Millisecond}},
		{
			"backoff",
			[]llmtest.Answer{llmtest.Status(500, ""), llmtest.Status(500, ""), llmtest.Status(500, ""), llmtest.Status(500, "")},
			[]time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second},
		},
		{"within, cut", []llmtest.Answer{llmtest.Say(begun).Cut(6)}, []time.Duration{500 * time.Millisecond}},
		{"within", []llmtest.Answer{llmtest.Say(begun).Within(6, "overloaded_error", "Overloaded")}, []time.Duration{500 * time.Millisecond}},
	}
	each(t, func(t *testing.T, s side) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				var got waits
				m, _ := s.serve(t, llmtest.Steps(append(tt.first, llmtest.Answer{Text: "Here I am.", In: 50, Out: 5})...), func(o *Options) {
					o.Sleep = got.sleep
					// The deadline is of the real clock, far in the future.
					o.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
				})
				reply, err := m.Ask(t.Context(), hello())
				if err != nil || reply.Text != "Here I am." {
					t.Fatalf("Ask = %+v, %v; want the reply of the last try", reply, err)
				}
				if diff := cmp.Diff(waits(tt.waits), got); diff != "" {
					t.Errorf("waits (-want +got):\n%s", diff)
				}
				// A reply that began and broke off counts as used.
				if partial := strings.HasPrefix(tt.name, "with"); partial != (reply.Usage.In > 50) {
					t.Errorf("usage %+v, want more than that of the last try: %v", reply.Usage, partial)
				}
			})
		}
	})
}

func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		try    int
		random float64
		want   time.Duration
	}{
		{1, 0, 500 * time.Millisecond}, {1, 0.5, 375 * time.Millisecond}, {2, 0, time.Second}, {2, 0.999, 500500 * time.Microsecond},
		{6, 0, 16 * time.Second}, {7, 0, 20 * time.Second}, {1000, 0, 20 * time.Second},
	} {
		if got := backoff(tt.try, tt.random); got != tt.want {
			t.Errorf("backoff(%d, %v) = %v, want %v", tt.try, tt.random, got, tt.want)
		}
	}
}

func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the user pressed a key")
		m, server := s.serve(t, func(*llmtest.Request) llmtest.Answer {
			cancel(why)
			return llmtest.Say("too late").Hang(2)
		})
		e := failed(t, nil, second(m.Ask(ctx, hello())))
		if e.Kind != KindCancelled || !errors.Is(e, why) {
			t.Errorf("error %v of kind %q, want %q because of %v", e, e.Kind, KindCancelled, why)
		}
		if n := len(server.Requests()); n > 1 {
			t.Errorf("%d requests, want no more than 1", n)
		}
	})
}

func TestUnreachable(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		server := s.start(t, nil)
		m, err := New(Spec{Provider: s.provider, Model: "m"}, &Options{
			BaseURL: server.URL, Retries: -1, HTTP: &http.Client{Transport: dead{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		e := failed(t, nil, second(m.Ask(t.Context(), hello())))
		if e.Kind != KindConnection || !strings.Contains(e.Message, "cannot be reached: the line is dead") {
			t.Errorf("error %v of kind %q, want %q", e, e.Kind, KindConnection)
		}
	})
}

type dead struct{}

func (dead) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("the line is dead")
}

func TestNonsense(t *testing.T) {
	call := Call{ID: "a", Name: "x"}
	tests := map[string]*Ask{
		"no turns":              {},
		"no user":               {Turns: []Turn{{Role: Assistant, Text: "x"}}},
		"the assistant last":    {Turns: []Turn{{Role: User, Text: "x"}, {Role: Assistant, Text: "x"}}},
		"nobody":                {Turns: []Turn{{Role: User}, {Role: "system", Text: "x"}, {Role: User}}},
		"no result":             {Turns: []Turn{{Role: User}, {Role: Assistant, Calls: []Call{call}}, {Role: User}}},
		"another result":        {Turns: []Turn{{Role: User}, {Role: Assistant, Calls: []Call{call}}, {Role: User, Results: []Result{{CallID: "b"}}}}},
		"a result of no call":   {Turns: []Turn{{Role: User, Results: []Result{{CallID: "b"}}}}},
		"the user calls":        {Turns: []Turn{{Role: User, Calls: []Call{call}}}},
		"arguments, not JSON":   {Turns: []Turn{{Role: User}, {Role: Assistant, Calls: []Call{{ID: "a", Arguments: []byte("{")}}}, {Role: User, Results: []Result{{CallID: "a"}}}}},
		"a schema, not JSON":    {Turns: []Turn{{Role: User, Text: "x"}}, Tools: []Tool{{Name: "x", Schema: []byte("{")}}},
		"two results of a call": {Turns: []Turn{{Role: User}, {Role: Assistant, Calls: []Call{call, {ID: "b"}}}, {Role: User, Results: []Result{{CallID: "a"}, {CallID: "a"}}}}},
	}
	for name, a := range tests {
		m, server := sides()[0].serve(t, llmtest.Steps(llmtest.Say("x")))
		if e := failed(t, nil, second(m.Ask(t.Context(), a))); e.Kind != KindAsk || len(server.Requests()) > 0 {
			t.Errorf("%s: error %v of kind %q after %d requests, want %q after none", name, e, e.Kind, len(server.Requests()), KindAsk)
		}
	}
}
