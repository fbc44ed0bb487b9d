package services

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// maxFormParts is how many members of a body are looked at.
// no gap: bounds our own made-up answers
const maxFormParts = 100

// formOf describes what a request asks for where one path answers several questions.
// Of the query only what names an operation counts: its other names vary with what
// the caller leaves out.
func formOf(r *Request) string {
	words := map[string]string{}
	for name, values := range r.Query {
		if len(values) > 0 {
			words[name] = values[0]
		}
	}
	var names []string
	if strings.HasPrefix(r.Header("Content-Type"), "application/x-www-form-urlencoded") {
		if fields, err := url.ParseQuery(string(r.Kept)); err == nil && len(fields) <= maxFormParts {
			for name, values := range fields {
				names, words[name] = append(names, name), values[0]
			}
		}
		return shape.Form(names, words)
	}
	d := json.NewDecoder(bytes.NewReader(r.Kept))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return shape.Form(nil, words)
	}
	for range maxFormParts {
		name, err := d.Token()
		text, ok := name.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			break // all that is kept of it
		}
		names = append(names, text)
		var word string
		if value[0] == '"' && json.Unmarshal(value, &word) == nil {
			words[text] = word
		}
	}
	return shape.Form(names, words)
}
