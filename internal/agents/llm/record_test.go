package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// converse asks twice, with tools, and returns the replies.
func converse(ctx context.Context, m Model, seed int64) (replies []*Reply, err error) {
	a := &Ask{Purpose: "agent", System: "Be good.", Seed: seed, Tools: []Tool{tool("read_file")}, Turns: []Turn{{Role: User, Text: "Read a."}}}
	for range 2 {
		reply, err := m.Ask(ctx, a)
		if err != nil {
			return replies, err
		}
		replies = append(replies, reply)
		next := Turn{Role: User, Text: "Go on."}
		for _, c := range reply.Calls {
			next.Results = append(next.Results, Result{CallID: c.ID, Text: "content"})
		}
		a.Turns = append(a.Turns, reply.Turn(), next)
	}
	return replies, nil
}

func TestReplay(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		var record strings.Builder
		clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		live, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			if len(r.Messages) == 1 {
				return llmtest.Answer{Text: fmt.Sprintf("try %d", r.N), Thinking: "hm", Calls: []llmtest.Call{
					{ID: "a", Name: "read_file", Arguments: `{"path": "a"}`}, {ID: "b", Name: "x", Arguments: `{"`},
				}}
			}
			return llmtest.Say("Done <b>&\u2028.")
		})
		m := Record(live, &record, func() time.Time { clock = clock.Add(time.Second); return clock })
		var want [][]*Reply
		for range 2 { // the same asks twice, with different answers
			replies, err := converse(t.Context(), m, 7)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, replies)
		}
		again, err := Replay(strings.NewReader(record.String()))
		if err != nil {
			t.Fatalf("Replay: %v\n%s", err, record.String())
		}
		if again.Name() != live.Name() {
			t.Errorf("Name() = %q, want %q", again.Name(), live.Name())
		}
		for i := range 2 {
			got, err := converse(t.Context(), again, 7)
			if err != nil {
				t.Fatalf("time %d: %v", i+1, err)
			}
			if diff := cmp.Diff(want[i], got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("time %d, replies (-want +got):\n%s", i+1, diff)
			}
		}
		if _, err := converse(t.Context(), again, 7); !errors.Is(err, ErrNotRecorded) || !strings.Contains(err.Error(), "recorded 2 times and is made for the 3th time") {
			t.Errorf("a third time: %v, want %v", err, ErrNotRecorded)
		}
		if _, err := converse(t.Context(), again, 8); !errors.Is(err, ErrNotRecorded) || !strings.Contains(err.Error(), `for "agent" (1 turns, seed 8)`) {
			t.Errorf("another seed: %v, want %v", err, ErrNotRecorded)
		}
		for _, part := range []string{`"seed":7`, `"ms":1000`, `"at":"2026-01-02T03:04:06Z"`, `"usage":{"in":100,"out":10}`, `"system":"Be good."`} {
			if !strings.Contains(record.String(), part) {
				t.Errorf("%s is not in the record:\n%s", part, record.String())
			}
		}
	})
}

// TestReplayErrors: what failed when recorded fails the same way, without a
// request.
func TestReplayErrors(t *testing.T) {
	var record strings.Builder
	kinds := []*Error{
		{Kind: KindRate, Status: 429, Message: "429: slow down", Usage: Usage{In: 5}, Tries: 5},
		{Kind: KindBudget, Message: "the budget is used up", err: ErrBudget},
		{Kind: KindTimeout, Message: "it took longer than 5m0s"},
	}
	n := 0
	live := &fake{name: "fake", ask: func(context.Context, *Ask) (*Reply, error) { n++; return nil, kinds[n-1] }}
	for range kinds {
		_, _ = Record(live, &record, nil).Ask(t.Context(), hello())
	}
	m, err := Replay(strings.NewReader(record.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range kinds {
		got := failed(t, nil, second(m.Ask(t.Context(), hello())))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Error{})); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if errors.Is(got, ErrBudget) != (want.Kind == KindBudget) {
			t.Errorf("%v is ErrBudget: %v", got, errors.Is(got, ErrBudget))
		}
	}
}

func TestReplayRefused(t *testing.T) {
	var record strings.Builder
	if _, err := Record(&fake{name: "m", ask: uses(1, 1)}, &record, nil).Ask(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	good := record.String()
	tests := []struct{ name, in, want string }{
		{"an edited prompt", strings.Replace(good, "Hello", "Hullo", 1), "line 1 of the record of a model cannot be read: its digest is not that of its ask"},
		{"a second line", good + "{", "line 2"},
		{"no JSON", "hello", "line 1"},
		{"another version", strings.Replace(good, `"v":1`, `"v":2`, 1), "it is of version 2, not 1"},
		{"no answer", `{"v":1,"ask":{"turns":[]}}`, "it wants an ask, and a reply or an error"},
		{"both", `{"v":1,"ask":{"turns":[]},"reply":{},"error":{}}`, "it wants an ask, and a reply or an error"},
		{"no ask", `{"v":1,"reply":{}}`, "it wants an ask"},
		{"too deep", `{"v":1,"ask":` + strings.Repeat("[", 300), "nests too deep"},
	}
	for _, tt := range tests {
		m, err := Replay(strings.NewReader(tt.in))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: Replay = %v, %v; want %q", tt.name, m, err, tt.want)
		}
	}
	for name, in := range map[string]string{"nothing": "", "blank lines": "\n\n" + good + "\n\r\n", "no digest": strings.Replace(good, `"digest":"`+digest(hello())+`",`, "", 1)} {
		if _, err := Replay(strings.NewReader(in)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDigest(t *testing.T) {
	temperature := 0.3
	base := func() *Ask {
		return &Ask{Purpose: "agent", System: "s", Seed: 1, Tools: []Tool{{Name: "t", Schema: []byte(`{"a":1,"b":[2]}`)}}, Turns: []Turn{
			{Role: User, Text: "u"}, {Role: Assistant, Calls: []Call{{ID: "a", Name: "t", Arguments: []byte(`{"x":1,"y":2}`)}}},
			{Role: User, Results: []Result{{CallID: "a", Text: "r"}}},
		}}
	}
	want := digest(base())
	for name, change := range map[string]func(*Ask){
		"length":         func(a *Ask) { a.MaxTokens = 9 },
		"temperature":    func(a *Ask) { a.Temperature = &temperature },
		"keys in order":  func(a *Ask) { a.Tools[0].Schema = []byte(` {"b":[2], "a":1}`) },
		"keys of a call": func(a *Ask) { a.Turns[1].Calls[0].Arguments = []byte(`{"y":2,"x":1}`) },
	} {
		a := base()
		if change(a); digest(a) != want {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, change := range map[string]func(*Ask){
		"purpose": func(a *Ask) { a.Purpose = "judge" }, "system": func(a *Ask) { a.System = "" }, "seed": func(a *Ask) { a.Seed = 2 },
		"text": func(a *Ask) { a.Turns[0].Text = "v" }, "a call": func(a *Ask) { a.Turns[1].Calls[0].Name = "w" },
		"an argument": func(a *Ask) { a.Turns[1].Calls[0].Arguments = []byte(`{"x":1,"y":3}`) },
		"a result":    func(a *Ask) { a.Turns[2].Results[0].IsError = true }, "a description": func(a *Ask) { a.Tools[0].Description = "d" },
		"a schema": func(a *Ask) { a.Tools[0].Schema = []byte(`{}`) }, "no tools": func(a *Ask) { a.Tools = nil },
		"large numbers": func(a *Ask) { a.Tools[0].Schema = []byte(`{"a":10000000000000000001,"b":[2]}`) },
	} {
		a := base()
		if change(a); digest(a) == want {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

type full1 struct{}

func (full1) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestRecordFull(t *testing.T) {
	m := Record(&fake{name: "m", ask: uses(5, 6)}, full1{}, nil)
	e := failed(t, nil, second(m.Ask(t.Context(), hello())))
	if e.Kind != KindRecord || !strings.Contains(e.Message, "no space left") || e.Usage.Tokens() != 11 {
		t.Errorf("error %v of kind %q with usage %+v; want %q, and what was spent", e, e.Kind, e.Usage, KindRecord)
	}
}

func TestRecordConcurrent(t *testing.T) {
	var record strings.Builder
	m := Record(&fake{name: "m", ask: uses(1, 1)}, &record, nil)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			a := hello()
			a.Seed = int64(i)
			if _, err := m.Ask(t.Context(), a); err != nil {
				t.Errorf("Ask: %v", err)
			}
		})
	}
	wg.Wait()
	again, err := Replay(strings.NewReader(record.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		a := hello()
		a.Seed = int64(i)
		if _, err := again.Ask(t.Context(), a); err != nil {
			t.Errorf("seed %d: %v", i, err)
		}
	}
}

func FuzzReplay(f *testing.F) {
	var record strings.Builder
	m := Record(&fake{name: "m", ask: uses(1, 1)}, &record, nil)
	_, _ = m.Ask(f.Context(), hello())
	f.Add([]byte(record.String()))
	f.Add([]byte(`{"v":1,"ask":{"purpose":"test","turns":[{"role":"user","text":"Hello"}],"system":"You are brief."},"reply":{"text":"x","calls":[{"arguments":{"a":[1]}}]}}`))
	f.Add([]byte(`{"v":1,"ask":{"turns":[{"calls":[{"arguments":1e999}]}],"tools":[{"schema":"\ud800"}]},"error":{"kind":"budget"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Replay(strings.NewReader(string(data)))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("error %q, want one line", err)
			}
			return
		}
		reply, err := m.Ask(t.Context(), hello())
		if (reply == nil) == (err == nil) {
			t.Errorf("Ask = %v, %v; want one of them", reply, err)
		}
		if reply != nil {
			if _, err := json.Marshal(reply); err != nil {
				t.Errorf("a reply that cannot be written: %v", err)
			}
		}
	})
}
