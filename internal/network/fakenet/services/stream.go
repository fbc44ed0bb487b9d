package services

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// stream is an answer as server-sent events.
type stream struct{ strings.Builder }

// data writes an event without a name.
func (b *stream) data(v any) { fmt.Fprintf(b, "data: %s\n\n", asJSON(0, v).Body) }

// event writes an event with a name, which its data has as its type, too.
func (b *stream) event(kind string, o object) {
	o["type"] = kind
	fmt.Fprintf(b, "event: %s\ndata: %s\n\n", kind, asJSON(0, o).Body)
}

func (b *stream) answer() *Answer {
	return of(http.StatusOK, "text/event-stream; charset=utf-8", []byte(b.String())).with("Cache-Control", "no-cache")
}

// words are the pieces in which a model answers.
func words() []string { return strings.SplitAfter(saying, " ") }

// chatStream answers with chunks of a chat completion, and what it cost if that is
// asked for.
func chatStream(s *Services, r *Request) *Answer {
	var b stream
	chunk := func(delta object, reason any) {
		c := s.completion(r, "chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": nil})
		delete(c, "usage")
		b.data(c)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, word := range words() {
		chunk(object{"content": word}, nil)
	}
	chunk(object{}, "stop")
	if wantsUsage.Match(r.Kept) {
		c := s.completion(r, "chat.completion.chunk", nil)
		c["choices"] = []object{}
		b.data(c)
	}
	b.WriteString("data: [DONE]\n\n")
	return b.answer()
}

// textStream answers with chunks of a completion of a text.
func textStream(s *Services, r *Request) *Answer {
	var b stream
	for i, word := range words() {
		var reason any
		if i == len(words())-1 {
			reason = "stop"
		}
		c := s.completion(r, "text_completion", object{"index": 0, "text": word, "finish_reason": reason, "logprobs": nil})
		delete(c, "usage")
		b.data(c)
	}
	b.WriteString("data: [DONE]\n\n")
	return b.answer()
}

// messageStream answers with the events of a message.
func messageStream(s *Services, r *Request) *Answer {
	m := s.message(r)
	m["content"], m["stop_reason"] = []object{}, nil
	var b stream
	b.event("message_start", object{"message": m})
	b.event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
	b.event("ping", object{})
	for _, word := range words() {
		b.event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": word}})
	}
	b.event("content_block_stop", object{"index": 0})
	b.event("message_delta", object{"delta": object{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": object{"output_tokens": 13}})
	b.event("message_stop", object{})
	return b.answer()
}

// responseStream answers with the events of a response. The last one has all of it.
func responseStream(s *Services, r *Request) *Answer {
	whole := s.response(r)
	item, _ := whole["output"].([]object)
	part := item[0]["content"].([]object)[0] //nolint:forcetypeassert // it is what response made
	begun := maps.Clone(whole)
	begun["status"], begun["output"], begun["usage"], begun["completed_at"] = "in_progress", []object{}, nil, nil
	at := func(o object) object {
		o["item_id"], o["output_index"], o["content_index"] = item[0]["id"], 0, 0
		return o
	}
	var b stream
	n := 0
	event := func(kind string, o object) {
		o["sequence_number"] = n
		n++
		b.event(kind, o)
	}
	event("response.created", object{"response": begun})
	event("response.in_progress", object{"response": begun})
	event("response.output_item.added", object{"output_index": 0, "item": object{"type": "message", "id": item[0]["id"], "status": "in_progress", "role": "assistant", "content": []object{}}})
	event("response.content_part.added", at(object{"part": object{"type": "output_text", "text": "", "annotations": []string{}}}))
	for _, word := range words() {
		event("response.output_text.delta", at(object{"delta": word, "logprobs": []string{}}))
	}
	event("response.output_text.done", at(object{"text": saying, "logprobs": []string{}}))
	event("response.content_part.done", at(object{"part": part}))
	event("response.output_item.done", object{"output_index": 0, "item": item[0]})
	event("response.completed", object{"response": whole})
	return b.answer()
}

// candidate is an answer of Gemini, or a piece of one.
func candidate(text string, reason string) object {
	one := object{"content": object{"role": "model", "parts": []object{{"text": text}}}, "index": 0}
	if reason != "" {
		one["finishReason"] = reason
	}
	return object{
		"candidates": []object{one}, "modelVersion": "gemini-2.0-flash",
		"usageMetadata": object{"promptTokenCount": 21, "candidatesTokenCount": 13, "totalTokenCount": 34},
	}
}

// candidates answers with pieces: as events if the client asks for them, else as a
// list.
func candidates(r *Request) *Answer {
	list := []object{}
	var b stream
	for i, word := range words() {
		reason := ""
		if i == len(words())-1 {
			reason = "STOP"
		}
		one := candidate(word, reason)
		list = append(list, one)
		b.data(one)
	}
	if r.Query.Get("alt") == "sse" {
		return b.answer()
	}
	return asJSON(http.StatusOK, list)
}
