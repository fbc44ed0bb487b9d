package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// responding accepts tools only through the Responses API, as OpenAI's newest
// models do.
func responding(t *testing.T, answer llmtest.Script) (Model, *llmtest.Server) {
	t.Helper()
	server := llmtest.OpenAI(t, func(r *llmtest.Request) llmtest.Answer {
		if !strings.HasSuffix(r.Path, "/responses") {
			return llmtest.Status(404, "This model is only supported in v1/responses and not in v1/chat/completions.")
		}
		r.N--
		return answer(r)
	})
	var w waits
	m, err := New(Spec{Provider: "openai", Model: "gpt-5-pro"}, &Options{Key: testKey, BaseURL: server.URL, Sleep: w.sleep})
	if err != nil {
		t.Fatal(err)
	}
	return m, server
}

func TestResponses(t *testing.T) {
	m, server := responding(t, llmtest.Steps(
		llmtest.Answer{Text: "I look.", Thinking: "hm", In: 10, Out: 5, Calls: []llmtest.Call{
			{ID: "a", Name: "read_file", Arguments: `{"path": "日本語"}`}, {ID: "b", Name: "x", Arguments: `{"pa`}, {ID: "c", Name: "x"},
		}},
		llmtest.Say("Done."),
	))
	a := full()
	first, err := m.Ask(t.Context(), a)
	if err != nil {
		t.Fatalf("Ask: %v", err)
	}
	want := &Reply{
		Text: "I look.", Stop: StopTools, Usage: Usage{In: 10, Out: 5}, Without: []string{"seed", "temperature"},
		Thinking: json.RawMessage(`[{"type":"reasoning","id":"rs_test","summary":[],"encrypted_content":"c2lnbmF0dXJl"}]`),
		Calls: []Call{
			{ID: "a", Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"日本語"}`)}, {ID: "b", Name: "x", Broken: `{"pa`},
			{ID: "c", Name: "x", Arguments: json.RawMessage(`{}`)},
		},
	}
	if diff := cmp.Diff(want, first, compareReplies()); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	a.Turns = append(a.Turns, first.Turn(), Turn{Role: User, Text: "Go on.", Results: []Result{{CallID: "a", Text: "x"}, {CallID: "b"}, {CallID: "c"}}})
	if reply, err := m.Ask(t.Context(), a); err != nil || reply.Text != "Done." {
		t.Errorf("the second Ask = %+v, %v; want %q", reply, err, "Done.")
	}
	requests := server.Requests()
	if len(requests) != 3 {
		t.Fatalf("%d requests, want 3: the other interface is tried once", len(requests))
	}
	last := requests[2]
	if diff := cmp.Diff([]string{"c2lnbmF0dXJl"}, last.Messages[1].Thinking); diff != "" {
		t.Errorf("thinking that was sent back (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(last.Body), `"store":false`) || last.MaxTokens != 1000 {
		t.Errorf("want store false and 1000 tokens in the request %s", last.Body)
	}
	if refused := server.Refused(); len(refused) > 0 {
		t.Errorf("refused: %q", refused)
	}
}

func TestResponsesEnds(t *testing.T) {
	long := llmtest.Say(strings.Repeat("a long reply ", 30))
	tests := []struct {
		name   string
		answer llmtest.Answer
		stop   Stop
		kind   Kind
	}{
		{"refusal", llmtest.Answer{Refusal: "I will not."}, StopRefusal, ""},
		{"length", llmtest.Answer{Text: "x", Stop: "max_output_tokens"}, StopLength, ""},
		{"filter", llmtest.Answer{Text: "x", Stop: "content_filter"}, StopRefusal, ""},
		{"end", llmtest.Say("x"), StopEnd, ""},
		{"cut", long.Cut(6), "", KindConnection},
		{"early", long.End(6), "", KindConnection},
		{"no end", llmtest.Answer{Text: "x", Quirks: llmtest.NoDone}, "", KindConnection},
		{"fails within", long.Within(6, "server_error", "Oops"), "", KindServer},
		{"fails for good within", long.Within(6, "insufficient_quota", "No money"), "", KindRate},
		{"garbage", long.Garbage(6), "", KindReply},
		{"no stream", llmtest.Answer{Text: "x", Quirks: llmtest.Whole}, "", KindReply},
	}
	for _, tt := range tests {
		m, _ := responding(t, llmtest.Steps(tt.answer))
		reply, err := m.Ask(t.Context(), hello())
		if e := asError(err); tt.kind != "" && (e == nil || e.Kind != tt.kind) || tt.kind == "" && (err != nil || reply.Stop != tt.stop) {
			t.Errorf("%s: Ask = %+v, %v; want stop %q or kind %q", tt.name, reply, err, tt.stop, tt.kind)
		}
	}
}
