package mcpsf

import "encoding/json"

// CallStatus is how a call ended.
type CallStatus string

// The ways a call ends. Refused is an orderly error from the server, crashed
// means that the server ended, garbled that the answer was malformed.
const (
	CallOK      CallStatus = "ok"
	CallRefused CallStatus = "refused"
	CallTimeout CallStatus = "timeout"
	CallCrashed CallStatus = "crashed"
	CallGarbled CallStatus = "garbled"
)

// Session is what we learned from talking to the server.
type Session struct {
	// Initialized is false if the server never answered initialize.
	Initialized  bool            `json:"initialized"`
	Name         string          `json:"name,omitempty"`
	Version      string          `json:"version,omitempty"`
	Protocol     string          `json:"protocol,omitempty"`
	Instructions string          `json:"instructions,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`

	Tools     []Tool     `json:"tools"`
	Resources []Resource `json:"resources"`
	// Templates are families of resources; they are asked for where they are
	// attacked.
	Templates []Template `json:"templates,omitempty"`
	Prompts   []Prompt   `json:"prompts"`
	Calls     []Call     `json:"calls"`

	// StartSeconds is the time from start to the answer to initialize.
	StartSeconds float64 `json:"start_seconds"`
	// Closed says how the session ended: "orderly", "terminated", "killed",
	// "crashed", "limit"; "" if there was none.
	Closed string `json:"closed"`
	// Ending explains Closed where that needs words.
	Ending string `json:"ending,omitempty"`
	// Irregularities list what was wrong with the server's side of the
	// protocol, each once: "wrote a line that is not JSON to stdout".
	Irregularities []string `json:"irregularities,omitempty"`
	// Gaps are what the session did not see; the coverage of the report lists
	// them.
	Gaps []Gap `json:"-"`
}

// Tool as the server listed it. Raw is the exact listing entry.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
	Raw         json.RawMessage `json:"-"`
}

// Resource as the server listed it.
type Resource struct {
	URI  string          `json:"uri"`
	Name string          `json:"name,omitempty"`
	Raw  json.RawMessage `json:"-"`
}

// Template is a family of resources as the server listed it. URI has places for
// values.
type Template struct {
	URI         string          `json:"uri"`
	Description string          `json:"description,omitempty"`
	Raw         json.RawMessage `json:"-"`
}

// Prompt as the server listed it.
type Prompt struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Raw         json.RawMessage `json:"-"`
}

// Call is one request that we made and how it ended.
type Call struct {
	ID        string          `json:"id"`
	Method    string          `json:"method"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Status    CallStatus      `json:"status"`
	Note      string          `json:"note,omitempty"`
	Seconds   float64         `json:"seconds"`
	// ServerValues are the values that the server made, by their place in the
	// parameters of the request.
	ServerValues ServerValues `json:"server_values,omitempty"`
	// Sequence are the calls on which the first success of a tool depended, in their
	// order, with that call as the last one; nil for other calls.
	Sequence []Step `json:"-"`
	// Preparing is set on a call that only made the state for others, or that was an
	// attack and was made again in that state: it does not count as an attack.
	Preparing bool `json:"-"`
	// Effort says how much was done for the call to work.
	Effort Effort `json:"-"`
	// Unmarked is set on a refused call of a tool whose result was not marked as an
	// error: only its words say that it is one.
	Unmarked bool `json:"-"`
	// Doubtful is set on a call that worked, if its result may say that it did not. Note
	// is what it says.
	Doubtful bool `json:"doubtful,omitempty"`
}

// Effort is how much was done for a call to work: 0 for a call that is a test of
// something else.
type Effort uint8

// The efforts: an input that fits the schema, and one mended after a refusal.
const (
	EffortUsual Effort = iota + 1
	EffortMended
)
