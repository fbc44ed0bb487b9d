package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// responsesPath is the path of OpenAI's Responses API.
const responsesPath = "/v1/responses"

type responses struct{}

type responsesRequest struct {
	Model           string          `json:"model"`
	Instructions    string          `json:"instructions"`
	Input           []responsesItem `json:"input"`
	Stream          bool            `json:"stream"`
	Store           *bool           `json:"store"`
	Include         []string        `json:"include"`
	MaxOutputTokens int             `json:"max_output_tokens"`
	Temperature     *float64        `json:"temperature"`
	Tools           []struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"tools"`
}

type responsesItem struct {
	Type             string          `json:"type"`
	Role             string          `json:"role"`
	Content          string          `json:"content"`
	ID               string          `json:"id"`
	CallID           string          `json:"call_id"`
	Name             string          `json:"name"`
	Arguments        string          `json:"arguments"`
	Output           *string         `json:"output"`
	Summary          json.RawMessage `json:"summary"`
	EncryptedContent string          `json:"encrypted_content"`
}

func (d responses) read(body []byte) (*Request, *refusal) {
	var in responsesRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return nil, invalid("", "Unknown parameter: %v", err)
	}
	out := &Request{Model: in.Model, Stream: in.Stream, System: in.Instructions, MaxTokens: in.MaxOutputTokens, Temperature: in.Temperature}
	var names []string
	for i, t := range in.Tools {
		why := badSchema(t.Parameters)
		if t.Type != "function" || !goodName.MatchString(t.Name) || slices.Contains(names, t.Name) || why != "" {
			return nil, invalid(fmt.Sprintf("tools[%d]", i), "Invalid 'tools[%d]' %q: %s", i, t.Name, why)
		}
		names = append(names, t.Name)
		out.Tools = append(out.Tools, Tool{t.Name, t.Description, t.Parameters})
	}
	return out, d.items(in.Input, out)
}

// items checks that each call has an output, and no other.
func (responses) items(items []responsesItem, out *Request) *refusal {
	var open []string
	for i, item := range items {
		at := fmt.Sprintf("input[%d]", i)
		switch {
		case item.Type == "" && (item.Role == "user" || item.Role == "assistant") && item.Content != "":
			out.Messages = append(out.Messages, Message{Role: item.Role, Text: item.Content})
		case item.Type == "reasoning" && item.ID != "" && item.EncryptedContent != "" && item.Summary != nil:
			m := out.assistant()
			m.Thinking = append(m.Thinking, item.EncryptedContent)
		case item.Type == "function_call" && goodID.MatchString(item.CallID) && len(item.CallID) <= 64 && goodName.MatchString(item.Name) && json.Valid([]byte(item.Arguments)):
			m := out.assistant()
			m.Calls = append(m.Calls, Call{item.CallID, item.Name, item.Arguments})
			open = append(open, item.CallID)
		case item.Type == "function_call_output" && item.Output != nil && slices.Contains(open, item.CallID):
			n := slices.Index(open, item.CallID)
			open = slices.Delete(open, n, n+1)
			out.result(Result{ID: item.CallID, Text: *item.Output})
		default:
			return invalid(at, "Invalid value for '%s': no tool call found for function call output, or not a valid item.", at)
		}
	}
	if len(open) > 0 || len(out.Messages) == 0 {
		return invalid("input", "No tool output found for function call %s.", fmt.Sprint(open))
	}
	return nil
}

// assistant is the message that the assistant's items belong to.
func (r *Request) assistant() *Message {
	if n := len(r.Messages); n == 0 || r.Messages[n-1].Role != "assistant" {
		r.Messages = append(r.Messages, Message{Role: "assistant"})
	}
	return &r.Messages[len(r.Messages)-1]
}

func (d responses) frames(r *Request, a Answer) []frame {
	var all []frame
	emit := func(name string, fields object) {
		fields["type"], fields["sequence_number"] = name, len(all)
		all = append(all, frame{name, fields})
	}
	begun := d.response(r, a)
	begun["status"], begun["output"], begun["usage"], begun["incomplete_details"] = "in_progress", []any{}, nil, nil
	emit("response.created", object{"response": begun})
	emit("response.in_progress", object{"response": begun})
	for i, item := range d.output(a) {
		started := maps.Clone(item)
		started["status"] = "in_progress"
		at := func(more object) object {
			more["item_id"], more["output_index"] = item["id"], i
			return more
		}
		switch item["type"] {
		case "message":
			kind, text := "output_text", a.Text
			if a.Refusal != "" {
				kind, text = "refusal", a.Refusal
			}
			started["content"] = []any{}
			emit("response.output_item.added", object{"output_index": i, "item": started})
			emit("response.content_part.added", at(object{"content_index": 0, "part": object{"type": kind, "annotations": []any{}, "text": ""}}))
			for _, p := range pieces(text) {
				emit("response."+kind+".delta", at(object{"content_index": 0, "delta": p, "logprobs": []any{}, "obfuscation": "x"}))
			}
			emit("response."+kind+".done", at(object{"content_index": 0, "text": text}))
		case "function_call":
			started["arguments"] = ""
			emit("response.output_item.added", object{"output_index": i, "item": started})
			for _, p := range pieces(item["arguments"].(string)) {
				emit("response.function_call_arguments.delta", at(object{"delta": p}))
			}
			emit("response.function_call_arguments.done", at(object{"arguments": item["arguments"]}))
		default:
			emit("response.output_item.added", object{"output_index": i, "item": started})
		}
		emit("response.output_item.done", object{"output_index": i, "item": item})
	}
	if !a.Quirks.has(NoDone) {
		done := d.response(r, a)
		emit("response."+done["status"].(string), object{"response": done})
	}
	return all
}

func (responses) output(a Answer) []object {
	var items []object
	if a.Thinking != "" {
		items = append(items, object{"id": "rs_test", "type": "reasoning", "summary": []any{}, "encrypted_content": signature})
	}
	if a.Refusal != "" {
		items = append(items, object{"id": "msg_test", "type": "message", "status": "completed", "role": "assistant", "content": []object{{"type": "refusal", "refusal": a.Refusal}}})
	} else if a.Text != "" {
		items = append(items, object{"id": "msg_test", "type": "message", "status": "completed", "role": "assistant", "content": []object{{"type": "output_text", "text": a.Text, "annotations": []any{}}}})
	}
	for i, c := range a.Calls {
		id := c.ID
		if id == "" {
			id = fmt.Sprintf("call_test%d", i)
		}
		items = append(items, object{"id": fmt.Sprintf("fc_test%d", i), "type": "function_call", "status": "completed", "call_id": id, "name": c.Name, "arguments": c.Arguments})
	}
	return items
}

func (d responses) response(r *Request, a Answer) object {
	in, out := a.tokens()
	answer := object{
		"id": "resp_test", "object": "response", "created_at": created, "status": "completed", "error": nil, "incomplete_details": nil,
		"model": r.Model + "-2026-01-01", "output": d.output(a), "store": false,
		"usage": object{"input_tokens": in, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": out, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": in + out},
	}
	if a.Stop != "" {
		answer["status"], answer["incomplete_details"] = "incomplete", object{"reason": a.Stop}
	}
	return answer
}

func (d responses) whole(r *Request, a Answer) any { return d.response(r, a) }

// failure is an error event within a stream.
func (responses) failure(f failure) any {
	return object{"type": "error", "code": f.kind, "message": f.message, "param": nil, "sequence_number": 7}
}
