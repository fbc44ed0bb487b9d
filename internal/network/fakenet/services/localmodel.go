package services

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
)

// localModel answers as Ollama, which runs models on the user's machine.
func localModel(s *Services, r *Request) *Answer {
	if !strings.HasSuffix(r.Host, ":11434") && !strings.Contains(r.Domain(), "ollama") {
		return nil
	}
	const name = "llama3.2:latest"
	at := s.opts.Now().UTC().Format("2006-01-02T15:04:05Z")
	known := object{
		"name": name, "model": name, "modified_at": at, "size": 2019393189, "digest": strings.Repeat("a80c4f17acd55265", 4),
		"details": object{"format": "gguf", "family": "llama", "families": []string{"llama"}, "parameter_size": "3.2B", "quantization_level": "Q4_K_M"},
	}
	done := object{
		"model": name, "created_at": at, "done": true, "done_reason": "stop", "total_duration": 905000000, "load_duration": 21000000,
		"prompt_eval_count": 26, "prompt_eval_duration": 130000000, "eval_count": 12, "eval_duration": 700000000,
	}
	switch r.Path {
	case "/api/tags", "/api/ps":
		return asJSON(http.StatusOK, object{"models": []object{known}})
	case "/api/version":
		return asJSON(http.StatusOK, object{"version": "0.5.7"})
	case "/api/show":
		return asJSON(http.StatusOK, object{"modelfile": "FROM llama3.2", "parameters": "", "template": "{{ .Prompt }}", "details": known["details"], "model_info": object{}})
	case "/api/chat":
		return inLines(r, done, "message", object{"role": "assistant", "content": saying}, object{"role": "assistant", "content": ""})
	case "/api/generate":
		return inLines(r, done, "response", saying, "")
	case "/api/embed":
		return asJSON(http.StatusOK, object{"model": name, "embeddings": [][]float64{vector(s.diceFor(r), 768)}})
	case "/api/embeddings":
		return asJSON(http.StatusOK, object{"embedding": vector(s.diceFor(r), 768)})
	case "/api/pull", "/api/push", "/api/create", "/api/copy", "/api/delete":
		return asJSON(http.StatusOK, object{"status": "success"})
	case "/":
		return plainText("Ollama is running")
	}
	return nil
}

// inLines is an answer in two lines, as who does not say otherwise gets it, or whole.
func inLines(r *Request, done object, member string, said, end any) *Answer {
	var wanted struct {
		Stream *bool `json:"stream"`
	}
	if json.Unmarshal(r.Kept, &wanted) == nil && wanted.Stream != nil && !*wanted.Stream {
		done[member] = said
		return asJSON(http.StatusOK, done)
	}
	first := object{"model": done["model"], "created_at": done["created_at"], "done": false, member: said}
	done[member] = end
	var body bytes.Buffer
	for _, line := range []object{first, done} {
		raw, err := json.Marshal(line)
		if err != nil {
			return nil
		}
		body.Write(append(raw, '\n'))
	}
	return of(http.StatusOK, "application/x-ndjson", body.Bytes())
}
