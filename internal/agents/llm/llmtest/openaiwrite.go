package llmtest

import (
	"encoding/json"
	"fmt"
)

type object = map[string]any

// chunkOf is one event of a reply.
func (openAI) chunkOf(r *Request, index int, delta object, finish any) frame {
	return frame{data: object{
		"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": created, "model": r.Model + "-2026-01-01",
		"service_tier": "default", "system_fingerprint": "fp_test",
		"choices": []object{{"index": index, "delta": delta, "logprobs": nil, "finish_reason": finish}},
		"usage":   nil, "obfuscation": "aGk",
	}}
}

func (d openAI) more(r *Request) frame { return d.chunkOf(r, 0, object{"content": endlessText}, nil) }

func (d openAI) frames(r *Request, a Answer) []frame {
	if r.Path == responsesPath {
		return responses{}.frames(r, a)
	}
	var all []frame
	add := func(delta object, finish any) { all = append(all, d.chunkOf(r, 0, delta, finish)) }
	if !a.Quirks.has(NoChoices) {
		add(object{"role": "assistant", "content": "", "refusal": nil}, nil)
		for _, p := range pieces(a.Thinking) {
			add(object{"content": nil, "reasoning_content": p}, nil)
		}
		for _, p := range pieces(a.Text) {
			if a.Quirks.has(PartsContent) {
				add(object{"content": []object{{"type": "text", "text": p}}}, nil)
			} else {
				add(object{"content": p}, nil)
			}
			if a.Quirks.has(OtherChoice) {
				all = append(all, d.chunkOf(r, 1, object{"content": "not this"}, nil))
			}
		}
		for _, p := range pieces(a.Refusal) {
			add(object{"refusal": p}, nil)
		}
		for i, c := range a.Calls {
			for _, call := range d.callPieces(i, c, a.Quirks) {
				add(object{"tool_calls": []object{call}}, nil)
			}
		}
		add(object{}, d.finish(a))
	}
	if r.wantsUsage() && !a.Quirks.has(NoUsage) {
		all = append(all, frame{data: object{
			"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": created, "model": r.Model + "-2026-01-01",
			"choices": []object{}, "usage": d.usage(a),
		}})
	}
	if a.Quirks.has(NoDone) {
		return all
	}
	return append(all, frame{data: "[DONE]"})
}

func (r *Request) wantsUsage() bool {
	var in struct {
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	return json.Unmarshal(r.Body, &in) == nil && in.StreamOptions.IncludeUsage
}

// callPieces are the pieces of a call: first its name, then its arguments in
// parts.
func (d openAI) callPieces(i int, c Call, q Quirk) []object {
	first := d.call(i, c, q)
	if q.has(OneChunk) || q.has(ObjectArguments) {
		return []object{first}
	}
	first["function"] = object{"name": c.Name, "arguments": ""}
	all := []object{first}
	for _, p := range pieces(c.Arguments) {
		next := object{"function": object{"arguments": p}}
		if index, ok := first["index"]; ok {
			next["index"] = index
		}
		all = append(all, next)
	}
	return all
}

func (openAI) call(i int, c Call, q Quirk) object {
	call := object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}}
	if c.ID == "" {
		call["id"] = fmt.Sprintf("call_test%d", i)
	}
	if q.has(ObjectArguments) {
		call["function"] = object{"name": c.Name, "arguments": json.RawMessage(c.Arguments)}
	}
	if q.has(NoID) {
		delete(call, "id")
	}
	switch {
	case q.has(NoIndex):
		delete(call, "index")
	case q.has(ZeroIndex):
		call["index"] = 0
	}
	return call
}

func (openAI) finish(a Answer) string {
	switch {
	case a.Stop != "":
		return a.Stop
	case len(a.Calls) > 0 && !a.Quirks.has(StopWithCalls):
		return "tool_calls"
	}
	return "stop"
}

func (openAI) usage(a Answer) object {
	in, out := a.tokens()
	return object{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details":     object{"cached_tokens": 0, "audio_tokens": 0},
		"completion_tokens_details": object{"reasoning_tokens": 0, "audio_tokens": 0},
	}
}

// tokens is the usage that the answer states.
func (a Answer) tokens() (in, out int) {
	in, out = a.In, a.Out
	if in == 0 {
		in = 100
	}
	if out == 0 {
		out = 10
	}
	return in, out
}

func (d openAI) whole(r *Request, a Answer) any {
	if r.Path == responsesPath {
		return responses{}.whole(r, a)
	}
	message := object{"role": "assistant", "content": nil, "refusal": nil, "annotations": []any{}}
	if a.Text != "" {
		message["content"] = a.Text
	}
	if a.Refusal != "" {
		message["refusal"] = a.Refusal
	}
	if a.Thinking != "" {
		message["reasoning_content"] = a.Thinking
	}
	var calls []object
	for i, c := range a.Calls {
		call := d.call(i, c, a.Quirks)
		delete(call, "index")
		calls = append(calls, call)
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	answer := object{
		"id": "chatcmpl-test", "object": "chat.completion", "created": created, "model": r.Model + "-2026-01-01",
		"choices": []object{{"index": 0, "message": message, "logprobs": nil, "finish_reason": d.finish(a)}},
	}
	if a.Quirks.has(NoChoices) {
		answer["choices"] = []object{}
	}
	if !a.Quirks.has(NoUsage) {
		answer["usage"] = d.usage(a)
	}
	return answer
}
