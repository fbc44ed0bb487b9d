package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// The limits of an answer.
// gap: model-payloads
const (
	maxItems  = 128
	maxAnswer = 1 << 20
	// maxStarts is how many positions are tried that look like JSON.
	maxStarts = 64
)

// answer is what a model proposed, unchecked, and what is wrong with the answer
// as a whole.
type answer struct {
	items []json.RawMessage
	lost  []string
}

// read extracts the proposals from a reply: from the requested call or, if
// there is none, from the text.
func read(r *llm.Reply) answer {
	var a answer
	cut := r.Stop == llm.StopLength
	for _, c := range r.Calls {
		if c.Name != answerTool {
			a.lose("the model called %s, which there is not", strconv.Quote(safetext.Line(c.Name, maxName)))
			continue
		}
		text := c.Broken
		if c.Arguments != nil {
			text = string(c.Arguments)
		}
		items, short := findPayloads(text)
		a.items, cut = append(a.items, items...), cut || short
	}
	proposed := called(r)
	if len(a.items) == 0 {
		items, short := findPayloads(r.Text)
		a.items, cut = items, cut || short && len(items) > 0
	}
	if len(a.items) > maxItems {
		a.lose("the model proposed %d payloads, of which %d are looked at", len(a.items), maxItems)
		a.items = a.items[:maxItems]
	}
	switch {
	case r.Stop == llm.StopRefusal:
		a.lose("the model refused")
	case cut:
		a.lose("the answer of the model was cut")
	case len(a.items) == 0 && !proposed:
		a.lose("the model proposed nothing, and said: %s", strconv.Quote(safetext.Line(r.Text, maxLine)))
	}
	return a
}

// called says whether the model answered with the requested call. Then an empty
// list is a valid answer.
func called(r *llm.Reply) bool {
	for _, c := range r.Calls {
		if c.Name == answerTool && c.Arguments != nil {
			return true
		}
	}
	return false
}

func (a *answer) lose(format string, args ...any) {
	a.lost = append(a.lost, fmt.Sprintf(format, args...))
}

// findPayloads finds payloads in a text: a list, an object with such a list, or
// single ones, with any other words around. Of a truncated list the complete
// elements count.
func findPayloads(text string) (items []json.RawMessage, cut bool) {
	text = text[:min(len(text), maxAnswer)]
	for range maxStarts {
		at := strings.IndexAny(text, "{[")
		if at < 0 || len(items) > maxItems {
			return items, false
		}
		text = text[at:]
		value, size, err := first(text)
		found := payloadsIn(value)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			if begun := elements(text); len(begun) > 0 {
				return append(items, begun...), true
			}
			text = text[1:]
		case err != nil || found == nil:
			text = text[1:]
		default:
			items, text = append(items, found...), text[size:]
		}
	}
	return items, false
}

// first reads the JSON value at the beginning of a text.
func first(text string) (value json.RawMessage, size int, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	err = d.Decode(&value)
	return value, int(d.InputOffset()), err
}

// payloadsIn are the payloads in a value, nil if it is something else.
func payloadsIn(value json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && list != nil {
		for _, one := range list {
			if !isPayload(one) {
				return nil
			}
		}
		return list
	}
	var object struct {
		Payloads json.RawMessage `json:"payloads"`
	}
	if json.Unmarshal(value, &object) == nil && object.Payloads != nil {
		var quoted string
		if json.Unmarshal(object.Payloads, &quoted) == nil { // some models write the list as a string
			object.Payloads = json.RawMessage(quoted)
		}
		if json.Unmarshal(object.Payloads, &list) == nil {
			return list
		}
	}
	if isPayload(value) {
		return []json.RawMessage{value}
	}
	return nil
}

// isPayload says whether a value looks like a payload.
func isPayload(value json.RawMessage) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(value, &fields) == nil && fields["class"] != nil
}

// elements are the payloads of the first list in a truncated text.
func elements(text string) []json.RawMessage {
	at := strings.IndexByte(text, '[')
	if at < 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text[at:]))
	if _, err := d.Token(); err != nil {
		return nil
	}
	var list []json.RawMessage
	for d.More() && len(list) <= maxItems {
		var one json.RawMessage
		if d.Decode(&one) != nil {
			break
		}
		if isPayload(one) {
			list = append(list, one)
		}
	}
	return list
}
