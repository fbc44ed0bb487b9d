// Package llmtest is a provider of models for tests: servers that speak the
// APIs of OpenAI and Anthropic, with streaming, and answer as a script says.
//
// In: requests of a client, checked as strictly as the real servers check them.
// Out: the script's answers in the real format, or one of the ways in which
// providers fail. Only tests and examples import it.
package llmtest

import (
	"encoding/json"
	"net/http"
)

// Script answers a request. It is called for one request at a time.
type Script func(r *Request) Answer

// Request is a client's request, in one form for both APIs.
type Request struct {
	N           int // counted from 1
	Path        string
	Header      http.Header
	Body        json.RawMessage // as sent
	Model       string
	Stream      bool
	System      string
	Messages    []Message
	Tools       []Tool
	Seed        *int64
	MaxTokens   int
	Temperature *float64
}

// Last is the message to answer.
func (r *Request) Last() Message { return r.Messages[len(r.Messages)-1] }

// Has says whether the client sent a parameter.
func (r *Request) Has(param string) bool {
	var top map[string]json.RawMessage
	if json.Unmarshal(r.Body, &top) != nil {
		return false
	}
	_, ok := top[param]
	return ok
}

// Message is one message of a conversation. Tool results are messages of the
// user, as with Anthropic.
type Message struct {
	Role     string
	Text     string
	Calls    []Call
	Results  []Result
	Thinking []string // signatures
}

// Tool is a tool that a client offers.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Call is a call of a tool. Arguments need not be JSON.
type Call struct{ ID, Name, Arguments string }

// Result is the result of a call.
type Result struct {
	ID, Text string
	IsError  bool
}

// Answer is a reply, or a fault, or a reply with a fault in the middle.
type Answer struct {
	Text     string
	Thinking string // before the text
	Refusal  string
	Calls    []Call
	Stop     string // in the API's words; "" is the right one
	In, Out  int    // tokens; 0 means some number
	Quirks   Quirk
	Fault    *Fault
}

// Say answers with text.
func Say(text string) Answer { return Answer{Text: text} }

// Do answers with calls.
func Do(calls ...Call) Answer { return Answer{Calls: calls} }

// Steps answers requests in order, and repeats the last answer.
func Steps(answers ...Answer) Script {
	return func(r *Request) Answer { return answers[min(r.N, len(answers))-1] }
}

// Quirk is how a server differs from the API that it imitates.
type Quirk uint

// The quirks. Those about calls belong to servers that imitate OpenAI.
const (
	NoIndex         Quirk = 1 << iota // calls have no index
	ZeroIndex                         // all calls have index 0
	NoID                              // calls have no id
	OneChunk                          // a call comes in one piece
	ObjectArguments                   // arguments are an object, not a string
	NoUsage                           // tokens are not counted
	Comments                          // comments and pings keep the connection busy
	NoDone                            // the stream ends without an end event
	StopWithCalls                     // "stop" is the reason, although there are calls
	Whole                             // the answer is not streamed although asked to
	NoChoices                         // the answer is empty
	CRLF                              // lines end with CRLF
	NoNames                           // events have no name
	OtherChoice                       // there is a second choice that was not requested
	PartsContent                      // text comes as a list of parts
)

func (q Quirk) has(one Quirk) bool { return q&one != 0 }
