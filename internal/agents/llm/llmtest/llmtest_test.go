package llmtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

const (
	chat     = "/v1/chat/completions"
	messages = "/v1/messages"
)

// post sends a request and returns the status and the body.
func post(t *testing.T, s *Server, path, body string) (int, string) {
	t.Helper()
	base := strings.TrimSuffix(s.URL, "/v1")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, b.String()
}

// TestRefuses: requests that the real servers reject are rejected in the same
// form.
func TestRefuses(t *testing.T) {
	const user = `{"role":"user","content":"x"}`
	const openAICall = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const claudeCall = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}`
	openAITool := func(name, schema string) string {
		return `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"` + name + `","parameters":` + schema + `}}]}`
	}
	claudeTool := func(name, schema string) string {
		return `{"model":"m","max_tokens":9,"messages":[` + user + `],"tools":[{"name":"` + name + `","input_schema":` + schema + `}]}`
	}
	said := func(list ...string) string { return `{"model":"m","messages":[` + strings.Join(list, ",") + `]}` }
	asked := func(list ...string) string {
		return `{"model":"m","max_tokens":9,"messages":[` + strings.Join(list, ",") + `]}`
	}
	tests := []struct{ path, body, want string }{
		{chat, `{"messages":[` + user + `]}`, "you must provide a model"},
		{chat, `{"model":"m","messages":[]}`, "there must be messages"},
		{chat, `{"model":"m","messages":[` + user + `],"top_k":1}`, "Unrecognized request argument"},
		{chat, `{"model":"m","messages":[` + user + `],"temperature":3}`, "between 0 and 2"},
		{chat, `{"model":"m","messages":[` + user + `],"max_tokens":1,"max_completion_tokens":1}`, "at the same time"},
		{chat, `{"model":"m","messages":[` + user + `],"stream_options":{"include_usage":true}}`, "only allowed when 'stream'"},
		{chat, openAITool("a b", `{"type":"object","properties":{}}`), "does not match pattern"},
		{chat, openAITool(strings.Repeat("x", 65), `{"type":"object","properties":{}}`), "does not match pattern"},
		{chat, openAITool("f", `{"type":"array"}`), `got 'type: \"array\"'`},
		{chat, openAITool("f", `{"type":"object"}`), "missing properties"},
		{chat, openAITool("f", `{"type":"object","properties":{},"oneOf":[]}`), "at the top level"},
		{chat, said(user, openAICall, user), "did not have response messages: a"},
		{chat, said(user, openAICall), "must be followed by tool messages"},
		{chat, said(user, `{"role":"tool","tool_call_id":"a","content":"x"}`), "must be a response to a preceding message"},
		{chat, said(user, openAICall, `{"role":"tool","tool_call_id":"b","content":"x"}`), "must be a response to a preceding message"},
		{chat, said(user, openAICall, `{"role":"tool","tool_call_id":"a"}`), "expected a string, got null"},
		{chat, said(`{"role":"alien","content":"x"}`), "Invalid value: 'alien'"},
		{chat, said(user, strings.Replace(openAICall, `"id":"a"`, `"id":"`+strings.Repeat("a", 41)+`"`, 1)), "maximum length 40"},
		{chat, said(user, strings.Replace(openAICall, `"{}"`, `"{"`, 1)), "not JSON"},
		{messages, `{"model":"m","messages":[` + user + `]}`, "max_tokens: Field required"},
		{messages, `{"max_tokens":9,"messages":[` + user + `]}`, "model: Field required"},
		{messages, `{"model":"m","max_tokens":9,"seed":1,"messages":[` + user + `]}`, "Extra inputs are not permitted"},
		{messages, `{"model":"m","max_tokens":9,"temperature":1.5,"messages":[` + user + `]}`, "temperature: range"},
		{messages, asked(user, user), "roles must alternate"},
		{messages, asked(claudeCall), "roles must alternate"},
		{messages, asked(user, `{"role":"assistant","content":"x"}`), "end with a user message"},
		{messages, asked(`{"role":"user","content":[]}`), "non-empty content"},
		{messages, asked(`{"role":"user","content":" "}`), "non-whitespace"},
		{messages, asked(user, claudeCall, user), "without `tool_result` blocks immediately after: a"},
		{messages, asked(user, claudeCall, `{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a"}]}`), "unexpected `tool_use_id`"},
		{messages, asked(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}`), "unexpected `tool_use_id`"},
		{messages, asked(user, strings.Replace(claudeCall, `"a"`, `"a b"`, 1), user), "must be unique"},
		{messages, asked(`{"role":"user","content":[{"type":"odd"}]}`), "Input tag 'odd'"},
		{messages, claudeTool("a.b", `{"type":"object"}`), "String should match pattern"},
		{messages, claudeTool("f", `{"type":"string"}`), "tools.0.custom.input_schema"},
		{responsesPath, `{"model":"m","input":[{"role":"user","content":"x"},{"type":"function_call_output","call_id":"a","output":"x"}]}`, "no tool call found"},
		{responsesPath, `{"model":"m","input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]}`, "No tool output found"},
		{responsesPath, `{"model":"m","seed":1,"input":[]}`, "Unknown parameter"},
	}
	for _, tt := range tests {
		start := OpenAI
		if tt.path == messages {
			start = Anthropic
		}
		s := start(t, Steps(Say("x")))
		status, body := post(t, s, tt.path, tt.body)
		var said struct {
			Type  string
			Error struct{ Type, Message string }
		}
		if err := json.Unmarshal([]byte(body), &said); err != nil || status != http.StatusBadRequest || said.Error.Type != "invalid_request_error" ||
			!strings.Contains(body, tt.want) && !strings.Contains(said.Error.Message, tt.want) || (said.Type == "error") != (tt.path == messages) {
			t.Errorf("%s\n= %d %s\nwant 400 with %q", tt.body, status, body, tt.want)
		}
		if n := len(s.Requests()); n > 0 || len(s.Refused()) != 1 {
			t.Errorf("%d requests reached the script, %q were refused", n, s.Refused())
		}
	}
}

// TestWhole: a client that does not ask for a stream gets none.
func TestWhole(t *testing.T) {
	answer := Answer{Text: "Hi", Calls: []Call{{Name: "f", Arguments: `{"a":1}`}}}
	tests := []struct {
		path, body string
		start      func(testing.TB, Script) *Server
		want       []string
	}{
		{chat, `{"model":"m","messages":[{"role":"user","content":"x"}]}`, OpenAI, []string{`"content":"Hi"`, `"arguments":"{\"a\":1}"`, `"finish_reason":"tool_calls"`, `"chat.completion"`}},
		{messages, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}]}`, Anthropic, []string{`"text":"Hi"`, `"input":{"a":1}`, `"stop_reason":"tool_use"`, `"type":"message"`}},
		{responsesPath, `{"model":"m","input":[{"role":"user","content":"x"}]}`, OpenAI, []string{`"text":"Hi"`, `"arguments":"{\"a\":1}"`, `"status":"completed"`, `"object":"response"`}},
	}
	for _, tt := range tests {
		status, body := post(t, tt.start(t, Steps(answer)), tt.path, tt.body)
		for _, want := range tt.want {
			if status != http.StatusOK || !strings.Contains(body, want) {
				t.Errorf("%s = %d %s\nwant %s in it", tt.path, status, body, want)
			}
		}
	}
}

// TestStreams: the events are those of the real servers, in their order.
func TestStreams(t *testing.T) {
	answer := Answer{Text: "Hello", Thinking: "hm", Calls: []Call{{ID: "a", Name: "f", Arguments: `{}`}}}
	tests := []struct {
		path, body string
		start      func(testing.TB, Script) *Server
		want       []string
	}{
		{chat, `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`, OpenAI, []string{
			`"role":"assistant"`, `"reasoning_content":"hm"`, `"content":"Hello"`, `"arguments":"","name":"f"`, `"arguments":"{}"`, `"finish_reason":"tool_calls"`, `"choices":[],`, "data: [DONE]",
		}},
		{messages, `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]}`, Anthropic, []string{
			"event: message_start", `"type":"thinking"`, "event: ping", "thinking_delta", "signature_delta", "redacted_thinking", "text_delta", "content_block_stop", "input_json_delta", "event: message_delta", "event: message_stop",
		}},
		{responsesPath, `{"model":"m","stream":true,"input":[{"role":"user","content":"x"}]}`, OpenAI, []string{
			"event: response.created", "response.in_progress", "encrypted_content", "response.output_text.delta", "response.function_call_arguments.delta", "response.output_item.done", "event: response.completed",
		}},
	}
	for _, tt := range tests {
		_, body := post(t, tt.start(t, Steps(answer)), tt.path, tt.body)
		rest := body
		for _, want := range tt.want {
			i := strings.Index(rest, want)
			if i < 0 {
				t.Errorf("%s: %s is missing, or too early, in\n%s", tt.path, want, body)
				break
			}
			rest = rest[i:]
		}
	}
}

func TestKey(t *testing.T) {
	s := OpenAI(t, Steps(Say("x")))
	s.handler.Key = "secret"
	if status, body := post(t, s, chat, `{}`); status != http.StatusUnauthorized || !strings.Contains(body, "invalid_api_key") {
		t.Errorf("without the key: %d %s, want 401", status, body)
	}
	if status, body := post(t, OpenAI(t, nil), "/v1/nothing", `{}`); status != http.StatusNotFound {
		t.Errorf("another path: %d %s, want 404", status, body)
	}
}
