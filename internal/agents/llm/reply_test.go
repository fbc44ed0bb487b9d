package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// compareReplies ignores the provider's name of the model.
func compareReplies() cmp.Options {
	return cmp.Options{cmpopts.IgnoreFields(Reply{}, "Model"), cmpopts.EquateEmpty()}
}

func TestReply(t *testing.T) {
	calls := []llmtest.Call{
		{ID: "call_1", Name: "read_file", Arguments: `{"path": "/etc/hosts", "n": 1}`},
		{ID: "call_2", Name: "read_file", Arguments: `{"path":"ünïcode 日本語 🚀"}`},
		{ID: "call_3", Name: "list_files", Arguments: ``},
	}
	tests := []struct {
		name   string
		answer llmtest.Answer
		want   Reply
	}{
		{"text", llmtest.Say("Grüße, 世界 🚀! <b>&amp;"), Reply{Text: "Grüße, 世界 🚀! <b>&amp;", Stop: StopEnd}},
		{"no text", llmtest.Answer{Stop: ""}, Reply{Stop: StopEnd}},
		{"several calls", llmtest.Answer{Text: "I look.", Calls: calls}, Reply{Text: "I look.", Stop: StopTools, Calls: []Call{
			{ID: "call_1", Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"/etc/hosts","n":1}`)},
			{ID: "call_2", Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"ünïcode 日本語 🚀"}`)},
			{ID: "call_3", Name: "list_files", Tool: 2, Arguments: json.RawMessage(`{}`)},
		}}},
		{"stop with calls", llmtest.Answer{Calls: calls[:1], Quirks: llmtest.StopWithCalls}, Reply{Stop: StopTools, Calls: []Call{
			{ID: "call_1", Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"/etc/hosts","n":1}`)},
		}}},
		{"wrong tool", llmtest.Do(llmtest.Call{ID: "a", Name: "no_such_tool", Arguments: `{}`}), Reply{Stop: StopTools, Calls: []Call{
			{ID: "a", Name: "no_such_tool", Arguments: json.RawMessage(`{}`)},
		}}},
		{"truncated arguments", llmtest.Do(llmtest.Call{ID: "a", Name: "read_file", Arguments: `{"path":"/etc/ho`}), Reply{Stop: StopTools, Calls: []Call{
			{ID: "a", Name: "read_file", Tool: 1, Broken: `{"path":"/etc/ho`},
		}}},
		{"arguments that are a list", llmtest.Do(llmtest.Call{ID: "a", Name: "read_file", Arguments: `["/etc/hosts"]`}), Reply{Stop: StopTools, Calls: []Call{
			{ID: "a", Name: "read_file", Tool: 1, Broken: `["/etc/hosts"]`},
		}}},
		{"refusal", llmtest.Answer{Refusal: "I will not."}, Reply{Text: "I will not.", Stop: StopRefusal}},
		{"comments and pings", llmtest.Answer{Text: "Hi there, friend.", Quirks: llmtest.Comments}, Reply{Text: "Hi there, friend.", Stop: StopEnd}},
		{"other line ends", llmtest.Answer{Text: "Hi there, friend.", Quirks: llmtest.CRLF}, Reply{Text: "Hi there, friend.", Stop: StopEnd}},
		{"nameless events", llmtest.Answer{Text: "Hi there, friend.", Quirks: llmtest.NoNames}, Reply{Text: "Hi there, friend.", Stop: StopEnd}},
		{"byte by byte", llmtest.Answer{Text: "Hi there, 世界."}.Drip(0), Reply{Text: "Hi there, 世界.", Stop: StopEnd}},
		{"no stream", llmtest.Answer{Text: "I look.", Calls: calls[:1], Quirks: llmtest.Whole}, Reply{Text: "I look.", Stop: StopTools, Calls: []Call{
			{ID: "call_1", Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"/etc/hosts","n":1}`)},
		}}},
	}
	each(t, func(t *testing.T, s side) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				answer := tt.answer
				answer.In, answer.Out = 123, 45
				m, server := s.serve(t, llmtest.Steps(answer))
				a := hello()
				a.Tools = []Tool{tool("read_file"), tool("list_files")}
				got, err := m.Ask(t.Context(), a)
				if err != nil {
					t.Fatalf("Ask: %v", err)
				}
				want := tt.want
				want.Usage = Usage{In: 123, Out: 45}
				if diff := cmp.Diff(&want, got, compareReplies()); diff != "" {
					t.Errorf("reply (-want +got):\n%s", diff)
				}
				if !strings.HasPrefix(got.Model, "some-model-2026") {
					t.Errorf("Model = %q, want the provider's name of it", got.Model)
				}
				if n := len(server.Requests()); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
			})
		}
	})
}

func TestStop(t *testing.T) {
	tests := map[string]map[string]Stop{
		"openai": {
			"stop": StopEnd, "length": StopLength, "content_filter": StopRefusal, "tool_calls": StopOther, "odd": StopOther,
		},
		"anthropic": {
			"end_turn": StopEnd, "stop_sequence": StopEnd, "max_tokens": StopLength, "model_context_window_exceeded": StopLength,
			"refusal": StopRefusal, "tool_use": StopOther, "pause_turn": StopOther,
		},
	}
	each(t, func(t *testing.T, s side) {
		for said, want := range tests[s.provider] {
			m, _ := s.serve(t, llmtest.Steps(llmtest.Answer{Text: "x", Stop: said}))
			got, err := m.Ask(t.Context(), hello())
			if err != nil || got.Stop != want {
				t.Errorf("%q: Ask = %+v, %v; want stop %q", said, got, err, want)
			}
		}
	})
}

// TestCutShort: a call that the length limit truncated is in the reply, as
// broken.
func TestCutShort(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		stop := map[string]string{"openai": "length", "anthropic": "max_tokens"}[s.provider]
		m, _ := s.serve(t, llmtest.Steps(llmtest.Answer{Stop: stop, Calls: []llmtest.Call{{ID: "a", Name: "x", Arguments: `{"a":"b`}}}))
		got, err := m.Ask(t.Context(), hello())
		if err != nil || got.Stop != StopLength || len(got.Calls) != 1 || got.Calls[0].Broken != `{"a":"b` {
			t.Errorf("Ask = %+v, %v; want a broken call and stop %q", got, err, StopLength)
		}
	})
}

func TestInterfaces(t *testing.T) {
	two := []llmtest.Call{{ID: "a", Name: "read_file", Arguments: `{"path":"one"}`}, {ID: "b", Name: "read_file", Arguments: `{"path":"two"}`}}
	want := func(ids ...string) Reply {
		return Reply{Stop: StopTools, Calls: []Call{
			{ID: ids[0], Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"one"}`)},
			{ID: ids[1], Name: "read_file", Tool: 1, Arguments: json.RawMessage(`{"path":"two"}`)},
		}}
	}
	tests := []struct {
		name   string
		quirks llmtest.Quirk
		want   Reply
	}{
		{"as it should be", 0, want("a", "b")},
		{"no index", llmtest.NoIndex, want("a", "b")},
		{"no index, one chunk", llmtest.NoIndex | llmtest.OneChunk, want("a", "b")},
		{"index 0 for all", llmtest.ZeroIndex | llmtest.OneChunk, want("a", "b")},
		{"index 0 for all, in pieces", llmtest.ZeroIndex, want("a", "b")},
		{"index 0 for all, no ids", llmtest.ZeroIndex | llmtest.NoID, want("call_1", "call_2")},
		{"no ids", llmtest.NoID, want("call_1", "call_2")},
		{"neither", llmtest.NoIndex | llmtest.NoID, want("call_1", "call_2")},
		{"neither, one chunk", llmtest.NoIndex | llmtest.NoID | llmtest.OneChunk, want("call_1", "call_2")},
		{"objects", llmtest.ObjectArguments, want("a", "b")},
		{"objects, neither", llmtest.ObjectArguments | llmtest.NoIndex | llmtest.NoID, want("call_1", "call_2")},
		{"no stream, objects", llmtest.Whole | llmtest.ObjectArguments, want("a", "b")},
		{"no stream, no ids", llmtest.Whole | llmtest.NoID, want("call_1", "call_2")},
		{"no end", llmtest.NoDone, want("a", "b")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := sides()[0].serve(t, llmtest.Steps(llmtest.Answer{Calls: two, Quirks: tt.quirks, In: 1, Out: 2}))
			a := hello()
			a.Tools = []Tool{tool("read_file")}
			got, err := m.Ask(t.Context(), a)
			if err != nil {
				t.Fatalf("Ask: %v", err)
			}
			tt.want.Usage = Usage{In: 1, Out: 2}
			if diff := cmp.Diff(&tt.want, got, compareReplies()); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	const said = "Only this, please."
	for name, answer := range map[string]llmtest.Answer{
		"a list of parts":   {Text: said, Quirks: llmtest.PartsContent},
		"a second answer":   {Text: said, Quirks: llmtest.OtherChoice},
		"thinking before":   {Text: said, Thinking: "The user wants this."},
		"thinking, at once": {Text: said, Thinking: "The user wants this.", Quirks: llmtest.Whole},
	} {
		m, _ := sides()[0].serve(t, llmtest.Steps(answer))
		if got, err := m.Ask(t.Context(), hello()); err != nil || got.Text != said {
			t.Errorf("%s: Ask = %+v, %v; want the text %q", name, got, err, said)
		}
	}
}

// TestNoUsage: usage that a provider does not report is estimated, never 0.
func TestNoUsage(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		m, _ := s.serve(t, llmtest.Steps(llmtest.Answer{Text: strings.Repeat("word ", 60), Quirks: llmtest.NoUsage}))
		got, err := m.Ask(t.Context(), hello())
		if err != nil || !got.Usage.Estimated || got.Usage.In < 5 || got.Usage.Out < 60 || got.Usage.Cost != nil {
			t.Errorf("Ask = %+v, %v; want an estimate of tokens, and no cost", got, err)
		}
	})
}

func TestConversation(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		var last []*llmtest.Request
		m, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			last = append(last, r)
			if r.N == 1 {
				return llmtest.Answer{Thinking: "Two at once.", Calls: []llmtest.Call{
					{ID: "c1", Name: "read_file", Arguments: `{"path":"a"}`}, {ID: "c2", Name: "read_file", Arguments: `{"pa`},
					{ID: "c3", Name: "made up", Arguments: `{}`},
				}}
			}
			return llmtest.Say("Done.")
		})
		a := hello()
		a.Tools = []Tool{tool("read_file")}
		first, err := m.Ask(t.Context(), a)
		if err != nil {
			t.Fatalf("the first ask: %v", err)
		}
		a.Turns = append(a.Turns, first.Turn(), Turn{Role: User, Text: "And now?", Results: []Result{
			{CallID: "c3", Text: "no such tool", IsError: true}, {CallID: "c1", Text: "content of a"}, {CallID: "c2"},
		}}, Turn{Role: User, Text: "Go on."})
		if _, err := m.Ask(t.Context(), a); err != nil {
			t.Fatalf("the second ask: %v", err)
		}
		messages := last[1].Messages
		wantCalls := []llmtest.Call{
			{ID: "c1", Name: "read_file", Arguments: `{"path":"a"}`}, {ID: "c2", Name: "read_file", Arguments: `{}`},
			{ID: "c3", Name: replacement("made up", -1, 0), Arguments: `{}`},
		}
		if diff := cmp.Diff(wantCalls, messages[1].Calls); diff != "" {
			t.Errorf("calls that were sent back (-want +got):\n%s", diff)
		}
		var results []string
		for _, message := range messages[2:] {
			for _, r := range message.Results {
				results = append(results, r.ID+"="+strings.TrimSuffix(r.Text, empty))
			}
		}
		if diff := cmp.Diff([]string{"c3=no such tool", "c1=content of a", "c2="}, results); diff != "" {
			t.Errorf("results that were sent (-want +got):\n%s", diff)
		}
		if got := messages[len(messages)-1].Text; got != "And now?\n\nGo on." {
			t.Errorf("last text %q, want both", got)
		}
		if s.provider == "anthropic" {
			if diff := cmp.Diff([]string{"c2lnbmF0dXJl", "cmVkYWN0ZWQ="}, messages[1].Thinking); diff != "" {
				t.Errorf("thinking that was sent back (-want +got):\n%s", diff)
			}
		}
	})
}
