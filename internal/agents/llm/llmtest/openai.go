package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// created is the creation time of all answers.
const created = 1767225600

// OpenAIHandler serves OpenAI's API at /v1/chat/completions, and the Responses
// API at /v1/responses.
func OpenAIHandler(script Script) *Handler { return newHandler(openAI{}, script) }

type openAI struct{}

func (openAI) paths() []string { return []string{"/v1/chat/completions", responsesPath} }

// goodName is a tool name that both APIs accept, goodID a call id.
var (
	goodName = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)
	goodID   = lazyregexp.New(`^[a-zA-Z0-9_-]+$`)
)

type openAIRequest struct {
	Model         string          `json:"model"`
	Messages      []openAIMessage `json:"messages"`
	Stream        bool            `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Seed                *int64   `json:"seed"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	ReasoningEffort     string   `json:"reasoning_effort"`
}

type openAIMessage struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"`
	ToolCallID string  `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string  `json:"name"`
			Arguments *string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func invalid(param, format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, failure{kind: "invalid_request_error", message: fmt.Sprintf(format, args...), param: param}}
}

func (d openAI) read(r *http.Request, body []byte) (*Request, *refusal) {
	if r.URL.Path == responsesPath {
		return responses{}.read(body)
	}
	var in openAIRequest
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		return nil, invalid("", "Unrecognized request argument supplied: %v", err)
	}
	out := &Request{
		Model: in.Model, Stream: in.Stream, Seed: in.Seed, Temperature: in.Temperature,
		MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens),
	}
	switch {
	case in.Model == "":
		return nil, invalid("model", "you must provide a model parameter")
	case in.StreamOptions != nil && !in.Stream:
		return nil, invalid("stream_options", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	case in.MaxTokens > 0 && in.MaxCompletionTokens > 0:
		return nil, invalid("max_tokens", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	case in.Temperature != nil && (*in.Temperature < 0 || *in.Temperature > 2):
		return nil, invalid("temperature", "Invalid 'temperature': must be between 0 and 2.")
	}
	if bad := d.tools(&in, out); bad != nil {
		return nil, bad
	}
	return out, d.messages(&in, out)
}

func (openAI) tools(in *openAIRequest, out *Request) *refusal {
	var names []string
	for i, t := range in.Tools {
		at := fmt.Sprintf("tools[%d].function", i)
		f := t.Function
		switch {
		case t.Type != "function":
			return invalid(fmt.Sprintf("tools[%d].type", i), "Invalid value: '%s'. Supported values are: 'function'.", t.Type)
		case !goodName.MatchString(f.Name):
			return invalid(at+".name", "Invalid '%s.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", at)
		case slices.Contains(names, f.Name):
			return invalid("tools", "Tool names must be unique: %s", f.Name)
		}
		if why := badSchema(f.Parameters); why != "" {
			return invalid(at+".parameters", "Invalid schema for function '%s': %s", f.Name, why)
		}
		names = append(names, f.Name)
		out.Tools = append(out.Tools, Tool{f.Name, f.Description, f.Parameters})
	}
	return nil
}

// badSchema says what is wrong with the schema of a tool.
func badSchema(raw json.RawMessage) string {
	var top map[string]json.RawMessage
	if json.Unmarshal(raw, &top) != nil || top == nil {
		return "it is not an object"
	}
	var kind string
	if _ = json.Unmarshal(top["type"], &kind); kind != "object" {
		return fmt.Sprintf("schema must be a JSON Schema of 'type: \"object\"', got 'type: \"%s\"'.", kind)
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(top["properties"], &properties) != nil || properties == nil {
		return "In context=(), object schema missing properties."
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
		if _, ok := top[word]; ok {
			return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
		}
	}
	return ""
}

// messages checks that the results of all calls follow at once, and no others.
func (openAI) messages(in *openAIRequest, out *Request) *refusal {
	var open []string
	for i, m := range in.Messages {
		at := fmt.Sprintf("messages[%d]", i)
		if m.Role != "tool" && len(open) > 0 {
			return invalid(at+".role", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", open[0])
		}
		if m.Content == nil && len(m.ToolCalls) == 0 {
			return invalid(at+".content", "Invalid value for 'content': expected a string, got null.")
		}
		switch m.Role {
		case "system", "developer":
			out.System += *m.Content
		case "user":
			out.Messages = append(out.Messages, Message{Role: "user", Text: *m.Content})
		case "tool":
			n := slices.Index(open, m.ToolCallID)
			if n < 0 {
				return invalid(at+".role", "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
			}
			open = slices.Delete(open, n, n+1)
			out.result(Result{ID: m.ToolCallID, Text: *m.Content})
		case "assistant":
			said := Message{Role: "assistant"}
			if m.Content != nil {
				said.Text = *m.Content
			}
			for j, c := range m.ToolCalls {
				if bad := badCall(fmt.Sprintf("%s.tool_calls[%d]", at, j), c.ID, c.Type, c.Function.Name, c.Function.Arguments, open); bad != nil {
					return bad
				}
				open = append(open, c.ID)
				said.Calls = append(said.Calls, Call{c.ID, c.Function.Name, *c.Function.Arguments})
			}
			out.Messages = append(out.Messages, said)
		default:
			return invalid(at+".role", "Invalid value: '%s'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.", m.Role)
		}
	}
	if len(open) > 0 || len(out.Messages) == 0 {
		return invalid("messages", "An assistant message with 'tool_calls' must be followed by tool messages, and there must be messages at all.")
	}
	return nil
}

func badCall(at, id, kind, name string, arguments *string, open []string) *refusal {
	switch {
	case id == "" || len(id) > 40:
		return invalid(at+".id", "Invalid '%s.id': string too long. Expected a string with maximum length 40.", at)
	case slices.Contains(open, id):
		return invalid(at+".id", "Duplicate value for 'tool_call_id' of '%s'", id)
	case kind != "function":
		return invalid(at+".type", "Missing required parameter: '%s.type'.", at)
	case !goodName.MatchString(name):
		return invalid(at+".function.name", "Invalid '%s.function.name': string does not match pattern.", at)
	case arguments == nil || !json.Valid([]byte(*arguments)):
		return invalid(at+".function.arguments", "Invalid '%s.function.arguments': not JSON.", at)
	}
	return nil
}

// result adds to the message with the results of the previous calls.
func (r *Request) result(one Result) {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == "user" && len(r.Messages[n-1].Results) > 0 {
		r.Messages[n-1].Results = append(r.Messages[n-1].Results, one)
		return
	}
	r.Messages = append(r.Messages, Message{Role: "user", Results: []Result{one}})
}

func (openAI) refuse(status int, f failure) any {
	kind := f.kind
	if kind == "" {
		kind = map[bool]string{true: "server_error", false: "invalid_request_error"}[status >= 500 || status == 0]
	}
	inner := map[string]any{"message": f.message, "type": kind, "param": nil, "code": nil}
	if f.param != "" {
		inner["param"] = f.param
	}
	if f.code != "" {
		inner["code"] = f.code
	}
	return map[string]any{"error": inner}
}
