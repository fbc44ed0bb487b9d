package llm

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// TestEnvironment: with an empty environment passed in, that of the process has
// no effect.
func TestEnvironment(t *testing.T) {
	elsewhere := llmtest.OpenAI(t, llmtest.Steps(llmtest.Say("not here")))
	for name, value := range map[string]string{
		"ANTHROPIC_API_KEY": "sk-ant-of-the-user", "ANTHROPIC_AUTH_TOKEN": "token-of-the-user", "ANTHROPIC_BASE_URL": elsewhere.URL,
		"ANTHROPIC_PROFILE": "profile-of-the-user", "ANTHROPIC_CUSTOM_HEADERS": "X-Custom: of-the-user", "ANTHROPIC_OPEN_TELEMETRY": "true",
		"OPENAI_API_KEY": "sk-of-the-user", "OPENAI_BASE_URL": elsewhere.URL, "OPENAI_ORG_ID": "org-of-the-user",
		"HTTP_PROXY": elsewhere.URL, "http_proxy": elsewhere.URL, "ALL_PROXY": elsewhere.URL, "NO_PROXY": "",
		"MCPSF_LLM_KEY": "key-of-the-user",
	} {
		t.Setenv(name, value)
	}
	each(t, func(t *testing.T, s side) {
		for _, key := range []string{"", testKey} {
			m, server := s.serve(t, llmtest.Steps(llmtest.Say("here")), func(o *Options) { o.Key = key })
			if reply, err := m.Ask(t.Context(), hello()); err != nil || reply.Text != "here" {
				t.Fatalf("Ask = %+v, %v; want an answer of the server that was named", reply, err)
			}
			for name, values := range server.Requests()[0].Header {
				value := strings.Join(values, " ")
				if strings.Contains(value, "of-the-user") {
					t.Errorf("header %s: %s is of the environment", name, value)
				}
				if strings.HasPrefix(name, "X-Stainless") || strings.Contains(strings.ToLower(value), "linux") {
					t.Errorf("header %s: %s tells of this machine", name, value)
				}
				if name == "Authorization" || name == "X-Api-Key" {
					if key == "" || !strings.HasSuffix(value, key) {
						t.Errorf("header %s: %s, want the key %q", name, value, key)
					}
				}
			}
		}
	})
	if n := len(elsewhere.Requests()) + len(elsewhere.Refused()); n > 0 {
		t.Errorf("%d requests went where the environment points", n)
	}
}

// TestKeyStays: neither key nor prompt follows a redirect.
func TestKeyStays(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		thief := s.start(t, llmtest.Steps(llmtest.Say("thanks")))
		m, _ := s.serve(t, llmtest.Steps(llmtest.Redirect(thief.URL+"/v1/chat/completions")))
		if e := failed(t, nil, second(m.Ask(t.Context(), hello()))); e.Kind != KindRefused {
			t.Errorf("kind %q, want %q: %v", e.Kind, KindRefused, e)
		}
		if n := len(thief.Requests()) + len(thief.Refused()); n > 0 {
			t.Errorf("%d requests followed the redirect", n)
		}
	})
}

// TestKeyEchoed: if a server repeats the key, it is in no message, reply or
// record.
func TestKeyEchoed(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		var record strings.Builder
		m, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			if r.N == 1 {
				return llmtest.Status(401, "Incorrect API key provided: "+testKey)
			}
			return llmtest.Answer{Text: "Your key is " + testKey, Calls: []llmtest.Call{{Name: "x", Arguments: `{"key":"` + testKey + `"}`}}}
		})
		m = Record(m, &record, nil)
		e := failed(t, nil, second(m.Ask(t.Context(), hello())))
		if e.Kind != KindKey || !strings.Contains(e.Message, "[key]") || !strings.Contains(e.Message, "--api-key") {
			t.Errorf("error %v of kind %q, want %q, with [key] for the key, and what to do", e, e.Kind, KindKey)
		}
		reply, err := m.Ask(t.Context(), hello())
		if err != nil || reply.Text != "Your key is [key]" || string(reply.Calls[0].Arguments) != `{"key":"[key]"}` {
			t.Errorf("Ask = %+v, %v; want [key] for the key", reply, err)
		}
		if strings.Contains(record.String(), testKey) {
			t.Errorf("the key is in the record:\n%s", record.String())
		}
	})
}

// TestQuiet: making a model sends nothing.
func TestQuiet(t *testing.T) {
	sent := 0
	for _, name := range Providers() {
		s := Spec{Provider: name, Model: "m"}
		m, err := New(s, &Options{Key: testKey, HTTP: &http.Client{Transport: counting(func() { sent++ })}})
		if err != nil {
			t.Fatal(err)
		}
		WithBudget(Record(m, io.Discard, nil), &Budget{Tokens: 5})
	}
	if sent > 0 {
		t.Errorf("%d requests, want none before the first ask", sent)
	}
}

type counting func()

func (c counting) RoundTrip(*http.Request) (*http.Response, error) {
	c()
	return nil, errors.New("not today")
}

// TestUnnamed: without a name, the server's first chat model is used.
func TestUnnamed(t *testing.T) {
	server := llmtest.OpenAI(t, llmtest.Steps(llmtest.Say("x")))
	m, err := New(Spec{Provider: "local"}, &Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if reply, err := m.Ask(t.Context(), hello()); err != nil || !strings.HasPrefix(reply.Model, "test-model") {
			t.Errorf("Ask = %+v, %v; want an answer of test-model", reply, err)
		}
	}
	if m.Name() != "local" {
		t.Errorf("Name() = %q, want what the user said", m.Name())
	}
}
