package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// digest identifies an ask by its content. Two asks with the same digest may
// get the same answer; length limits and sampling parameters do not count.
func digest(a *Ask) string {
	said := Ask{Purpose: a.Purpose, System: a.System, Seed: a.Seed}
	for _, t := range a.Turns {
		t.Thinking = canonical(t.Thinking)
		calls := t.Calls
		t.Calls = nil
		for _, c := range calls {
			c.Arguments = canonical(c.Arguments)
			t.Calls = append(t.Calls, c)
		}
		said.Turns = append(said.Turns, t)
	}
	for _, t := range a.Tools {
		t.Schema = canonical(t.Schema)
		said.Tools = append(said.Tools, t)
	}
	data, err := json.Marshal(said)
	if err != nil {
		return "" // check refuses invalid JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// canonical is JSON with sorted keys and without blanks.
func canonical(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if len(raw) == 0 || d.Decode(&v) != nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}
