// Package jsonrpc reads JSON-RPC messages of a peer that is not trusted. Bytes
// come in; frames, envelopes and raw JSON values of bounded size go out. No
// field is assumed to have the type that the protocol gives it.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Envelope is a JSON-RPC message with nothing assumed about the types of its
// fields. A field that is absent is nil; null is "null".
type Envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// Plausible reports whether the message looks like JSON-RPC at all.
func (e *Envelope) Plausible() bool {
	return e.Version != nil || e.Method != nil || e.HasID() && e.Answers()
}

// HasID reports whether the message has a request id.
func (e *Envelope) HasID() bool { return e.ID != nil && string(e.ID) != "null" }

// Answers reports whether the message carries an answer. Some servers write a
// null error beside a result for "no error".
func (e *Envelope) Answers() bool { return e.Result != nil || e.Failed() }

// Failed reports whether the message carries an error.
func (e *Envelope) Failed() bool { return e.Error != nil && string(e.Error) != "null" }

// Kind returns the kind of the message, junk if it is unknown.
func (e *Envelope) Kind() mcpsf.MessageKind {
	method, named := String(e.Method)
	named = named && method != ""
	switch {
	case e.Answers():
		return mcpsf.MessageResponse
	case named && e.HasID():
		return mcpsf.MessageRequest
	case named:
		return mcpsf.MessageNotification
	case e.HasID():
		return mcpsf.MessageResponse // an empty answer
	}
	return mcpsf.MessageJunk
}

// Number reads the id as one of ours, which are integers. exact is false if the
// server changed its form ("3", 3.0).
func (e *Envelope) Number() (id int64, exact, ok bool) {
	raw := string(e.ID)
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		return n, true, true
	}
	if s, isString := String(e.ID); isString {
		raw = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || f != float64(int64(f)) {
		return 0, false, false
	}
	return int64(f), false, true
}

// Peek reads the fields at the beginning of a message that was too long.
func Peek(head []byte) Envelope {
	var e Envelope
	dec := json.NewDecoder(bytes.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return e
	}
	for {
		key, err := dec.Token()
		if err != nil {
			return e
		}
		if key == "result" || key == "error" {
			e.Result = json.RawMessage("null")
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return e
		}
		switch key {
		case "id":
			e.ID = value
		case "method":
			e.Method = value
		}
	}
}

// IsAnswer reports whether an object is a JSON-RPC answer.
func IsAnswer(data []byte) bool {
	var e Envelope
	return IsObject(data) && json.Unmarshal(data, &e) == nil && e.Answers() && (e.Version != nil || e.HasID())
}

// IsErrorResult reports whether a tool's result is marked as an error.
func IsErrorResult(result json.RawMessage) bool {
	var r struct {
		IsError json.RawMessage `json:"isError"`
	}
	return IsObject(result) && json.Unmarshal(result, &r) == nil && IsTrue(r.IsError)
}
