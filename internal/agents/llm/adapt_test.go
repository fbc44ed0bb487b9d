package llm

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// refusing answers like a server that rejects some parameters.
func refusing(messages map[string]string) llmtest.Script {
	return func(r *llmtest.Request) llmtest.Answer {
		for _, param := range []string{"max_tokens", "max_completion_tokens", "temperature", "seed", "stream_options"} {
			if message := messages[param]; message != "" && r.Has(param) {
				return llmtest.Unsupported(param, message)
			}
		}
		return llmtest.Say("Now I understand.")
	}
}

func full() *Ask {
	temperature := 0.5
	a := hello()
	a.Seed, a.Temperature, a.MaxTokens = 7, &temperature, 1000
	a.Tools = []Tool{tool("read_file")}
	return a
}

func TestAdapts(t *testing.T) {
	tests := []struct {
		name, provider string
		refused        map[string]string
		requests       int
		without        []string
	}{
		{"nothing", "openai", nil, 1, nil},
		{"seed", "openai", map[string]string{"seed": "Unsupported parameter: 'seed' is not supported with this model."}, 2, []string{"seed"}},
		{"temperature", "openai", map[string]string{"temperature": "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported."}, 2, []string{"temperature"}},
		{"the old limit", "openai", map[string]string{"max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}, 2, nil},
		{"both limits", "openai", map[string]string{"max_tokens": "max_tokens: unknown", "max_completion_tokens": "max_completion_tokens: unknown"}, 3, []string{"max_tokens"}},
		{"usage", "openai", map[string]string{"stream_options": "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options')}]"}, 2, nil},
		{"all", "openai", map[string]string{"seed": "seed?", "temperature": "temperature?", "stream_options": "stream_options?"}, 4, []string{"seed", "temperature"}},
		{"temperature", "anthropic", map[string]string{"temperature": "`temperature` is deprecated for this model."}, 2, []string{"seed", "temperature"}},
	}
	for _, tt := range tests {
		t.Run(tt.provider+" "+tt.name, func(t *testing.T) {
			i := slices.IndexFunc(sides(), func(s side) bool { return s.provider == tt.provider })
			m, server := sides()[i].serve(t, refusing(tt.refused))
			for again, want := range []int{tt.requests, tt.requests + 1} {
				reply, err := m.Ask(t.Context(), full())
				if err != nil {
					t.Fatalf("Ask: %v", err)
				}
				if diff := cmp.Diff(tt.without, reply.Without); diff != "" {
					t.Errorf("left out (-want +got):\n%s", diff)
				}
				if got := len(server.Requests()); got != want {
					t.Errorf("ask %d: %d requests, want %d: what is refused is sent once", again+1, got, want)
				}
			}
		})
	}
}

// TestAdaptsSchemas: if a provider rejects a schema, the tools are sent with
// simplified schemas.
func TestAdaptsSchemas(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		complaint := map[string]string{
			"openai":    "Invalid schema for function 'read_file': In context=('properties', 'path'), 'uri' is not a valid format.",
			"anthropic": "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
		}[s.provider]
		m, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			if strings.Contains(string(r.Tools[0].Schema), "format") {
				return llmtest.Status(http.StatusBadRequest, complaint)
			}
			return llmtest.Say(string(r.Tools[0].Schema))
		})
		a := hello()
		a.Tools = []Tool{{Name: "read_file", Schema: []byte(`{"type":"object","properties":{"path":{"type":"string","format":"uri"}}}`)}}
		reply, err := m.Ask(t.Context(), a)
		if err != nil || reply.Text != `{"type":"object","properties":{"path":{"type":"string"}}}` || !slices.Contains(reply.Without, "schemas") {
			t.Errorf("Ask = %+v, %v; want the tool with a plain schema", reply, err)
		}
	})
}

// TestAdaptsTools: a target with too many tools, or too long descriptions, does
// not keep the model from being asked.
func TestAdaptsTools(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		m, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			if n := len(r.Tools); n > 128 {
				return llmtest.Unsupported("tools", fmt.Sprintf("Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length %d instead.", n))
			}
			if n := len(r.Tools[0].Description); n > 1024 {
				return llmtest.Unsupported("tools[0].function.description", fmt.Sprintf("Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length %d instead.", n))
			}
			return llmtest.Say("x")
		})
		a := hello()
		for i := range 200 {
			a.Tools = append(a.Tools, tool(fmt.Sprintf("tool_%d", i)))
		}
		a.Tools[0].Description = strings.Repeat("日本語", 500)
		reply, err := m.Ask(t.Context(), a)
		if err != nil {
			t.Fatalf("Ask: %v", err)
		}
		if diff := cmp.Diff([]string{"descriptions", "tools"}, reply.Without); diff != "" {
			t.Errorf("left out (-want +got):\n%s", diff)
		}
	})
}

// TestAdaptsOnce: a server that rejects everything is not asked forever.
func TestAdaptsOnce(t *testing.T) {
	each(t, func(t *testing.T, s side) {
		m, server := s.serve(t, llmtest.Steps(llmtest.Status(400, "seed temperature max_tokens stream_options schema parameters reasoning_effort none input_schema")))
		e := failed(t, nil, second(m.Ask(t.Context(), full())))
		if n := len(server.Requests()); e.Kind != KindRefused || n > 9 {
			t.Errorf("%d requests, then %v of kind %q; want few, then %q", n, e, e.Kind, KindRefused)
		}
	})
}

func TestParameters(t *testing.T) {
	zero := 0.0
	a := hello()
	a.Seed, a.Temperature = 1<<40+5, &zero
	m, server := sides()[0].serve(t, llmtest.Steps(llmtest.Say("x")))
	if _, err := m.Ask(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	r := server.Requests()[0]
	if r.Seed == nil || *r.Seed != int64(foldSeed(1<<40+5)) || *r.Seed > 1<<31 {
		t.Errorf("seed %v, want one that fits 31 bits", r.Seed)
	}
	if r.Temperature == nil || *r.Temperature > 1e-30 {
		t.Errorf("temperature %v, want as good as 0", r.Temperature)
	}
	if r.MaxTokens != DefaultMaxTokens || r.System != "You are brief." || !r.Stream {
		t.Errorf("max_tokens %d, system %q, stream %v; want %d, the system's, a stream", r.MaxTokens, r.System, r.Stream, DefaultMaxTokens)
	}
	if foldSeed(5) != 5 || foldSeed(-1) < 0 {
		t.Errorf("foldSeed(5) = %d, foldSeed(-1) = %d; want 5, and nothing negative", foldSeed(5), foldSeed(-1))
	}
}

// TestThinkingModels: OpenAI's newer models accept tools only without thinking
// or through the Responses API, which other servers may lack.
func TestThinkingModels(t *testing.T) {
	server := llmtest.OpenAI(t, func(r *llmtest.Request) llmtest.Answer {
		if !strings.Contains(string(r.Body), `"reasoning_effort":"none"`) && len(r.Tools) > 0 && !strings.HasSuffix(r.Path, "/responses") {
			return llmtest.Unsupported("reasoning_effort", "Function tools with reasoning_effort are not supported for "+r.Model+
				" in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.")
		}
		return llmtest.Say("x")
	})
	for _, model := range []string{"gpt-5.6-terra", "gpt-6-sol"} {
		m, err := New(Spec{Provider: "openai", Model: model}, &Options{BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := m.Ask(t.Context(), full())
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		if diff := cmp.Diff([]string{"temperature", "thinking"}, reply.Without); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", model, diff)
		}
	}
	m, err := New(Spec{Provider: "openai", Model: "gpt-6-astra"}, &Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := m.Ask(t.Context(), full()); err != nil || !slices.Equal(reply.Without, []string{"seed", "temperature"}) {
		t.Errorf("gpt-6-astra, which always thinks: %+v, %v; want an answer by the other interface", reply, err)
	}
	for _, r := range server.Requests() {
		if r.Has("max_tokens") || r.Has("temperature") {
			t.Errorf("%s was sent max_tokens or temperature: %s", r.Model, r.Body)
		}
	}
}
