// Package fuzz makes messages that a server should survive. It takes a tool and
// a call of it that worked, and returns messages that range from common client
// mistakes to bytes that are no message at all.
//
// Everything here is pure. No message asks for anything harmful: only its form
// is unusual.
package fuzz

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Message is one malformed or unusual message. Exactly one thing about it is
// wrong, so that a crash can be explained.
type Message struct {
	// Why describes the defect in a few words.
	Why string
	// Family groups messages that are wrong in the same way: a server that
	// crashes on one mostly crashes on all.
	Family Family
	// Call is set if the message is a valid request with unusual arguments: an
	// agent could be made to send it.
	Call bool
	// Method and Tool are what the message requests, if it requests something.
	Method, Tool string
	// Early messages are sent before initialize.
	Early bool
	// Balanced messages are sent by the balanced profile too, not only by deeper ones.
	Balanced bool
	// Server are the values in the parameters that the server made.
	Server mcpsf.ServerValues

	// wire makes the bytes; size matters only for some messages.
	wire func(id int64, size int) []byte
	size int
	// cuts are the offsets at which the bytes are split into several writes.
	cuts []int
	// control makes the same defect in a harmless message.
	control func(id int64, size int) []byte
}

// Family of messages.
type Family string

// The families, in the order they are sent. The most informative come first.
const (
	Call     Family = "call"     // arguments of a tool
	Tool     Family = "tool"     // names of tools
	Order    Family = "order"    // messages at the wrong time
	Notice   Family = "notice"   // notifications
	Params   Family = "params"   // parameters of other types
	Keys     Family = "keys"     // names of fields
	Envelope Family = "envelope" // the fields of JSON-RPC
	Text     Family = "text"     // characters
	Size     Family = "size"     // long values
	Depth    Family = "depth"    // deeply nested values
	JSON     Family = "json"     // not JSON, or not one message per line
)

// Target is a tool that the messages call.
type Target struct {
	// Tool is a tool of the server; Arguments are arguments that worked, and
	// Server are the values in them that the server made.
	Tool      string
	Arguments json.RawMessage
	Server    mcpsf.ServerValues
}

// All returns the messages for the tools of a server. The messages about
// arguments are made for each tool, all others for the first tool only.
func All(tools []Target) []Message {
	if len(tools) == 0 {
		tools = []Target{{Tool: "none", Arguments: json.RawMessage(`{}`)}}
	}
	var all []Message
	for i := range tools {
		more := calls(&tools[i])
		for j := range more {
			more[j].Balanced = more[j].Balanced && i == 0
		}
		all = append(all, more...)
	}
	t := &tools[0]
	for _, family := range [][]Message{
		names(t), orders(t), notices(t), params(t), keys(t), envelopes(t), texts(t), sizes(t), depths(t), lines(t),
	} {
		all = append(all, family...)
	}
	for i := range all {
		if m := &all[i]; m.Tool == "" && bytes.Contains(m.Wire(1), []byte(`"name":`+text(t.Tool))) {
			m.Tool = t.Tool // the tool that the message calls
		}
	}
	for i := range all {
		m := &all[i]
		m.Server = mcpsf.ServerValues{}
		if n := slices.IndexFunc(tools, func(t Target) bool { return t.Tool == m.Tool }); n >= 0 {
			m.Server = tools[n].Server.Under("/arguments")
		}
	}
	// Messages before initialize must be sent first.
	slices.SortStableFunc(all, func(a, b Message) int { return early(b) - early(a) })
	return all
}

// Balanced returns the messages that the balanced profile sends.
func Balanced(all []Message) []Message {
	return slices.DeleteFunc(slices.Clone(all), func(m Message) bool { return !m.Balanced })
}

// Wire returns the message as bytes, with this id where the message has a valid
// one, and without the line end.
func (m *Message) Wire(id int64) []byte { return m.wire(id, m.size) }

// Cuts are the offsets at which the bytes are divided into several writes.
func (m *Message) Cuts() []int { return m.cuts }

// Smaller returns the same message at a tenth of the size; false if size does
// not matter or is already small.
func (m *Message) Smaller() (Message, bool) {
	small := *m
	small.size /= smaller
	return small, small.size >= leastSize
}

// Control returns a ping that is malformed in the same way. A server that
// crashes on it too fails in parsing, not in the method. It returns false if a
// ping cannot have the defect.
func (m *Message) Control() (Message, bool) {
	c := *m
	c.wire, c.Method, c.Tool, c.Call = m.control, "ping", "", false
	return c, m.control != nil
}

const (
	smaller   = 10
	leastSize = 100
)

func early(m Message) int {
	if m.Early {
		return 1
	}
	return 0
}
