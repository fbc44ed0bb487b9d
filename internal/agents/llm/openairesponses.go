package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	openai "github.com/sashabaranov/go-openai"
)

// respond uses OpenAI's Responses API, which some of its models need to use
// tools while they think. Nothing is stored there.
func (m *openAI) respond(ctx context.Context, model string, a *Ask, t *conversation, f fit) (*Reply, error) {
	stream, err := m.client.CreateResponseStream(ctx, m.responseRequest(model, a, t, f))
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	s := &responseStream{assembly: assembly{d: m.doer, conversation: t, asked: estimate(a)}}
	for err == nil {
		var event []byte
		if event, err = stream.RecvRaw(); err == nil {
			err = s.add(event)
		}
	}
	switch {
	case !s.finished && errors.Is(err, io.EOF):
		return nil, s.failed(failf(KindReply, "it answered nothing"))
	case !s.finished:
		return nil, s.failed(err)
	}
	reply := s.reply()
	if len(s.thoughts) > 0 {
		reply.Thinking = marshal(s.thoughts)
	}
	if a.Temperature != nil && thinks(model) {
		reply.Without = append(reply.Without, "temperature")
	}
	return reply, nil
}

func (m *openAI) responseRequest(model string, a *Ask, t *conversation, f fit) openai.CreateResponseRequest {
	var kept bool
	r := openai.CreateResponseRequest{
		Model: model, Instructions: a.System, Input: responseInput(t), MaxOutputTokens: a.MaxTokens, Store: &kept,
		Include: []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent},
	}
	if r.MaxOutputTokens <= 0 {
		r.MaxOutputTokens = DefaultMaxTokens
	}
	if a.Temperature != nil && !f.noTemperature && !thinks(model) {
		temperature := float32(*a.Temperature)
		r.Temperature = &temperature
	}
	for _, tool := range t.tools(f) {
		r.Tools = append(r.Tools, openai.NewResponseFunctionTool(openai.FunctionDefinition{
			Name: tool.name, Description: tool.description, Parameters: tool.schema,
		}))
	}
	return r
}

// reasoning is encrypted thinking that OpenAI needs back.
type reasoning struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
}

// responseInput is the conversation as a list of items.
func responseInput(t *conversation) []any {
	type call struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	var items []any
	for _, l := range t.lines {
		for _, r := range l.results {
			items = append(items, openai.ResponseFunctionCallOutput{Type: "function_call_output", CallID: r.CallID, Output: r.Text})
		}
		var thoughts []reasoning
		_ = json.Unmarshal(l.thinking, &thoughts) // thinking of other providers is left out
		for _, thought := range thoughts {
			if thought.Type == "reasoning" && thought.Encrypted != "" {
				items = append(items, thought)
			}
		}
		if l.text != "" {
			items = append(items, openai.ResponseInputMessage{Role: string(l.role), Content: l.text})
		}
		for _, c := range l.calls {
			items = append(items, call{"function_call", c.id, c.name, string(c.input)})
		}
	}
	return items
}

// responseStream reads a reply from its events.
type responseStream struct {
	assembly

	thoughts []reasoning
	finished bool
}

type responseEvent struct {
	Type        openai.ResponseStreamEventType `json:"type"`
	OutputIndex int                            `json:"output_index"`
	Delta       string                         `json:"delta"`
	Item        responseItem                   `json:"item"`
	Response    struct {
		Model             string                           `json:"model"`
		Usage             openai.ResponseUsage             `json:"usage"`
		IncompleteDetails openai.ResponseIncompleteDetails `json:"incomplete_details"`
	} `json:"response"`
}

type responseItem struct {
	reasoning

	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (s *responseStream) add(data []byte) error {
	var e responseEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return failf(KindReply, "its reply is not what a model answers: %s", clean(err.Error()))
	}
	switch e.Type {
	case openai.ResponseStreamEventOutputTextDelta:
		return s.addText(e.Delta)
	case openai.ResponseStreamEventRefusalDelta:
		s.stop = StopRefusal
		return s.addText(e.Delta)
	case openai.ResponseStreamEventOutputItemAdded:
		if e.Item.Type == "function_call" {
			_, err := s.call(e.Item.CallID, e.Item.Name, e.OutputIndex)
			return err
		}
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		for _, p := range s.calls {
			if p.index == e.OutputIndex {
				return s.more(p, e.Delta)
			}
		}
		return failf(KindReply, "its reply goes on with a call that was not begun")
	case openai.ResponseStreamEventOutputItemDone:
		return s.done(e.Item)
	case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete:
		s.finish(e)
	}
	return nil
}

// done ends an item. Thinking is complete only then.
func (s *responseStream) done(item responseItem) error {
	if item.Type != "reasoning" || item.Encrypted == "" {
		return nil
	}
	if len(item.Summary) == 0 {
		item.Summary = json.RawMessage(`[]`)
	}
	s.thoughts = append(s.thoughts, item.reasoning)
	return s.think(len(item.Encrypted) + len(item.Summary) + len(item.ID))
}

func (s *responseStream) finish(e responseEvent) {
	s.finished = true
	s.model = e.Response.Model
	s.in, s.out = int64(e.Response.Usage.InputTokens), int64(e.Response.Usage.OutputTokens)
	switch why := e.Response.IncompleteDetails.Reason; {
	case why == "max_output_tokens":
		s.stop = StopLength
	case why == "content_filter":
		s.stop = StopRefusal
	case why != "":
		s.stop = StopOther
	case s.stop == "":
		s.stop = StopEnd
	}
}

// responseType is the type of an event, "" if it is none of this API.
func responseType(data []byte) openai.ResponseStreamEventType {
	if !bytes.Contains(data, []byte(`"response.`)) {
		return ""
	}
	return openai.ResponseStreamEventType(eventType(data))
}
