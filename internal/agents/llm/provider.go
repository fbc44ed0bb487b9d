package llm

// wire is an API over HTTP.
type wire int

const (
	wireOpenAI wire = iota
	wireAnthropic
)

// provider is a service that runs models.
type provider struct {
	name string
	wire wire
	base string // default base URL
	// variables that users also set for other programs
	keyVariable, urlVariable string
	needsKey                 bool // at base
	unnamed                  bool // its servers have few models, so the model need not be named
	here                     bool // runs only on this machine
}

func providers() []provider {
	return []provider{
		{
			name: "anthropic", wire: wireAnthropic, base: "https://api.anthropic.com", needsKey: true,
			keyVariable: "ANTHROPIC_API_KEY", urlVariable: "ANTHROPIC_BASE_URL",
		},
		{
			name: "openai", base: "https://api.openai.com/v1", needsKey: true,
			keyVariable: "OPENAI_API_KEY", urlVariable: "OPENAI_BASE_URL",
		},
		{name: "groq", base: "https://api.groq.com/openai/v1", needsKey: true, keyVariable: "GROQ_API_KEY"},
		{
			name: "litellm", base: "http://127.0.0.1:4000/v1",
			keyVariable: "LITELLM_API_KEY", urlVariable: "LITELLM_BASE_URL",
		},
		{
			name: "vllm", base: "http://127.0.0.1:8000/v1", unnamed: true,
			keyVariable: "VLLM_API_KEY", urlVariable: "VLLM_BASE_URL",
		},
		{name: "ollama", base: "http://127.0.0.1:11434/v1", unnamed: true, keyVariable: "OLLAMA_API_KEY", urlVariable: ollamaHost},
		{name: "local", base: "http://127.0.0.1:11434/v1", unnamed: true, here: true, urlVariable: ollamaHost},
	}
}

// ollamaHost is Ollama's own variable: a host, a port, both, or a URL.
const ollamaHost = "OLLAMA_HOST"

// Providers lists the names that [Parse] knows.
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

func providerOf(name string) (provider, bool) {
	for _, p := range providers() {
		if p.name == name {
			return p, true
		}
	}
	return provider{}, false
}
