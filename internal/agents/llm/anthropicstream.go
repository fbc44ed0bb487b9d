package llm

import (
	"bytes"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
)

// anthropicStream reads a reply from its events. The SDK's own reader silently
// replaces truncated arguments by {}.
type anthropicStream struct {
	assembly

	blocks   map[int64]*block
	thoughts []*block
	finished bool
}

// block is part of a reply: text, a call, or a thought.
type block struct {
	call    *piece
	thought *thought
}

// thought is thinking to send back, as it is kept in a [Turn].
type thought struct {
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
}

func (s *anthropicStream) add(e anthropic.MessageStreamEventUnion) error {
	switch e.Type {
	case "message_start":
		return s.start(e.Message)
	case "content_block_start":
		return s.begin(e.Index, e.ContentBlock.Type, e.ContentBlock.ID, e.ContentBlock.Name,
			[]byte(e.ContentBlock.JSON.Input.Raw()), e.ContentBlock.Text,
			thought{Text: e.ContentBlock.Thinking, Signature: e.ContentBlock.Signature, Redacted: e.ContentBlock.Data})
	case "content_block_delta":
		return s.delta(e.Index, e.Delta)
	case "message_delta":
		s.stopped(e.Delta.StopReason)
		s.out = e.Usage.OutputTokens
		if in := e.Usage.InputTokens + e.Usage.CacheReadInputTokens + e.Usage.CacheCreationInputTokens; in > 0 {
			s.in = in
		}
	case "message_stop":
		s.finished = true
		if s.stop == "" {
			s.stop = StopOther
		}
	}
	return nil
}

// start begins a message. A message that was not streamed is already complete.
func (s *anthropicStream) start(m anthropic.Message) error {
	s.model = m.Model
	s.in = m.Usage.InputTokens + m.Usage.CacheReadInputTokens + m.Usage.CacheCreationInputTokens
	s.out = m.Usage.OutputTokens
	if m.StopReason != "" {
		s.stopped(m.StopReason)
	}
	for i, b := range m.Content {
		t := thought{Text: b.Thinking, Signature: b.Signature, Redacted: b.Data}
		if err := s.begin(int64(i), b.Type, b.ID, b.Name, b.Input, b.Text, t); err != nil {
			return err
		}
	}
	return nil
}

func (s *anthropicStream) begin(index int64, kind, id, name string, input []byte, text string, t thought) error {
	if s.blocks == nil {
		s.blocks = make(map[int64]*block)
	}
	b := &block{}
	if len(s.blocks) >= 4*s.d.limits.calls {
		return failf(KindSize, "its reply has more than %d parts", len(s.blocks))
	}
	s.blocks[index] = b
	switch kind {
	case "text":
		return s.addText(text)
	case "tool_use":
		var err error
		if b.call, err = s.call(id, name, int(index)); err != nil {
			return err
		}
		if input = bytes.TrimSpace(input); len(input) > 0 && string(input) != "{}" && string(input) != "null" {
			return s.more(b.call, string(input))
		}
	case "thinking", "redacted_thinking":
		b.thought = &t
		s.thoughts = append(s.thoughts, b)
		return s.think(len(t.Text) + len(t.Signature) + len(t.Redacted))
	}
	return nil
}

func (s *anthropicStream) delta(index int64, d anthropic.MessageStreamEventUnionDelta) error {
	b := s.blocks[index]
	switch {
	case b == nil:
		return failf(KindReply, "its reply goes on with a part that was not begun")
	case d.Type == "text_delta":
		return s.addText(d.Text)
	case d.Type == "input_json_delta" && b.call != nil:
		return s.more(b.call, d.PartialJSON)
	case d.Type == "thinking_delta" && b.thought != nil:
		b.thought.Text += d.Thinking
		return s.think(len(d.Thinking))
	case d.Type == "signature_delta" && b.thought != nil:
		b.thought.Signature += d.Signature
		return s.think(len(d.Signature))
	}
	return nil
}

func (s *anthropicStream) stopped(why anthropic.StopReason) {
	switch why {
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence:
		s.stop = StopEnd
	case anthropic.StopReasonToolUse:
		s.stop = StopTools
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		s.stop = StopLength
	case anthropic.StopReasonRefusal:
		s.stop = StopRefusal
	default:
		s.stop = StopOther
	}
}

// thinking is sent back with the turn.
func (s *anthropicStream) thinking() json.RawMessage {
	var kept []thought
	for _, b := range s.thoughts {
		if b.thought.Signature != "" || b.thought.Redacted != "" {
			kept = append(kept, *b.thought)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return marshal(kept)
}

func anthropicLast(name string, data []byte) bool {
	return name == "message_stop" || name == "" && eventType(data) == "message_stop"
}

func anthropicFailed(name string, data []byte) *told {
	if name != "error" && eventType(data) != "error" {
		return nil
	}
	t := readFailure(data)
	return &t
}

func eventType(data []byte) string {
	var e struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(data, &e) // events without a type are passed on
	return e.Type
}

// anthropicWhole turns a complete message into the two events that matter.
func anthropicWhole(data []byte) []byte {
	return []byte(`event: message_start` + "\n" + `data: {"type":"message_start","message":` + string(data) + "}\n\n" +
		`event: message_stop` + "\n" + `data: {"type":"message_stop"}` + "\n\n")
}
