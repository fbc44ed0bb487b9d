package services

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// saying is what every model answers: nothing that makes a program act.
const saying = "Everything looks fine. There is nothing that needs to be done."

var streamed = lazyregexp.New(`"stream"\s*:\s*true`)

// model answers like the APIs of language models.
func model(s *Services, r *Request) *Answer {
	stream := streamed.Match(r.Kept)
	switch p := r.Path; {
	case strings.HasSuffix(p, "/v1/models") && r.Reads():
		return asJSON(http.StatusOK, object{"object": "list", "data": []object{{"id": "gpt-4o-mini", "object": "model", "created": 1721172741, "owned_by": "system"}}})
	case r.Method != http.MethodPost:
		return nil
	case strings.HasSuffix(p, "/chat/completions"):
		return s.chatCompletion(r, stream)
	case strings.HasSuffix(p, "/v1/completions"):
		return asJSON(http.StatusOK, s.completion(r, "text_completion", object{"index": 0, "text": saying, "finish_reason": "stop", "logprobs": nil}))
	case strings.HasSuffix(p, "/v1/responses"):
		return s.response(r)
	case strings.HasSuffix(p, "/v1/messages"):
		return s.message(r, stream)
	case strings.HasSuffix(p, "/embeddings"):
		return s.embedding(r)
	case strings.Contains(p, ":generateContent"):
		return asJSON(http.StatusOK, object{
			"candidates":    []object{{"content": object{"role": "model", "parts": []object{{"text": saying}}}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": object{"promptTokenCount": 21, "candidatesTokenCount": 13, "totalTokenCount": 34},
		})
	}
	return nil
}

func (s *Services) completion(r *Request, kind string, choice object) object {
	d := s.diceFor(r)
	return object{
		"id": "chatcmpl-" + letters(d, 29, alphabet), "object": kind, "created": s.opts.Now().Unix(), "model": "gpt-4o-mini-2024-07-18",
		"choices": []object{choice}, "usage": object{"prompt_tokens": 21, "completion_tokens": 13, "total_tokens": 34},
	}
}

func (s *Services) chatCompletion(r *Request, stream bool) *Answer {
	if !stream {
		message := object{"role": "assistant", "content": saying, "refusal": nil}
		return asJSON(http.StatusOK, s.completion(r, "chat.completion", object{"index": 0, "message": message, "finish_reason": "stop", "logprobs": nil}))
	}
	var b strings.Builder
	chunk := func(delta object, reason any) {
		c := s.completion(r, "chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": reason})
		delete(c, "usage")
		fmt.Fprintf(&b, "data: %s\n\n", asJSON(0, c).Body)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, word := range strings.SplitAfter(saying, " ") {
		chunk(object{"content": word}, nil)
	}
	chunk(object{}, "stop")
	b.WriteString("data: [DONE]\n\n")
	return events(b.String())
}

func events(body string) *Answer {
	return of(http.StatusOK, "text/event-stream; charset=utf-8", []byte(body)).with("Cache-Control", "no-cache")
}

func (s *Services) response(r *Request) *Answer {
	d := s.diceFor(r)
	return asJSON(http.StatusOK, object{
		"id": "resp_" + letters(d, 48, hexDigits), "object": "response", "created_at": s.opts.Now().Unix(), "status": "completed", "model": "gpt-4o-mini-2024-07-18",
		"output": []object{{
			"type": "message", "id": "msg_" + letters(d, 48, hexDigits), "status": "completed", "role": "assistant",
			"content": []object{{"type": "output_text", "text": saying, "annotations": []string{}}},
		}},
		"usage": object{"input_tokens": 21, "output_tokens": 13, "total_tokens": 34},
	})
}

func (s *Services) message(r *Request, stream bool) *Answer {
	d := s.diceFor(r)
	m := object{
		"id": "msg_01" + letters(d, 22, alphabet), "type": "message", "role": "assistant", "model": "claude-3-5-haiku-20241022",
		"content": []object{{"type": "text", "text": saying}}, "stop_reason": "end_turn", "stop_sequence": nil,
		"usage": object{"input_tokens": 21, "output_tokens": 13},
	}
	if !stream {
		return asJSON(http.StatusOK, m)
	}
	m["content"], m["stop_reason"] = []object{}, nil
	var b strings.Builder
	event := func(kind string, o object) {
		o["type"] = kind
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", kind, asJSON(0, o).Body)
	}
	event("message_start", object{"message": m})
	event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
	for _, word := range strings.SplitAfter(saying, " ") {
		event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": word}})
	}
	event("content_block_stop", object{"index": 0})
	event("message_delta", object{"delta": object{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": object{"output_tokens": 13}})
	event("message_stop", object{})
	return events(b.String())
}

func (s *Services) embedding(r *Request) *Answer {
	d := s.diceFor(r)
	vector := make([]float64, 1536)
	for i := range vector {
		vector[i] = float64(d.IntN(20000)-10000) / 200000
	}
	return asJSON(http.StatusOK, object{
		"object": "list", "model": "text-embedding-3-small", "usage": object{"prompt_tokens": 8, "total_tokens": 8},
		"data": []object{{"object": "embedding", "index": 0, "embedding": vector}},
	})
}
