package services

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

func streamOf(t *testing.T, target, body string) *Answer {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	s := New(&Options{Seed: 1, Now: func() time.Time { return time.Unix(1700000000, 0) }})
	return s.Reply(&Request{
		Method: "POST", Scheme: u.Scheme, Host: u.Host, Target: u.RequestURI(), Path: u.Path, Query: u.Query(), TLS: true, Kept: []byte(body),
		Fields: []Field{{"Content-Type", "application/json"}},
	})
}

// Each kind of stream says the same, and how it ends.
func TestStreams(t *testing.T) {
	for _, tt := range []struct{ target, body, first, last, text string }{
		{"https://api.openai.com/v1/chat/completions", `{"stream":true,"messages":[]}`, "", "[DONE]", "choices.delta.content"},
		{"https://api.openai.com/v1/completions", `{"stream": true,"prompt":"x"}`, "", "[DONE]", "choices.text"},
		{"https://api.anthropic.com/v1/messages", `{"stream":true,"messages":[]}`, "message_start", "message_stop", "delta.text"},
		{"https://api.openai.com/v1/responses", `{"stream":true,"input":"x"}`, "response.created", "response.completed", "delta"},
		{"https://api.perplexity.ai/v1/agent", `{"preset":"fast","input":[{"type":"message"}],"stream":true}`, "response.created", "response.completed", "delta"},
		{"https://generativelanguage.googleapis.com/v1beta/models/gemini-pro:streamGenerateContent?alt=sse", `{"contents":[]}`, "", "", "candidates.content.parts.text"},
	} {
		a := streamOf(t, tt.target, tt.body)
		if !strings.HasPrefix(a.Kind(), "text/event-stream") {
			t.Errorf("%s: %s", tt.target, a.Kind())
			continue
		}
		said, events, last := "", []string{}, ""
		for lines := bufio.NewScanner(bytes.NewReader(a.Body)); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				events = append(events, name)
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				last = data
				var v any
				if data != "[DONE]" && json.Unmarshal([]byte(data), &v) != nil {
					t.Errorf("%s: no JSON: %s", tt.target, data)
				}
				said += textAt(v, strings.Split(tt.text, "."))
			}
		}
		if said != saying {
			t.Errorf("%s says %q", tt.target, said)
		}
		if len(events) > 0 && (events[0] != tt.first || events[len(events)-1] != tt.last) || len(events) == 0 && tt.last != "" && last != tt.last {
			t.Errorf("%s: %v, then %s", tt.target, events, last)
		}
		if tt.last == "response.completed" && (!strings.Contains(last, `"status":"completed"`) || !strings.Contains(last, saying)) {
			t.Errorf("%s ends with %s", tt.target, last)
		}
		if again := streamOf(t, tt.target, tt.body); !bytes.Equal(a.Body, again.Body) {
			t.Errorf("%s: another answer to the same request", tt.target)
		}
	}
	if a := streamOf(t, "https://generativelanguage.googleapis.com/v1beta/models/gemini-pro:streamGenerateContent", `{}`); !strings.HasPrefix(string(a.Body), "[{") {
		t.Errorf("no list: %s", a.Body)
	}
	if a := streamOf(t, "https://api.openai.com/v1/chat/completions", `{"stream":true,"stream_options":{"include_usage":true}}`); !strings.Contains(string(a.Body), `"choices":[],`) {
		t.Error("no usage")
	}
}

// textAt is the text at a path, through the first elements of lists.
func textAt(v any, path []string) string {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	if len(path) == 0 {
		s, _ := v.(string)
		return s
	}
	o, _ := v.(map[string]any)
	return textAt(o[path[0]], path[1:])
}

// A client that says which content type it expects gets that one.
func TestLearnedMedia(t *testing.T) {
	for _, kind := range []string{"multipart/form-data", "text/csv", "application/pdf", "text/event-stream", "application/x-ndjson"} {
		expected := shape.New()
		s := New(&Options{Seed: 1, Now: func() time.Time { return time.Unix(1700000000, 0) }, Expected: expected})
		ask := func() *Answer {
			return s.Reply(&Request{
				Method: "GET", Scheme: "https", Host: "api.own.example", Target: "/v1/export", Path: "/v1/export", TLS: true,
				Fields: []Field{{"Accept", "application/json"}},
			})
		}
		expected.Begin()
		if a := ask(); !strings.Contains(a.Kind(), "json") {
			t.Fatal(a.Kind())
		}
		if !expected.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: kind, Output: true}}) {
			t.Errorf("%s: nothing is learned", kind)
		}
		if a := ask(); !strings.HasPrefix(a.Kind(), kind) || len(a.Body) == 0 {
			t.Errorf("%s: %s, %d bytes", kind, a.Kind(), len(a.Body))
		}
	}
}
