package llm

import (
	"context"
	"encoding/json"
)

// DefaultMaxTokens bounds a reply if the ask has no limit. For models that
// think, thinking counts, too.
// no gap: bounds the conversation with a model; a failed ask is reported
const DefaultMaxTokens = 8192

// Model answers asks. It is safe for concurrent use.
type Model interface {
	// Ask waits for the reply. The error is an [*Error].
	Ask(ctx context.Context, a *Ask) (*Reply, error)
	// Name is how the user named the model.
	Name() string
}

// Ask is one request to a model.
type Ask struct {
	Purpose string `json:"purpose"` // what it is for, in the record: "agent", "payloads", "judge"
	System  string `json:"system,omitempty"`
	// Turns end with one of the user. A turn with calls is followed by one with
	// the result of each call.
	Turns []Turn `json:"turns"`
	Tools []Tool `json:"tools,omitempty"`
	// Seed is for providers that accept one; 0 means none.
	Seed        int64    `json:"seed,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"` // 0: DefaultMaxTokens
	Temperature *float64 `json:"temperature,omitempty"`
}

// Role says who speaks in a turn.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Turn is what one side said.
type Turn struct {
	Role    Role     `json:"role"`
	Text    string   `json:"text,omitempty"`
	Calls   []Call   `json:"calls,omitempty"`   // only of the assistant
	Results []Result `json:"results,omitempty"` // only of the user
	// Thinking is data that the provider needs back with the turn. Only the
	// provider that wrote it understands it.
	Thinking json.RawMessage `json:"thinking,omitempty"`
}

// Tool is a tool that a model may call. Name, description and schema may be
// those of an untrusted server: names that are not unique or that the provider
// rejects are replaced when sent and restored when received.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // JSON Schema of the arguments
}

// Call is a tool call that a model requests.
type Call struct {
	ID string `json:"id"`
	// Name is the tool's name, or one that the model made up.
	Name string `json:"name"`
	// Tool is the index of the tool in the ask, counted from 1, for tools that
	// share a name; 0 means an unknown tool.
	Tool int `json:"tool,omitempty"`
	// Arguments is a JSON object, nil if there is none.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Broken holds arguments that were no JSON object.
	Broken string `json:"broken,omitempty"`
}

// Result is the result of a call.
type Result struct {
	CallID  string `json:"call_id"`
	Text    string `json:"text,omitempty"`
	IsError bool   `json:"is_error,omitempty"`
}

// Stop says why a reply ended.
type Stop string

// The reasons.
const (
	StopEnd     Stop = "end"
	StopTools   Stop = "tools" // the model wants the calls to be made
	StopLength  Stop = "length"
	StopRefusal Stop = "refusal"
	StopOther   Stop = "other"
)

// Reply is a model's answer.
type Reply struct {
	Text     string          `json:"text,omitempty"`
	Calls    []Call          `json:"calls,omitempty"`
	Stop     Stop            `json:"stop"`
	Usage    Usage           `json:"usage"`
	Thinking json.RawMessage `json:"thinking,omitempty"` // see [Turn]
	Model    string          `json:"model,omitempty"`    // the provider's name of the model that answered
	// Without names what of the ask the provider rejects, so that it was left
	// out or shortened: "seed", "temperature", "max_tokens", "thinking",
	// "tools", "descriptions", "schemas".
	Without []string `json:"without,omitempty"`
}

// Turn is the reply as the next turn of the conversation.
func (r *Reply) Turn() Turn {
	return Turn{Role: Assistant, Text: r.Text, Calls: r.Calls, Thinking: r.Thinking}
}
