package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// AnthropicHandler serves Anthropic's API at /v1/messages.
func AnthropicHandler(script Script) *Handler { return newHandler(claude{}, script) }

type claude struct{}

func (claude) paths() []string { return []string{"/v1/messages"} }

type claudeRequest struct {
	Model     string          `json:"model"`
	MaxTokens int             `json:"max_tokens"`
	Stream    bool            `json:"stream"`
	System    json.RawMessage `json:"system"`
	Messages  []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	Temperature *float64 `json:"temperature"`
}

type claudeBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
}

func (d claude) read(r *http.Request, body []byte) (*Request, *refusal) {
	var in claudeRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return nil, invalid("", "%v: Extra inputs are not permitted", err)
	}
	switch {
	case r.Header.Get("Anthropic-Version") == "":
		return nil, invalid("", "anthropic-version: header is required")
	case in.Model == "":
		return nil, invalid("", "model: Field required")
	case in.MaxTokens < 1:
		return nil, invalid("", "max_tokens: Field required")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 1):
		return nil, invalid("", "temperature: range: 0..1")
	}
	out := &Request{Model: in.Model, Stream: in.Stream, MaxTokens: in.MaxTokens, Temperature: in.Temperature}
	blocks, ok := readBlocks(in.System)
	if !ok {
		return nil, invalid("", "system: Input should be a valid list")
	}
	for _, b := range blocks {
		out.System += b.Text
	}
	if bad := d.tools(&in, out); bad != nil {
		return nil, bad
	}
	return out, d.messages(&in, out)
}

func (claude) tools(in *claudeRequest, out *Request) *refusal {
	var names []string
	for i, t := range in.Tools {
		switch {
		case !goodName.MatchString(t.Name):
			return invalid("", "tools.%d.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'", i)
		case slices.Contains(names, t.Name):
			return invalid("", "tools: Tool names must be unique.")
		}
		if why := badSchema(t.InputSchema); why != "" && !strings.Contains(why, "missing properties") {
			return invalid("", "tools.%d.custom.input_schema: %s", i, why)
		}
		names = append(names, t.Name)
		out.Tools = append(out.Tools, Tool{t.Name, t.Description, t.InputSchema})
	}
	return nil
}

// readBlocks parses a text or a list of blocks.
func readBlocks(raw json.RawMessage) ([]claudeBlock, bool) {
	var s string
	if len(raw) == 0 {
		return nil, true
	}
	if json.Unmarshal(raw, &s) == nil {
		return []claudeBlock{{Type: "text", Text: s}}, true
	}
	var blocks []claudeBlock
	return blocks, json.Unmarshal(raw, &blocks) == nil
}

// messages checks that the sides alternate, and that the message after calls
// begins with the results of all of them.
func (d claude) messages(in *claudeRequest, out *Request) *refusal {
	var open []string
	used := make(map[string]bool)
	for i, m := range in.Messages {
		want := []string{"user", "assistant"}[i%2]
		if m.Role != want {
			return invalid("", "messages: roles must alternate between \"user\" and \"assistant\", but message %d is of %q", i, m.Role)
		}
		blocks, ok := readBlocks(m.Content)
		if !ok || len(blocks) == 0 {
			return invalid("", "messages.%d: all messages must have non-empty content", i)
		}
		said := Message{Role: m.Role}
		if bad := d.blocks(i, blocks, &said, &open, used); bad != nil {
			return bad
		}
		out.Messages = append(out.Messages, said)
	}
	if len(out.Messages)%2 == 0 {
		return invalid("", "messages: the conversation must end with a user message")
	}
	return nil
}

func (claude) blocks(i int, blocks []claudeBlock, said *Message, open *[]string, used map[string]bool) *refusal {
	owed := *open
	*open = nil
	for j, b := range blocks {
		at := fmt.Sprintf("messages.%d.content.%d", i, j)
		switch {
		case b.Type == "text":
			if strings.TrimSpace(b.Text) == "" {
				return invalid("", "messages: text content blocks must contain non-whitespace text")
			}
			said.Text += b.Text
		case b.Type == "thinking" && said.Role == "assistant" && b.Signature != "":
			said.Thinking = append(said.Thinking, b.Signature)
		case b.Type == "redacted_thinking" && said.Role == "assistant" && b.Data != "":
			said.Thinking = append(said.Thinking, b.Data)
		case b.Type == "tool_use" && said.Role == "assistant":
			var input map[string]json.RawMessage
			if !goodID.MatchString(b.ID) || used[b.ID] || !goodName.MatchString(b.Name) || json.Unmarshal(b.Input, &input) != nil || input == nil {
				return invalid("", "%s.tool_use: `tool_use` ids must be unique, names match the pattern, and input be a valid dictionary", at)
			}
			used[b.ID] = true
			*open = append(*open, b.ID)
			said.Calls = append(said.Calls, Call{b.ID, b.Name, string(b.Input)})
		case b.Type == "tool_result" && said.Role == "user":
			n := slices.Index(owed, b.ToolUseID)
			content, ok := readBlocks(b.Content)
			if n < 0 || !ok || said.Text != "" {
				return invalid("", "%s: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", at, b.ToolUseID)
			}
			owed = slices.Delete(owed, n, n+1)
			result := Result{ID: b.ToolUseID, IsError: b.IsError}
			for _, c := range content {
				if c.Text == "" {
					return invalid("", "%s: text content blocks must be non-empty", at)
				}
				result.Text += c.Text
			}
			said.Results = append(said.Results, result)
		default:
			return invalid("", "%s: Input tag '%s' found using 'type' does not match any of the expected tags", at, b.Type)
		}
	}
	if len(owed) > 0 {
		return invalid("", "messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", i-1, owed[0])
	}
	return nil
}

func (claude) refuse(status int, f failure) any {
	kind := f.kind
	if kind == "" {
		kind = map[int]string{
			400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
			413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error", 0: "overloaded_error",
		}[status]
	}
	if kind == "" {
		kind = "api_error"
	}
	return object{"type": "error", "error": object{"type": kind, "message": f.message}, "request_id": "req_test"}
}
