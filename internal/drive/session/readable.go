package session

import (
	"encoding/json"
	"slices"
	"strings"
)

// readable returns a result as a model reads it: its texts, placeholders for
// pictures and links, and the structured content if it differs from the texts.
func readable(result json.RawMessage) string {
	var r struct {
		Content  []json.RawMessage `json:"content"`
		Contents []json.RawMessage `json:"contents"` // of a resource
		Messages []struct {        // of a prompt
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	if json.Unmarshal(result, &r) != nil {
		return ""
	}
	blocks := slices.Concat(r.Content, r.Contents)
	for i := range r.Messages {
		blocks = append(blocks, r.Messages[i].Content)
	}
	var parts []string
	for _, b := range blocks {
		if text := readableBlock(b); text != "" {
			parts = append(parts, text)
		}
	}
	out := strings.Join(parts, "\n")
	if len(r.Structured) > 0 && string(r.Structured) != "null" && !sameJSON(out, r.Structured) {
		out = strings.TrimPrefix(out+"\n"+string(r.Structured), "\n")
	}
	return out
}

// readableBlock returns one content block as text. Other types than text get a
// placeholder.
func readableBlock(raw json.RawMessage) string {
	var b struct {
		Type, Text, Name, Title, Description, URI, MimeType string
		Alt, AltText                                        string
		Resource                                            json.RawMessage
		Annotations                                         json.RawMessage
	}
	if json.Unmarshal(raw, &b) != nil {
		return ""
	}
	if b.Type == "text" || b.Type == "" && b.Text != "" {
		return b.Text
	}
	var parts []string
	for _, part := range []string{b.Name, b.Title, b.Alt, b.AltText, b.Description, b.Text, b.URI} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(b.Resource) > 0 {
		parts = append(parts, readableBlock(b.Resource))
	}
	if len(b.Annotations) > 0 {
		var said struct{ Title, Alt, Description string }
		_ = json.Unmarshal(b.Annotations, &said)
		parts = append(parts, said.Title, said.Alt, said.Description)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// sameJSON reports whether a text is just that JSON value.
func sameJSON(text string, value json.RawMessage) bool {
	a, errA := canonicalJSON([]byte(text))
	b, errB := canonicalJSON(value)
	return errA == nil && errB == nil && a == b
}

func canonicalJSON(raw []byte) (string, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", err
	}
	out, err := json.Marshal(v)
	return string(out), err
}
