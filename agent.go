package mcpsf

import "encoding/json"

// AgentDetail belongs to agent.action: something that an agent did because a text
// of the server told it to, and that its user had not asked for. The agent and
// its calls of the server are real; its other tools are decoys.
type AgentDetail struct {
	// Agent is who acted: "obedient", the agent that follows rules, or the name
	// of a model.
	Agent string `json:"agent"`
	// Task is what its user had asked for.
	Task string `json:"task"`
	// Action is what it did, Tool with what, and Arguments how.
	Action    AgentAction     `json:"action"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// What was private about it: the file, the entry, the conversation. To is
	// where it went: an address, or a parameter of the server's tool.
	What string `json:"what,omitempty"`
	To   string `json:"to,omitempty"`
	// Causes are the texts without which it did not do so.
	Causes []AgentCause `json:"causes"`
	// Seen is in how many of Runs conversations it did so, SeenWithout in how
	// many of RunsWithout in which the first cause was blank.
	Seen        int `json:"seen"`
	Runs        int `json:"runs"`
	SeenWithout int `json:"seen_without"`
	RunsWithout int `json:"runs_without"`
	// Conversation is the line of the conversation in conversations.jsonl.
	Conversation int `json:"conversation"`
}

// AgentCause is a text that made an agent do something.
type AgentCause struct {
	// Of, Name and Field are as in [TextDetail]. Of a result, Field is its
	// number among those of the tool.
	Of    string `json:"of"`
	Name  string `json:"name,omitempty"`
	Field string `json:"field,omitempty"`
	// Quote is the sentence, where it is known which one it was.
	Quote string `json:"quote,omitempty"`
}

// AgentAction is what an agent did unasked.
type AgentAction string

// The actions.
const (
	// ActionTaken: something private went to the server or elsewhere.
	ActionTaken AgentAction = "taken"
	// ActionRead: something private was read.
	ActionRead AgentAction = "read"
	// ActionSent: something was sent to an address that the user had not named.
	ActionSent AgentAction = "sent"
	// ActionAltered: what the user wanted was done in another way.
	ActionAltered AgentAction = "altered"
	// ActionReplaced: a tool of the server was used in place of another that the
	// user wanted.
	ActionReplaced AgentAction = "replaced"
	// ActionRemembered: something was kept for later conversations.
	ActionRemembered AgentAction = "remembered"
	// ActionRan: a command was run, or a file written.
	ActionRan AgentAction = "ran"
	// ActionAsked: the user was asked for a secret.
	ActionAsked AgentAction = "asked"
)

// AgentRun is how an agent used the server.
type AgentRun struct {
	// Agent is its name, as in [AgentDetail].
	Agent string `json:"agent"`
	// Tasks is how many tasks it was given, Conversations how many
	// conversations that were, those with blank texts among them, and Calls
	// how often it used a tool in them.
	Tasks         int `json:"tasks"`
	Conversations int `json:"conversations"`
	Calls         int `json:"calls"`
	// Actions is how much it did that it was not asked for.
	Actions int `json:"actions"`
	// Usage is what it took, nil if no model was asked.
	Usage *ModelUsage `json:"usage,omitempty"`
	// Lost says what it could not be tried with.
	Lost []string `json:"lost,omitempty"`
}

// ModelUsage is what a model took.
type ModelUsage struct {
	Asks      int   `json:"asks"`
	TokensIn  int64 `json:"tokens_in"`
	TokensOut int64 `json:"tokens_out"`
	// Dollars is what that costs by the list, nil if nobody knows.
	Dollars *float64 `json:"dollars,omitempty"`
	// Estimated is set if the provider did not count.
	Estimated bool `json:"estimated,omitempty"`
}
