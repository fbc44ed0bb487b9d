// Package unmarked decides whether the result of a tool refuses the call though it is
// not marked as an error: many servers return "Error: jobId is required", or
// {"success": false}, as they would return anything else.
//
// In: a result, and the arguments of the call. Out: the words of the refusal, which
// package refusal reads as it reads any other.
//
// The decision is for a result wherever that is in doubt: what it says decides what is
// called again and what counts as working, and nothing about what a call did. The text
// is hostile. Its size is bounded, and the time is linear.
package unmarked

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Bounds of a result that may be a refusal: what is longer holds something.
// no gap: a longer one is a result
const (
	maxResult = 64 << 10
	maxBlocks = 8
	// maxElements bounds the elements of a list that are all errors.
	maxElements = 8
	// maxEchoed bounds the arguments in which the words of a result are looked for.
	maxEchoed = 1 << 20
	// maxInner is how deep what refuses may be wrapped, as in {"result": ...}.
	maxInner = 3
)

// Refusal returns the words with which the result of a tool refuses a call though it
// is not marked as an error, and "" if it does not. A result refuses if all that it
// holds says so: JSON whose own members say that the call failed, and that has nothing
// else to give, or a short text that begins with words of refusal. A result that holds
// anything else, that speaks of errors further down, or that repeats its arguments, is
// an honest one.
func Refusal(result, arguments json.RawMessage) string {
	if len(result) > maxResult || !jsonrpc.IsObject(result) {
		return ""
	}
	var r toolResult
	if json.Unmarshal(result, &r) != nil || r.IsError == true || len(r.Content) > maxBlocks {
		return ""
	}
	o := &decision{arguments: arguments}
	why := ""
	for _, c := range r.Content {
		switch {
		case c.Type != "text":
			return "" // a picture or a document
		case strings.TrimSpace(c.Text) == "" || why != "" && advice.MatchString(c.Text):
			continue
		}
		words := o.text(c.Text, 0)
		if words == "" {
			return ""
		}
		why = cmp.Or(why, words)
	}
	if isNothing(r.Structured) {
		return why
	}
	words := o.value(r.Structured, 0)
	if words == "" {
		return ""
	}
	return cmp.Or(why, words)
}

// toolResult is what is read of a result.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured any `json:"structuredContent"`
	IsError    any `json:"isError"`
}

// decision is the one on a result.
type decision struct {
	arguments json.RawMessage
	sent      any // the arguments, once they are needed
	read      bool
}

// value returns the words with which a JSON value refuses.
func (o *decision) value(v any, depth int) string {
	if depth > maxInner {
		return ""
	}
	switch v := v.(type) {
	case string:
		return o.text(v, depth+1)
	case map[string]any:
		if inner := wrapped(v); inner != nil {
			return o.value(inner, depth+1)
		}
		if o.object(v, false) {
			return written(v)
		}
	case []any:
		if len(v) == 0 || len(v) > maxElements {
			return ""
		}
		for _, e := range v {
			if m, ok := e.(map[string]any); !ok || !o.object(m, true) {
				return "" // one of them is a result
			}
		}
		return written(v)
	}
	return ""
}

// wrapped returns the only value of an object whose name says nothing, else nil.
func wrapped(object map[string]any) any {
	var only any
	for name, v := range object {
		switch {
		case isNothing(v) && v != false: // "success": false says something
		case only != nil:
			return nil
		default:
			switch plainName(name) {
			case "result", "data", "response", "output", "content", "text", "message", "msg", "detail":
				only = v
			default:
				return nil
			}
		}
	}
	return only
}

// written writes a value that refuses.
func written(v any) string {
	out, err := jsonrpc.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}

// isNothing reports whether a value holds nothing.
func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// repeats reports whether a text stands in an argument of the call: a tool that returns
// what it got does not speak for itself.
func (o *decision) repeats(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return text != "" && o.some(o.args(), func(sent any) bool {
		s, ok := sent.(string)
		return ok && strings.Contains(strings.ToLower(s), text)
	})
}

// repeated reports whether a member of a result is an argument of the call.
func (o *decision) repeated(name string, value any) bool {
	sent, ok := o.args().(map[string]any)
	if !ok {
		return false
	}
	own, there := sent[name]
	return there && sameText(own, value)
}

// sameText reports whether two values are written alike.
func sameText(a, b any) bool { return written(a) == written(b) }

// args returns the arguments of the call.
func (o *decision) args() any {
	if !o.read && len(o.arguments) <= maxEchoed {
		_ = json.Unmarshal(o.arguments, &o.sent) // what is no JSON is repeated by nobody
	}
	o.read = true
	return o.sent
}

// some reports whether a value or one inside it is like that.
func (o *decision) some(v any, is func(any) bool) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if o.some(e, is) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if o.some(e, is) {
				return true
			}
		}
	}
	return is(v)
}
