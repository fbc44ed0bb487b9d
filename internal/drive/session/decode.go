package session

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// envelope is a JSON-RPC message with nothing assumed about the types of its
// fields. A field that is absent is nil; null is "null".
type envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// plausible reports whether this is meant to be JSON-RPC at all.
func (e *envelope) plausible() bool {
	return e.Version != nil || e.Method != nil || e.hasID() && e.answers()
}

func (e *envelope) hasID() bool { return e.ID != nil && string(e.ID) != "null" }

// answers reports whether it carries an answer. A null error beside a result
// is what some servers write for "no error".
func (e *envelope) answers() bool { return e.Result != nil || e.failed() }

func (e *envelope) failed() bool { return e.Error != nil && string(e.Error) != "null" }

// kind says what the message is, junk if it is nothing we know.
func (e *envelope) kind() mcpsf.MessageKind {
	method, named := asString(e.Method)
	named = named && method != ""
	switch {
	case e.answers():
		return mcpsf.MessageResponse
	case named && e.hasID():
		return mcpsf.MessageRequest
	case named:
		return mcpsf.MessageNotification
	case e.hasID():
		return mcpsf.MessageResponse // an answer with nothing in it
	}
	return mcpsf.MessageJunk
}

// number reads an id as one of ours. They are integers on the wire; exact is
// false when the server turned it into something else ("3", 3.0).
func (e *envelope) number() (id int64, exact, ok bool) {
	raw := string(e.ID)
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		return n, true, true
	}
	if s, isString := asString(e.ID); isString {
		raw = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || f != float64(int64(f)) {
		return 0, false, false
	}
	return int64(f), false, true
}

// peek reads what it can from the beginning of a message that was too long.
func peek(head []byte) envelope {
	var e envelope
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

// asString decodes a JSON string and refuses everything else.
func asString(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// isTrue accepts true and "true".
func isTrue(raw json.RawMessage) bool {
	return string(bytes.Trim(raw, `"`)) == "true"
}

// elements calls yield for each element of a JSON array, at most limit times,
// with the offset after the element. It reports whether raw is an array and
// whether all of it was given.
func elements(raw []byte, limit int, yield func(element json.RawMessage, end int64)) (array, all bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return false, false
	}
	for range limit {
		if !dec.More() {
			return true, true
		}
		var element json.RawMessage
		if dec.Decode(&element) != nil {
			return true, false
		}
		yield(element, dec.InputOffset())
	}
	return true, !dec.More()
}

// body cuts raw JSON to limit. What is too long becomes a JSON string of its
// beginning, because half an object is not JSON.
func body(raw json.RawMessage, limit int) (json.RawMessage, bool) {
	if len(raw) <= limit {
		return raw, false
	}
	return text(raw, limit)
}

// text makes a JSON string of b that is no longer than limit.
func text(b []byte, limit int) (out json.RawMessage, cut bool) {
	const worst = 6 // bytes an escaped byte can take
	if len(b) > limit {
		b, cut = b[:runeStart(b, limit)], true
	}
	out = quote(b)
	if len(out) > limit {
		b, cut = b[:runeStart(b, min(len(b), limit/worst-1))], true
		out = quote(b)
	}
	return out, cut
}

// runeStart returns the largest index up to n that does not split a rune.
func runeStart(b []byte, n int) int {
	for i := n; i > 0 && i > n-utf8.UTFMax && i < len(b); i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return n
}

func quote(b []byte) json.RawMessage {
	out, err := marshal(string(b))
	if err != nil {
		return json.RawMessage(`""`) // a string cannot fail
	}
	return out
}

// marshal is json.Marshal without escapes for HTML: what we send and show is
// what was meant.
func marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// clip cuts a string for a note or a report field.
func clip(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	return s[:runeStart([]byte(s[:min(len(s), limit+1)]), limit)], true
}
