// Package fuzz knows messages that a server should survive. A tool and a call
// of it that worked go in; messages come out, from those that any client may
// send by mistake to those that are no messages at all.
//
// Everything here is pure. No message asks for anything that does harm: what
// is odd about it is its form.
package fuzz

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Message is one thing to send. What is right about it is as it should be, so
// that only one thing is wrong.
type Message struct {
	// Why says what is odd about it, in a few words.
	Why string
	// Family is what it has in common with others: a server that one of them
	// crashes is mostly crashed by all.
	Family Family
	// Call says that it is a proper request for a tool, and only what is asked
	// for is odd: an agent can be led to send it.
	Call bool
	// Method and Tool are what it asks for, where it does.
	Method, Tool string
	// Early messages come before initialize.
	Early bool
	// Telling ones are sent by a balanced run, too.
	Telling bool

	// wire makes the bytes, of a size where it has one.
	wire func(id int64, size int) []byte
	size int
	// cuts are where the bytes are cut into several writes.
	cuts []int
	// control is the same oddity where it means nothing.
	control func(id int64, size int) []byte
}

// Family of messages.
type Family string

// The families, in the order they are sent in: those first that say most.
const (
	Call     Family = "call"     // arguments of a tool
	Tool     Family = "tool"     // names of tools
	Order    Family = "order"    // what comes when
	Notice   Family = "notice"   // notifications
	Params   Family = "params"   // parameters of other types
	Keys     Family = "keys"     // names of fields
	Envelope Family = "envelope" // the fields of JSON-RPC
	Text     Family = "text"     // characters
	Size     Family = "size"     // long ones
	Depth    Family = "depth"    // deep ones
	JSON     Family = "json"     // what is not JSON, or not one message a line
)

// Target is what the messages ask for.
type Target struct {
	// Tool is a tool of the server and Arguments are such that it works with.
	Tool      string
	Arguments json.RawMessage
}

// All are the messages for the tools of a server, the first of which stands
// for all but the messages about arguments.
func All(tools []Target) []Message {
	if len(tools) == 0 {
		tools = []Target{{Tool: "none", Arguments: json.RawMessage(`{}`)}}
	}
	var all []Message
	for i := range tools {
		more := calls(&tools[i])
		for j := range more {
			more[j].Telling = more[j].Telling && i == 0
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
			m.Tool = t.Tool // which it asks for beside what is odd
		}
	}
	// What comes before initialize can only come first.
	slices.SortStableFunc(all, func(a, b Message) int { return early(b) - early(a) })
	return all
}

// Telling are those of the messages that a balanced run sends.
func Telling(all []Message) []Message {
	return slices.DeleteFunc(slices.Clone(all), func(m Message) bool { return !m.Telling })
}

// Wire is the message on the wire, with that id where it has a proper one. It
// is without the end of line that follows.
func (m *Message) Wire(id int64) []byte { return m.wire(id, m.size) }

// Cuts are where the bytes are to be cut into several writes.
func (m *Message) Cuts() []int { return m.cuts }

// Smaller is the same message of a tenth of the size; there is none where size
// does not matter, or is small already.
func (m *Message) Smaller() (Message, bool) {
	small := *m
	small.size /= smaller
	return small, small.size >= leastSize
}

// Control is a ping with the same oddity where it means nothing. A server that
// crashes on that, too, fails at reading and not at what was asked for. There is
// none for oddities that only mean something where they stand.
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
