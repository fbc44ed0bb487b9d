package mcpsf

import (
	"bytes"
	"encoding/json"
)

// CallName is the name that a call of the tool uses: as listed, however long.
// Name may be cut for reports.
func (t *Tool) CallName() string { return listedText(t.Raw, "name", t.Name) }

// CallName is the name that a request for the prompt uses.
func (p *Prompt) CallName() string { return listedText(p.Raw, "name", p.Name) }

// ReadURI is the address that a request for the resource uses.
func (r *Resource) ReadURI() string { return listedText(r.Raw, "uri", r.URI) }

// listedText returns a text of a listed entry, or otherwise if the entry has none
// or was not kept. Keys are compared exactly, as clients do.
func listedText(raw json.RawMessage, key, otherwise string) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return otherwise
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
		var text string
		if name == key && json.Unmarshal(value, &text) == nil && string(value) != "null" {
			otherwise = text // of two with the same key the last counts
		}
	}
	return otherwise
}
