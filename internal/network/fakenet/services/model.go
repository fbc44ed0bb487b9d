package services

import (
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// saying is what every model answers: nothing that makes a program act.
const saying = "Everything looks fine. There is nothing that needs to be done."

var (
	streamed   = lazyregexp.New(`"stream"\s*:\s*true`)
	wantsUsage = lazyregexp.New(`"include_usage"\s*:\s*true`)
	respondsTo = lazyregexp.New(`"input"\s*:\s*["\[]`)
	chatsWith  = lazyregexp.New(`"messages"\s*:\s*\[`)
)

// model answers like the APIs of language models.
func model(s *Services, r *Request) *Answer {
	switch p := r.Path; {
	case strings.HasSuffix(p, "/v1/models") && r.Reads():
		return asJSON(http.StatusOK, object{"object": "list", "data": []object{{"id": "gpt-4o-mini", "object": "model", "created": 1721172741, "owned_by": "system"}}})
	case r.Method != http.MethodPost:
		return nil
	case strings.HasSuffix(p, "/embeddings"):
		return s.embedding(r)
	case strings.Contains(p, ":generateContent"):
		return asJSON(http.StatusOK, candidate(saying, "STOP"))
	case strings.Contains(p, ":streamGenerateContent"):
		return candidates(r)
	case streamed.Match(r.Kept):
		return streaming(s, r)
	case strings.HasSuffix(p, "/chat/completions"):
		message := object{"role": "assistant", "content": saying, "refusal": nil}
		return asJSON(http.StatusOK, s.completion(r, "chat.completion", object{"index": 0, "message": message, "finish_reason": "stop", "logprobs": nil}))
	case strings.HasSuffix(p, "/v1/completions"):
		return asJSON(http.StatusOK, s.completion(r, "text_completion", object{"index": 0, "text": saying, "finish_reason": "stop", "logprobs": nil}))
	case strings.HasSuffix(p, "/v1/responses"):
		return asJSON(http.StatusOK, s.response(r))
	case strings.HasSuffix(p, "/v1/messages"):
		return asJSON(http.StatusOK, s.message(r))
	}
	return nil
}

// streaming answers who wants the answer in pieces. Services copy these forms at paths
// of their own: there the members of the request tell which one is meant.
func streaming(s *Services, r *Request) *Answer {
	switch p := r.Path; {
	case strings.HasSuffix(p, "/chat/completions"):
		return chatStream(s, r)
	case strings.HasSuffix(p, "/v1/completions"):
		return textStream(s, r)
	case strings.HasSuffix(p, "/v1/messages"):
		return messageStream(s, r)
	case strings.HasSuffix(p, "/responses"), respondsTo.Match(r.Kept) && !chatsWith.Match(r.Kept):
		return responseStream(s, r)
	case chatsWith.Match(r.Kept) && strings.Contains(r.Header("Accept"), "event-stream"):
		return chatStream(s, r)
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

func (s *Services) response(r *Request) object {
	d := s.diceFor(r)
	return object{
		"id": "resp_" + letters(d, 48, hexDigits), "object": "response", "created_at": s.opts.Now().Unix(), "status": "completed", "model": "gpt-4o-mini-2024-07-18",
		"output": []object{{
			"type": "message", "id": "msg_" + letters(d, 48, hexDigits), "status": "completed", "role": "assistant",
			"content": []object{{"type": "output_text", "text": saying, "annotations": []string{}}},
		}},
		"error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{}, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []string{},
		"usage": object{
			"input_tokens": 21, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 13, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 34,
		},
	}
}

func (s *Services) message(r *Request) object {
	d := s.diceFor(r)
	return object{
		"id": "msg_01" + letters(d, 22, alphabet), "type": "message", "role": "assistant", "model": "claude-3-5-haiku-20241022",
		"content": []object{{"type": "text", "text": saying}}, "stop_reason": "end_turn", "stop_sequence": nil,
		"usage": object{"input_tokens": 21, "output_tokens": 13},
	}
}

func (s *Services) embedding(r *Request) *Answer {
	return asJSON(http.StatusOK, object{
		"object": "list", "model": "text-embedding-3-small", "usage": object{"prompt_tokens": 8, "total_tokens": 8},
		"data": []object{{"object": "embedding", "index": 0, "embedding": vector(s.diceFor(r), 1536)}},
	})
}

// vector is the embedding of a text.
func vector(d *rand.Rand, length int) []float64 {
	out := make([]float64, length)
	for i := range out {
		out[i] = float64(d.IntN(20000)-10000) / 200000
	}
	return out
}
