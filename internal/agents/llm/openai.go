package llm

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"
)

// openAI speaks OpenAI's API, which most servers have.
type openAI struct {
	provider provider
	base     string
	model    string
	own      bool // OpenAI itself
	client   *openai.Client
	doer     *doer

	mu    sync.Mutex
	found string // the model, if the user named none
}

func newOpenAI(p provider, s Spec, e endpoint, d *doer) *openAI {
	d.reading = reading{last: openAILast, failed: openAIFailed, whole: openAIWhole}
	cfg := openai.DefaultConfig(e.key)
	cfg.BaseURL = e.base
	cfg.HTTPClient = d
	cfg.EmptyMessagesLimit = math.MaxInt32 // our events type bounds the stream instead
	return &openAI{
		provider: p, base: e.base, model: s.Model, own: p.name == "openai" && e.own,
		client: openai.NewClientWithConfig(cfg), doer: d,
	}
}

func (m *openAI) once(ctx context.Context, a *Ask, f fit) (*Reply, error) {
	model, err := m.name(ctx)
	if err != nil {
		return nil, err
	}
	t := newConversation(a)
	if f.responses {
		return m.respond(ctx, model, a, t, f)
	}
	request := m.request(model, a, t, f)
	stream, err := m.client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return nil, sdkRefusal(err)
	}
	defer stream.Close()
	s := &openAIStream{assembly: assembly{d: m.doer, conversation: t, asked: estimate(a)}}
	for err == nil {
		var chunk []byte
		if chunk, err = stream.RecvRaw(); err == nil {
			err = s.add(chunk)
		}
	}
	if err := s.ended(err); err != nil {
		return nil, s.failed(err)
	}
	reply := s.reply()
	if a.Temperature != nil && request.Temperature == 0 {
		reply.Without = append(reply.Without, "temperature")
	}
	return reply, nil
}

// sdkRefusal converts what the SDK itself rejects into the form of a server's
// rejection.
func sdkRefusal(err error) error {
	for _, own := range []error{openai.ErrReasoningToolsRequireResponses, openai.ErrReasoningEffortUnsupported} {
		if errors.Is(err, own) {
			e := failf(KindRefused, "%s", clean(err.Error()))
			e.param, e.said = "reasoning_effort", "set reasoning_effort to 'none' or use /v1/responses"
			return e
		}
	}
	if asError(err) == nil {
		return failf(KindRefused, "it cannot be asked: %s", clean(err.Error()))
	}
	return err
}

func (m *openAI) request(model string, a *Ask, t *conversation, f fit) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: model, Messages: openAIMessages(a.System, t)}
	for _, tool := range t.tools(f) {
		r.Tools = append(r.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: tool.name, Description: tool.description, Parameters: tool.schema,
		}})
	}
	limit := a.MaxTokens
	if limit <= 0 {
		limit = DefaultMaxTokens
	}
	switch {
	case f.noLimit:
	case m.newLimit(model) != f.otherLimit:
		r.MaxCompletionTokens = limit
	default:
		r.MaxTokens = limit //nolint:staticcheck // all that most servers know
	}
	if a.Seed != 0 && !f.noSeed {
		seed := foldSeed(a.Seed)
		r.Seed = &seed
	}
	if a.Temperature != nil && !f.noTemperature && !thinks(model) {
		// The SDK omits 0; the smallest number has the same effect.
		r.Temperature = max(float32(*a.Temperature), math.SmallestNonzeroFloat32)
	}
	if !f.noUsage {
		r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if f.noThinking && len(r.Tools) > 0 {
		r.ReasoningEffort = openai.ReasoningEffortNone
	}
	return r
}

// newLimit: OpenAI's newer models reject max_tokens; other servers may not know
// its successor.
func (m *openAI) newLimit(model string) bool {
	return m.own || m.provider.name == "groq" || thinks(model)
}

// thinks recognises the models to which the SDK sends no temperature and no
// max_tokens.
func thinks(model string) bool {
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(model, prefix) {
			return true
		}
	}
	return false
}

// foldSeed makes a seed that all servers accept: some only accept 31 bits.
func foldSeed(seed int64) int {
	return int((uint64(seed) ^ uint64(seed)>>31) & math.MaxInt32)
}

func openAIMessages(system string, t *conversation) []openai.ChatCompletionMessage {
	var messages []openai.ChatCompletionMessage
	if strings.TrimSpace(system) != "" {
		messages = append(messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: system})
	}
	for _, l := range t.lines {
		for _, r := range l.results {
			content := r.Text
			if content == "" {
				content = empty
			}
			messages = append(messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: r.CallID, Content: content})
		}
		if l.text == "" && len(l.calls) == 0 {
			continue
		}
		message := openai.ChatCompletionMessage{Role: string(l.role), Content: l.text}
		for _, c := range l.calls {
			message.ToolCalls = append(message.ToolCalls, openai.ToolCall{
				ID: c.id, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: c.name, Arguments: string(c.input)},
			})
		}
		messages = append(messages, message)
	}
	return messages
}

// adapt implements [wired].
func (m *openAI) adapt(f *fit, e *Error) bool {
	switch {
	case strings.Contains(e.said, "v1/responses") && !f.responses:
		// The Responses API lets the model think. Only OpenAI has it for
		// certain.
		return (!m.own && strings.Contains(e.said, "none") && set(&f.noThinking)) || set(&f.responses)
	case e.names("max_tokens") || e.names("max_completion_tokens"):
		return set(&f.otherLimit) || set(&f.noLimit)
	case e.names("temperature"):
		return set(&f.noTemperature)
	case e.names("seed"):
		return set(&f.noSeed)
	case e.names("stream_options") || e.names("include_usage"):
		return set(&f.noUsage)
	}
	return cutTools(f, e)
}
