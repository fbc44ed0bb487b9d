package llmtest

import (
	"encoding/json"
	"fmt"
)

func (claude) event(name string, fields object) frame {
	fields["type"] = name
	return frame{name, fields}
}

func (d claude) more(*Request) frame {
	return d.event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": endlessText}})
}

func (d claude) frames(r *Request, a Answer) []frame {
	in, out := a.tokens()
	message := d.message(r, a)
	message["content"], message["stop_reason"] = []any{}, nil
	message["usage"] = object{"input_tokens": in, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "service_tier": "standard"}
	done := object{"output_tokens": out}
	if a.Quirks.has(NoUsage) {
		message["usage"], done = object{"input_tokens": 0, "output_tokens": 0}, object{"output_tokens": 0}
	}
	all := []frame{d.event("message_start", object{"message": message})}
	n := 0
	block := func(start object, deltas ...object) {
		all = append(all, d.event("content_block_start", object{"index": n, "content_block": start}))
		if n == 0 {
			all = append(all, d.event("ping", object{}))
		}
		for _, delta := range deltas {
			all = append(all, d.event("content_block_delta", object{"index": n, "delta": delta}))
		}
		all = append(all, d.event("content_block_stop", object{"index": n}))
		n++
	}
	if a.Thinking != "" {
		deltas := append(deltasOf("thinking_delta", "thinking", a.Thinking), object{"type": "signature_delta", "signature": signature})
		block(object{"type": "thinking", "thinking": "", "signature": ""}, deltas...)
		block(object{"type": "redacted_thinking", "data": redacted})
	}
	if text := a.Text + a.Refusal; text != "" {
		block(object{"type": "text", "text": ""}, deltasOf("text_delta", "text", text)...)
	}
	for i, c := range a.Calls {
		deltas := append([]object{{"type": "input_json_delta", "partial_json": ""}}, deltasOf("input_json_delta", "partial_json", c.Arguments)...)
		block(object{"type": "tool_use", "id": callID(i, c), "name": c.Name, "input": object{}}, deltas...)
	}
	all = append(all, d.event("message_delta", object{"delta": object{"stop_reason": d.stop(a), "stop_sequence": nil}, "usage": done}))
	if a.Quirks.has(NoDone) {
		return all
	}
	return append(all, d.event("message_stop", object{}))
}

// Data that a client has to send back.
const signature, redacted = "c2lnbmF0dXJl", "cmVkYWN0ZWQ="

func deltasOf(kind, field, text string) []object {
	var all []object
	for _, p := range pieces(text) {
		all = append(all, object{"type": kind, field: p})
	}
	return all
}

func callID(i int, c Call) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("toolu_test%d", i)
}

func (claude) stop(a Answer) string {
	switch {
	case a.Stop != "":
		return a.Stop
	case a.Refusal != "":
		return "refusal"
	case len(a.Calls) > 0 && !a.Quirks.has(StopWithCalls):
		return "tool_use"
	}
	return "end_turn"
}

// message is a complete reply.
func (d claude) message(r *Request, a Answer) object {
	in, out := a.tokens()
	content := []object{}
	if a.Thinking != "" {
		content = append(content, object{"type": "thinking", "thinking": a.Thinking, "signature": signature},
			object{"type": "redacted_thinking", "data": redacted})
	}
	if text := a.Text + a.Refusal; text != "" {
		content = append(content, object{"type": "text", "text": text})
	}
	for i, c := range a.Calls {
		input := json.RawMessage(c.Arguments)
		if !json.Valid(input) {
			input = json.RawMessage(`{}`)
		}
		content = append(content, object{"type": "tool_use", "id": callID(i, c), "name": c.Name, "input": input})
	}
	return object{
		"id": "msg_test", "type": "message", "role": "assistant", "model": r.Model + "-20260101", "content": content,
		"stop_reason": d.stop(a), "stop_sequence": nil, "usage": object{"input_tokens": in, "output_tokens": out},
	}
}

func (d claude) whole(r *Request, a Answer) any { return d.message(r, a) }
