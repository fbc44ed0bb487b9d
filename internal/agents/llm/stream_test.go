package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// canned answers every request with the same bytes.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
		Body: io.NopCloser(bytes.NewReader(c)),
	}, nil
}

// FuzzStream: whatever a provider sends, there is a reply or an error, and the
// reply can be recorded.
func FuzzStream(f *testing.F) {
	for _, s := range []string{
		"", "{}", "data: [DONE]\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"x\",\"arguments\":\"{\"}},{\"function\":{\"arguments\":{}}}]}}]}\n\n",
		"data: {\"error\":{\"message\":\"no\",\"type\":\"rate_limit_error\"}}\n\n", `{"choices":[{"message":{"content":[{"text":"x"}]},"finish_reason":"length"}],"usage":{"prompt_tokens":-5}}`,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":3}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"x\",\"input\":{}}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\"\"}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
		"data: {\"type\":\"content_block_delta\",\"index\":-1,\"delta\":{\"type\":\"text_delta\",\"text\":7}}\n\n",
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":[]}\n\nevent: message_stop\ndata: {\n\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range sides() {
			m, err := New(Spec{Provider: s.provider, Model: "m"}, &Options{
				BaseURL: "http://127.0.0.1:1", Retries: -1, HTTP: &http.Client{Transport: canned(data)},
			})
			if err != nil {
				t.Fatal(err)
			}
			reply, err := m.Ask(t.Context(), hello())
			if (reply == nil) == (err == nil) || err != nil && asError(err) == nil {
				t.Fatalf("%s: Ask = %+v, %v; want a reply or an *Error", s.provider, reply, err)
			}
			if reply == nil {
				continue
			}
			if _, err := json.Marshal(reply); err != nil {
				t.Errorf("%s: a reply that cannot be written: %v", s.provider, err)
			}
			next := Turn{Role: User, Text: "x"}
			for _, c := range reply.Calls {
				next.Results = append(next.Results, Result{CallID: c.ID})
			}
			a := hello()
			a.Turns = append(a.Turns, reply.Turn(), next)
			if err := check(a); err != nil {
				t.Errorf("%s: a reply that cannot be answered: %v", s.provider, err)
			}
		}
	})
}
