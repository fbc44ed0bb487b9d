package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

// openAIStream reads a reply from its chunks.
type openAIStream struct {
	assembly

	finished bool // the model said why it stopped
}

// chunk is part of a reply, or all of it. It is looser than the SDK's type,
// because servers send objects for strings, omit indexes and ids, and answer
// with a whole message.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Index        int                 `json:"index"`
		Delta        message             `json:"delta"`
		Message      message             `json:"message"`
		FinishReason openai.FinishReason `json:"finish_reason"`
	} `json:"choices"`
	Usage *openai.Usage `json:"usage"`
}

type message struct {
	Content          json.RawMessage `json:"content"`
	Refusal          string          `json:"refusal"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (s *openAIStream) add(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return failf(KindReply, "its reply is not what a model answers: %s", clean(err.Error()))
	}
	if c.Model != "" {
		s.model = c.Model
	}
	if c.Usage != nil {
		s.in, s.out = int64(c.Usage.PromptTokens), int64(c.Usage.CompletionTokens)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // only one choice was requested
		}
		for _, m := range []message{choice.Delta, choice.Message} {
			if err := s.message(m); err != nil {
				return err
			}
		}
		if choice.FinishReason != "" && choice.FinishReason != openai.FinishReasonNull {
			s.finish(choice.FinishReason)
		}
	}
	return nil
}

// ended decides whether the stream ended properly: nil if there is a reply.
func (s *openAIStream) ended(err error) error {
	e := asError(err)
	switch {
	case s.finished && (e == nil || e.Kind != KindSize):
		return nil // what comes after it does not matter
	case !errors.Is(err, io.EOF):
		return err
	case s.text.Len() == 0 && len(s.calls) == 0:
		return failf(KindReply, "it answered nothing")
	case s.stop == "":
		s.stop = StopOther
	}
	return nil
}

func (s *openAIStream) finish(why openai.FinishReason) {
	s.finished = true
	switch {
	case s.stop == StopRefusal:
	case why == openai.FinishReasonStop || why == "eos" || why == "end_turn":
		s.stop = StopEnd
	case why == openai.FinishReasonToolCalls || why == openai.FinishReasonFunctionCall:
		s.stop = StopTools
	case why == openai.FinishReasonLength:
		s.stop = StopLength
	case why == openai.FinishReasonContentFilter:
		s.stop = StopRefusal
	default:
		s.stop = StopOther
	}
}

func (s *openAIStream) message(m message) error {
	if m.Refusal != "" {
		s.stop = StopRefusal
	}
	thought := len(m.ReasoningContent)
	if string(m.Reasoning) != "null" {
		thought += len(m.Reasoning)
	}
	if err := errors.Join(s.think(thought), s.addText(contentText(m.Content)), s.addText(m.Refusal)); err != nil {
		return asError(err)
	}
	for i, t := range m.ToolCalls {
		p := s.find(t.Index, t.ID, t.Function.Name, i)
		if p == nil {
			index := -1
			if t.Index != nil {
				index = *t.Index
			}
			var err error
			if p, err = s.call(t.ID, t.Function.Name, index); err != nil {
				return err
			}
		}
		if p.name == "" {
			p.name = t.Function.Name[:min(len(t.Function.Name), s.d.limits.name)]
		}
		if err := s.more(p, argumentText(t.Function.Arguments)); err != nil {
			return err
		}
	}
	return nil
}

// find is the call that a piece belongs to, nil for a new one. Some servers
// give all calls the index 0, or give no index or no id.
func (s *openAIStream) find(index *int, id, name string, at int) *piece {
	if id != "" {
		for _, p := range s.calls {
			if p.id == id {
				return p
			}
		}
	}
	if index != nil {
		for _, p := range slices.Backward(s.calls) {
			if p.index == *index {
				if name != "" && (id != "" && p.id != id || p.complete()) {
					return nil
				}
				return p
			}
		}
		return nil
	}
	if id != "" || len(s.calls) == 0 || name != "" && (at > 0 || s.calls[len(s.calls)-1].complete()) {
		return nil
	}
	return s.calls[len(s.calls)-1]
}

// complete says that nothing can follow these arguments.
func (p *piece) complete() bool {
	return p.arguments.Len() > 0 && json.Valid(p.arguments.Bytes())
}

// contentText is a string, or the texts of a list of parts.
func contentText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts) // other JSON has no text
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// argumentText is a string with JSON in it, or JSON itself.
func argumentText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func openAILast(_ string, data []byte) bool {
	if string(data) == "[DONE]" {
		return true
	}
	switch responseType(data) {
	case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete:
		return true
	}
	return false
}

func openAIFailed(_ string, data []byte) *told {
	if !bytes.Contains(data, []byte(`error`)) {
		return nil
	}
	var c struct {
		Object   string                         `json:"object"`
		Type     openai.ResponseStreamEventType `json:"type"`
		Error    json.RawMessage                `json:"error"`
		Response json.RawMessage                `json:"response"`
	}
	if json.Unmarshal(data, &c) != nil {
		return nil
	}
	switch {
	case c.Type == openai.ResponseStreamEventFailed:
		t := readFailure(c.Response)
		t.Type = t.Code // used in place of a missing type
		return &t
	case c.Object != "error" && c.Type != openai.ResponseStreamEventError && (len(c.Error) == 0 || string(c.Error) == "null"):
		return nil
	}
	t := readFailure(data)
	return &t
}

func openAIWhole(data []byte) []byte {
	var b bytes.Buffer
	_, _ = io.WriteString(&b, "data: "+string(data)+"\n\ndata: [DONE]\n\n")
	return b.Bytes()
}
