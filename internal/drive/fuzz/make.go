package fuzz

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// other is added to an id for a second request in the same message.
const other = 1 << 20

// text encodes a JSON string.
func text(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `""` // encoding a string cannot fail
	}
	return string(raw)
}

// request encodes a valid request.
func request(id int64, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}`, id, text(method), params)
}

func notice(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%s,"params":%s}`, text(method), params)
}

// call is a request for a tool; its name and arguments are JSON.
func call(id int64, name, arguments string) string {
	return request(id, "tools/call", `{"name":`+name+`,"arguments":`+arguments+`}`)
}

func ping(id int64) string { return request(id, "ping", `{}`) }

// asked is the target's call that worked.
func (t *Target) asked(id int64) string { return call(id, text(t.Tool), t.arguments()) }

func (t *Target) arguments() string {
	if !json.Valid(t.Arguments) {
		return `{}`
	}
	return string(t.Arguments)
}

// fields are the arguments of a call that worked.
func (t *Target) fields() map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(t.Arguments, &fields) // none if it is not an object
	return fields
}

// each returns the arguments with every value replaced.
func (t *Target) each(value string) string {
	fields := t.fields()
	if len(fields) == 0 {
		return `{"value":` + value + `}`
	}
	for name := range fields {
		fields[name] = json.RawMessage(mark)
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return `{}`
	}
	return replaced(string(raw), value)
}

// constant is a message in which only the id varies.
func constant(build func(id int64) string) func(int64, int) []byte {
	return func(id int64, _ int) []byte { return []byte(build(id)) }
}

// fixed is a message without a valid id.
func fixed(s string) func(int64, int) []byte {
	return func(int64, int) []byte { return []byte(s) }
}

// withID is a ping whose id is written as given.
func withID(id string) func(int64, int) []byte {
	return fixed(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{}}`)
}

// Told formats a message for reports: long repetitions are counted and
// unprintable bytes escaped.
func Told(wire []byte) string {
	var out []byte
	for i := 0; i < len(wire) && len(out) < maxTold; {
		unit, times := repeated(wire[i:])
		if times*unit < leastRun {
			out = append(out, wire[i])
			i++
			continue
		}
		out = append(out, wire[i:i+unit]...)
		out = fmt.Appendf(out, "<%d times>", times)
		i += unit * times
	}
	cut := len(out) >= maxTold
	quoted := strconv.Quote(string(out))
	told := unquoted(quoted[1 : len(quoted)-1])
	if cut {
		told += "..."
	}
	return told
}

// no gap: bounds our own malformed messages
const (
	maxTold  = 600
	leastRun = 40
	// mark is replaced by a value that may be invalid JSON.
	mark = `"\u0001"`
	// maxUnit is the longest text whose repetitions are counted.
	maxUnit = 8
)

// repeated returns the text that the bytes begin with and how often it is
// repeated.
func repeated(b []byte) (unit, times int) {
	for unit = 1; unit <= maxUnit && 2*unit <= len(b); unit++ {
		n := unit
		for n < len(b) && b[n] == b[n-unit] {
			n++
		}
		if times = n / unit; times*unit >= leastRun {
			return unit, times
		}
	}
	return 1, 1
}
