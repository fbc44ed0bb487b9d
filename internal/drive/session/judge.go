package session

import (
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/unmarked"
)

// judge interprets an answer and records it. It returns the result if it is
// usable.
func (q *requester) judge(x *exchange, r request, a answer) (json.RawMessage, error) {
	status, note := mcpsf.CallOK, ""
	switch {
	case a.garbled != "":
		status, note = mcpsf.CallGarbled, a.garbled
	case a.refused != "":
		status, note = mcpsf.CallRefused, a.refused
		q.refusal = json.RawMessage(`{}`)
	case a.failure != nil:
		status, note = mcpsf.CallRefused, describe(a.failure)
		q.refusal = a.failure
	case !jsonrpc.IsObject(a.result):
		status, note = mcpsf.CallGarbled, "the result is not an object"
		q.ledger.Note("answered with a result that is not an object")
	case jsonrpc.IsErrorResult(a.result):
		status, note = mcpsf.CallRefused, firstText(a.result, maxNote)
	case r.method == protocol.MethodCall && !postponed(&r, a.result):
		q.checkContent(a.result)
		if q.unmarked = unmarked.Refusal(a.result, r.arguments); q.unmarked != "" {
			status, note = mcpsf.CallRefused, q.unmarked
		} else {
			q.doubt = unmarked.Doubt(a.result, r.arguments)
			note = q.doubt
		}
	}
	return a.result, q.record(x, r, status, note, nil)
}

// postponed reports whether the result comes later: from a task, or after the
// server has asked the client something.
func postponed(r *request, result json.RawMessage) bool {
	params, _ := r.params.(map[string]any)
	return params["task"] != nil || asksBack(result)
}

// describe formats a JSON-RPC error, whatever the types of its fields.
func describe(failure json.RawMessage) string {
	var e struct {
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
	}
	if !jsonrpc.IsObject(failure) || json.Unmarshal(failure, &e) != nil {
		short, _ := jsonrpc.Clip(string(failure), maxNote)
		return "error " + short
	}
	code, _ := jsonrpc.Clip(string(e.Code), 16)
	message, ok := jsonrpc.String(e.Message)
	if !ok {
		message = string(e.Message)
	}
	message, _ = jsonrpc.Clip(message, maxNote)
	return fmt.Sprintf("error %s: %s", code, message)
}

// content is one content block of a tool's result.
type content struct {
	Type json.RawMessage `json:"type"`
	Text json.RawMessage `json:"text"`
}

// maxContent bounds how many content blocks of a result are read.
// no gap: bounds notes about defects; results are scanned whole
const maxContent = 100

// contents returns the content blocks of a result and whether they are a list.
func contents(result json.RawMessage) (pieces []content, list bool) {
	var r struct {
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(result, &r) != nil {
		return nil, false
	}
	list, _ = jsonrpc.Elements(r.Content, maxContent, func(raw json.RawMessage, _ int64) {
		var c content
		if jsonrpc.IsObject(raw) && json.Unmarshal(raw, &c) == nil {
			pieces = append(pieces, c)
		}
	})
	return pieces, list
}

// firstText returns the text of a result that is marked as an error.
func firstText(result json.RawMessage, limit int) string {
	pieces, _ := contents(result)
	for _, p := range pieces {
		if text, ok := jsonrpc.String(p.Text); ok {
			short, _ := jsonrpc.Clip(text, limit)
			return short
		}
	}
	return ""
}

// checkContent notes the defects of a tool's result.
func (q *requester) checkContent(result json.RawMessage) {
	pieces, list := contents(result)
	if !list {
		q.ledger.Note("returned a tool result without a content list")
	}
	for _, p := range pieces {
		switch kind, _ := jsonrpc.String(p.Type); kind {
		case "text":
			if _, ok := jsonrpc.String(p.Text); !ok {
				q.ledger.Note("returned text content that is not a string")
			}
		case "image", "audio", "resource", "resource_link":
		default:
			q.ledger.Note("returned content of an unknown type")
		}
	}
}
