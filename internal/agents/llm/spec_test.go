package llm

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want Spec
	}{
		{"anthropic/claude-sonnet-5-5", Spec{"anthropic", "claude-sonnet-5-5", ""}},
		{"openai/gpt-5.4-mini", Spec{"openai", "gpt-5.4-mini", ""}},
		{"openai/ft:gpt-4o:acme::x1", Spec{"openai", "ft:gpt-4o:acme::x1", ""}},
		{"groq/openai/gpt-oss-120b", Spec{"groq", "openai/gpt-oss-120b", ""}},
		{"ollama/llama3.2:3b", Spec{"ollama", "llama3.2:3b", ""}},
		{"ollama", Spec{"ollama", "", ""}},
		{"local", Spec{"local", "", ""}},
		{"local/", Spec{"local", "", ""}},
		{"local/qwen3:8b", Spec{"local", "qwen3:8b", ""}},
		{"local@http://localhost:1234", Spec{"local", "", "http://localhost:1234/v1"}},
		{"vllm/Qwen/Qwen3-8B@http://10.0.0.5:8000/v1/", Spec{"vllm", "Qwen/Qwen3-8B", "http://10.0.0.5:8000/v1"}},
		{"litellm/claude@2", Spec{"litellm", "claude@2", ""}},
		{"openai/a@b@https://llm.example/api/v3/chat/completions", Spec{"openai", "a@b", "https://llm.example/api/v3"}},
		{"openai/m@https://LLM.example:8443", Spec{"openai", "m", "https://LLM.example:8443/v1"}},
		{"anthropic/m@https://llm.example/v1/messages", Spec{"anthropic", "m", "https://llm.example"}},
		{"anthropic/m@https://llm.example/proxy/v1", Spec{"anthropic", "m", "https://llm.example/proxy"}},
		{"openai/m@http://[2001:db8::1]:80/v1", Spec{"openai", "m", "http://[2001:db8::1]:80/v1"}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", tt.in, got, err, tt.want)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("Parse(%q) again = %+v, %v; want the same", got.String(), again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "names no provider"},
		{"gpt-4o", "names no provider of models; say PROVIDER/MODEL, with one of anthropic, openai, groq, litellm, vllm, ollama, local"},
		{"gemini/pro", "names no provider"},
		{"openai", "say openai/MODEL"},
		{"openai/", "say openai/MODEL"},
		{"openai/@https://llm.example", "say openai/MODEL"},
		{"openai/a b", "names no model"},
		{"openai/a\x1b[31m", `names no model`},
		{"openai/ä", "names no model"},
		{"openai/" + strings.Repeat("x", 2000), "names no model"},
		{"openai/m@https://", "is no address"},
		{"openai/m@https://user:secret@llm.example", `the model at "llm.example" has a password`},
		{"openai/m@https://llm.example/v1?key=secret", `the model at "llm.example" has a ?`},
		{"openai/m@https://llm.example/#x", "has a ? or #"},
		{"openai/m@http://llm.example:port/", "is no address"},
		{"openai/m@http://%80.example/", "is no address"},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n\x1b") || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("Parse(%.60q) = %+v, %v; want one line with %q", tt.in, got, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%q) tells the secret: %v", tt.in, err)
		}
	}
}

func TestResolve(t *testing.T) {
	keys := map[string]string{
		"ANTHROPIC_API_KEY": "sk-ant", "OPENAI_API_KEY": "sk-oai", "GROQ_API_KEY": "gsk", "OLLAMA_API_KEY": "ol", "LITELLM_API_KEY": "ll",
	}
	with := func(more ...string) map[string]string {
		all := maps.Clone(keys)
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	tests := []struct {
		name, spec string
		opts       Options
		env        map[string]string
		base, key  string
		own        bool
	}{
		{"anthropic", "anthropic/m", Options{}, keys, "https://api.anthropic.com", "sk-ant", true},
		{"openai", "openai/m", Options{}, keys, "https://api.openai.com/v1", "sk-oai", true},
		{"groq", "groq/m", Options{}, keys, "https://api.groq.com/openai/v1", "gsk", true},
		{"a key that was given", "openai/m", Options{Key: " given\n"}, keys, "https://api.openai.com/v1", "given", true},
		{"a key for anything", "openai/m", Options{}, with("MCPSF_LLM_KEY", "any"), "https://api.openai.com/v1", "any", true},
		{"the provider's address", "openai/m", Options{}, with("OPENAI_BASE_URL", "https://proxy.example/v1"), "https://proxy.example/v1", "sk-oai", false},
		{"anthropic's address", "anthropic/m", Options{}, with("ANTHROPIC_BASE_URL", "https://proxy.example/v1"), "https://proxy.example", "sk-ant", false},
		{"the key stays at home", "openai/m@https://llm.example/v1", Options{}, keys, "https://llm.example/v1", "", false},
		{"the key stays at home, by flag", "openai/m", Options{BaseURL: "https://llm.example/v1"}, keys, "https://llm.example/v1", "", false},
		{"the key goes along if given", "openai/m@https://llm.example/v1", Options{Key: "given"}, keys, "https://llm.example/v1", "given", false},
		{"the flag before the variable", "openai/m", Options{BaseURL: "https://llm.example"}, with("OPENAI_BASE_URL", "https://other.example"), "https://llm.example/v1", "", false},
		{"both the same", "openai/m@https://llm.example", Options{BaseURL: "https://llm.example/v1"}, nil, "https://llm.example/v1", "", false},
		{"home by name", "openai/m@https://api.openai.com/v1", Options{}, keys, "https://api.openai.com/v1", "sk-oai", true},
		{"litellm", "litellm/m", Options{}, keys, "http://127.0.0.1:4000/v1", "ll", true},
		{"litellm elsewhere", "litellm/m", Options{}, with("LITELLM_BASE_URL", "http://litellm:4000"), "http://litellm:4000/v1", "ll", false},
		{"vllm", "vllm", Options{}, keys, "http://127.0.0.1:8000/v1", "", true},
		{"ollama", "ollama/m", Options{}, nil, "http://127.0.0.1:11434/v1", "", true},
		{"ollama elsewhere", "ollama/m", Options{}, map[string]string{"OLLAMA_HOST": "gpu.lan"}, "http://gpu.lan:11434/v1", "", false},
		{"local", "local", Options{}, keys, "http://127.0.0.1:11434/v1", "", true},
		{"local, another port", "local", Options{}, map[string]string{"OLLAMA_HOST": "127.0.0.1:9999"}, "http://127.0.0.1:9999/v1", "", false},
		{"local stays here", "local", Options{}, map[string]string{"OLLAMA_HOST": "gpu.lan"}, "http://127.0.0.1:11434/v1", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.spec)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := providerOf(s.Provider)
			tt.opts.Getenv = func(name string) string { return tt.env[name] }
			got, err := resolve(p, s, &tt.opts)
			if err != nil || got.base != tt.base || got.key != tt.key || got.own != tt.own {
				t.Errorf("resolve = %+v, %v; want %q with key %q, own %v", got, err, tt.base, tt.key, tt.own)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	tests := []struct {
		spec string
		opts Options
		env  map[string]string
		want string
	}{
		{"anthropic/m", Options{}, nil, "anthropic/m needs a key; set ANTHROPIC_API_KEY or give --api-key"},
		{"openai/m", Options{}, nil, "openai/m needs a key; set OPENAI_API_KEY or give --api-key"},
		{"groq/m", Options{}, nil, "groq/m needs a key; set GROQ_API_KEY or give --api-key"},
		{"openai/m", Options{Key: "two words"}, nil, "the key in --api-key has characters that no key has"},
		{"openai/m", Options{}, map[string]string{"OPENAI_API_KEY": "naïve"}, "the key in OPENAI_API_KEY has characters"},
		{"openai/m@http://llm.example/v1", Options{Key: "k"}, nil, "unencrypted"},
		{"openai/m@http://203.0.113.9/v1", Options{Key: "k"}, nil, "unencrypted"},
		{"openai/m", Options{BaseURL: "llm.example"}, nil, "is no address"},
		{"openai/m@https://a.example", Options{BaseURL: "https://b.example"}, nil, "two addresses"},
		{"openai/m", Options{}, map[string]string{"OPENAI_BASE_URL": "nonsense"}, "is no address"},
		{"local@http://gpu.lan:11434", Options{}, nil, "gpu.lan:11434 is not on this machine"},
		{"local", Options{BaseURL: "https://llm.example"}, nil, "is not on this machine"},
		{"ollama", Options{}, map[string]string{"OLLAMA_HOST": "a b"}, "is no address"},
	}
	for _, tt := range tests {
		s, err := Parse(tt.spec)
		if err != nil {
			t.Fatal(err)
		}
		tt.opts.Getenv = func(name string) string { return tt.env[name] }
		m, err := New(s, &tt.opts)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
			t.Errorf("New(%s) = %v, %v; want one line with %q", tt.spec, m, err, tt.want)
		}
	}
}

func TestOllamaAddress(t *testing.T) {
	for in, want := range map[string]string{
		"gpu":                     "http://gpu:11434/",
		"gpu:1":                   "http://gpu:1/",
		":1":                      "http://127.0.0.1:1/",
		"0.0.0.0":                 "http://127.0.0.1:11434/",
		"0.0.0.0:1":               "http://127.0.0.1:1/",
		"[::]:1":                  "http://127.0.0.1:1/",
		"[2001:db8::1]":           "http://[2001:db8::1]:11434/",
		"http://gpu":              "http://gpu:80/",
		"https://gpu.example":     "https://gpu.example:443/",
		"https://gpu.example/x":   "https://gpu.example:443/x/v1",
		"https://gpu.example/v1/": "https://gpu.example:443/v1",
	} {
		if got := ollamaAddress(in); got != want {
			t.Errorf("ollamaAddress(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "local", "openai/gpt-4o", "ollama/llama3:8b@http://[::1]:1/", "anthropic/m@https://a.example/v1/messages",
		"openai/a@http://b@https://c.example/%2f", "openai/0@http://0/@0", "openai/m@https://a.example//v1//", "vllm@http://a.example/v1/chat/completions/chat/completions",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Parse(in)
		if err != nil {
			if len(err.Error()) > 2000 || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("Parse(%q): %v; want one line", in, err)
			}
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.Provider != s.Provider || again.Model != s.Model {
			t.Errorf("Parse(%q) = %+v, whose name %q is read as %+v, %v", in, s, s.String(), again, err)
		}
		if u, err := url.Parse(s.URL); err != nil || u.User != nil || u.RawQuery != "" || s.URL != "" && u.Host == "" {
			t.Errorf("Parse(%q) = %+v, whose address is not one of a host alone: %v", in, s, err)
		}
	})
}
