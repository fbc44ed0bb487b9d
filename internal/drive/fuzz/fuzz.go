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

// Message is one malformed or unusual message. Exactly one thing about it is
// wrong, so that a crash can be explained.
type Message struct {
	// Why says what is odd about it, in a few words.
	Why string
	// Family groups messages that are wrong in the same way: a server that
	// crashes on one mostly crashes on all.
	Family Family
	// Call is set if it is a valid request and only its arguments are unusual: an
	// agent could be made to send it.
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

// The families, in the order they are sent. The most informative come first.
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

// All are the messages for the tools of a server. The first tool is used for
// everything except the messages about arguments, which each tool gets.
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

// Telling are the messages that the profile balanced sends.
func Telling(all []Message) []Message {
	return slices.DeleteFunc(slices.Clone(all), func(m Message) bool { return !m.Telling })
}

// Wire returns the message as bytes, with this id where the message has a valid
// one, and without the line end.
func (m *Message) Wire(id int64) []byte { return m.wire(id, m.size) }

// Cuts are the offsets at which the bytes are divided into several writes.
func (m *Message) Cuts() []int { return m.cuts }

// Smaller is the same message at a tenth of the size; false if size does not matter
// or is small already.
func (m *Message) Smaller() (Message, bool) {
	small := *m
	small.size /= smaller
	return small, small.size >= leastSize
}

// Control is a ping that is malformed in the same way. A server that crashes on
// it too fails in parsing, not in the method. It is false if the malformation has no
// meaning in a ping.
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
