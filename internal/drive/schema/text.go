package schema

import (
	"errors"
	"strings"
)

// heldText is what a text of the input holds: a JSON document, or lines each of which
// is a JSON object.
type heldText struct {
	value any
	// lines says that value is a list of what stands in the lines; end is the end of
	// the last one.
	lines bool
	end   string
}

// openText reads what a text holds. Of a member that it has twice the last one counts.
func openText(text string) (heldText, bool) {
	if value, ok := asDocument(text); ok {
		return heldText{value: value}, true
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !strings.Contains(text, "\n") || len(text) > maxInput {
		return heldText{}, false
	}
	out := heldText{lines: true}
	if strings.HasSuffix(text, "\n") {
		out.end = "\n"
	}
	var list []any
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		value, _ := asDocument(line)
		if _, ok := value.(map[string]any); !ok || len(list) >= maxElements {
			return heldText{}, false
		}
		list = append(list, value)
	}
	out.value = list
	return out, true
}

// text writes it again.
func (h *heldText) text() (string, error) {
	if !h.lines {
		raw, err := encodeWithin(h.value, maxPut)
		return string(raw), err
	}
	list, ok := h.value.([]any)
	if !ok {
		return "", errors.New("these are no lines")
	}
	var out []string
	size := 0
	for _, value := range list {
		raw, err := encodeWithin(value, maxPut-size)
		if err != nil {
			return "", err
		}
		size += len(raw)
		out = append(out, string(raw))
	}
	return strings.Join(out, "\n") + h.end, nil
}
