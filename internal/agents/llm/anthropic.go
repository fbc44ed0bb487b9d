package llm

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// claude speaks Anthropic's API.
type claude struct {
	model    string
	messages anthropic.MessageService
	doer     *doer
}

func newAnthropic(s Spec, e endpoint, d *doer) *claude {
	d.reading = reading{last: anthropicLast, failed: anthropicFailed, whole: anthropicWhole, named: true}
	// The service alone reads no environment and no files, unlike the SDK's
	// client, which would do so and send telemetry.
	opts := []option.RequestOption{
		option.WithBaseURL(e.base), option.WithHTTPClient(d), option.WithMaxRetries(0), option.WithoutOpenTelemetry(),
	}
	if e.key != "" {
		opts = append(opts, option.WithAPIKey(e.key))
	}
	return &claude{model: s.Model, messages: anthropic.NewMessageService(opts...), doer: d}
}

func (m *claude) once(ctx context.Context, a *Ask, f fit) (*Reply, error) {
	t := newConversation(a)
	stream := m.messages.NewStreaming(ctx, m.params(a, t, f))
	defer stream.Close()
	s := &anthropicStream{assembly: assembly{d: m.doer, conversation: t, asked: estimate(a)}}
	var err error
	for err == nil && !s.finished && stream.Next() {
		err = s.add(stream.Current())
	}
	if err == nil {
		err = stream.Err()
	}
	switch {
	case err != nil && s.text.Len() == 0 && s.in == 0 && len(s.calls) == 0:
		return nil, err // no request was sent
	case err != nil:
		return nil, s.failed(err)
	case !s.finished:
		return nil, s.failed(failf(KindReply, "it answered nothing"))
	}
	reply := s.reply()
	reply.Thinking = s.thinking()
	if a.Seed != 0 {
		reply.Without = append(reply.Without, "seed")
	}
	return reply, nil
}

func (m *claude) params(a *Ask, t *conversation, f fit) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: m.model, MaxTokens: int64(a.MaxTokens), Messages: anthropicMessages(t)}
	if p.MaxTokens <= 0 {
		p.MaxTokens = DefaultMaxTokens
	}
	if strings.TrimSpace(a.System) != "" {
		p.System = []anthropic.TextBlockParam{{Text: a.System}}
	}
	if a.Temperature != nil && !f.noTemperature {
		p.Temperature = anthropic.Float(min(*a.Temperature, 1))
	}
	for _, tool := range t.tools(f) {
		u := anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: tool.name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](tool.schema),
		}}
		if tool.description != "" {
			u.OfTool.Description = anthropic.String(tool.description)
		}
		p.Tools = append(p.Tools, u)
	}
	return p
}

func anthropicMessages(t *conversation) []anthropic.MessageParam {
	var messages []anthropic.MessageParam
	for _, l := range t.lines {
		var blocks []anthropic.ContentBlockParamUnion
		for _, r := range l.results {
			blocks = append(blocks, anthropicResult(r))
		}
		blocks = append(blocks, anthropicThinking(l.thinking)...)
		if l.text != "" {
			blocks = append(blocks, anthropic.NewTextBlock(l.text))
		}
		for _, c := range l.calls {
			blocks = append(blocks, anthropic.NewToolUseBlock(c.id, c.input, c.name))
		}
		role := anthropic.MessageParamRoleUser
		if l.role == Assistant {
			role = anthropic.MessageParamRoleAssistant
		}
		messages = append(messages, anthropic.MessageParam{Role: role, Content: blocks})
	}
	return messages
}

// anthropicResult leaves out an empty text, which the API rejects.
func anthropicResult(r Result) anthropic.ContentBlockParamUnion {
	block := anthropic.ToolResultBlockParam{ToolUseID: r.CallID}
	if r.IsError {
		block.IsError = anthropic.Bool(true)
	}
	if r.Text != "" {
		block.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: r.Text}}}
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &block}
}

// anthropicThinking returns the model's thinking, which the API requires while
// the model uses tools.
func anthropicThinking(raw json.RawMessage) []anthropic.ContentBlockParamUnion {
	var thoughts []thought
	if json.Unmarshal(raw, &thoughts) != nil {
		return nil // another provider's
	}
	var blocks []anthropic.ContentBlockParamUnion
	for _, t := range thoughts {
		switch {
		case t.Redacted != "":
			blocks = append(blocks, anthropic.NewRedactedThinkingBlock(t.Redacted))
		case t.Signature != "":
			blocks = append(blocks, anthropic.NewThinkingBlock(t.Signature, t.Text))
		}
	}
	return blocks
}

// adapt implements [wired].
func (m *claude) adapt(f *fit, e *Error) bool {
	if e.names("temperature") {
		return set(&f.noTemperature)
	}
	return cutTools(f, e)
}
