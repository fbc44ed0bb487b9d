package order

// Action is what an order wants.
type Action string

// The actions.
const (
	Read     Action = "read"     // get something private
	Pass     Action = "pass"     // put private data into a parameter of a tool
	Send     Action = "send"     // send private data to an address
	Call     Action = "call"     // call a tool
	Run      Action = "run"      // run a command
	Write    Action = "write"    // write something into a file
	Alter    Action = "alter"    // change an argument of a call
	Prefer   Action = "prefer"   // use one tool in place of another
	Remember Action = "remember" // keep something for later sessions
	Answer   Action = "say"      // put private data into the answer
	Ask      Action = "ask"      // ask the user for a secret
	Silence  Action = "silence"  // keep an action from the user
)

// Moment is when an order is to be carried out.
type Moment string

// The moments.
const (
	Now    Moment = "now"
	Before Moment = "before" // the tool is used
	After  Moment = "after"  // the tool has answered
	With   Moment = "with"   // each call of the tool
	End    Moment = "end"    // after the user's task
)

// Part is the part of an ask that a text is in.
type Part string

// The parts.
const (
	InSystem Part = "system"
	InTool   Part = "tool"
	InTurn   Part = "turn"
	InResult Part = "result"
)

// Place is where an order stands.
type Place struct {
	Part Part `json:"part"`
	// Tool is the name of the tool that is described or gave the result, Index
	// its index in the request, counted from 1; 0: none.
	Tool  string `json:"tool,omitempty"`
	Index int    `json:"index,omitempty"`
	// Field is a JSON pointer into the tool as MCP lists it, or into a JSON
	// result.
	Field string `json:"field,omitempty"`
	// Turn is the turn of a user's text or a result, counted from 0.
	Turn int `json:"turn,omitempty"`
	// CallID is the id of the call with the result.
	CallID string `json:"call_id,omitempty"`
}

// Order is an order that was found.
type Order struct {
	Action Action `json:"action"`
	When   Moment `json:"when"`
	// Tool is the tool that the moment refers to, "" if any.
	Tool string `json:"tool,omitempty"`
	// What is to be read or passed on, and To where, in words.
	What string `json:"what,omitempty"`
	To   string `json:"to,omitempty"`
	// Place is its location, Quote the sentence, How the encoding that hid it.
	Place Place  `json:"place"`
	Quote string `json:"quote"`
	How   string `json:"how,omitempty"`
	// Calls are the ids of the calls that obey it, made or about to be made.
	Calls []string `json:"calls,omitempty"`
	// Obeyed is set if the order had an effect. An order may find no
	// opportunity, or need a tool that is missing.
	Obeyed bool `json:"obeyed"`
}

// Explanation says why a reply is what it is.
type Explanation struct {
	Orders []Order `json:"orders"`
	// Unread is how many bytes of the request exceeded the limits.
	Unread int `json:"unread,omitempty"`
}
