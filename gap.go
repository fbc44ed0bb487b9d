package mcpsf

import "encoding/json"

// GapCode names a kind of gap. The table of internal/gap lists them all.
type GapCode string

// recorded is the code of a gap that was recorded as plain text. It has no type
// of its own: the schema lists the constants of a type as all its values.
const recorded = "recorded"

// Gap is something that a run could not see.
type Gap struct {
	Code GapCode `json:"code"`
	// Text says in plain words what was not seen.
	Text string `json:"text"`
	// Limit is the bound that was reached, 0 if there is none.
	Limit int64 `json:"limit,omitempty"`
	// Count is how many things were not seen, 0 if that is not known.
	Count int64 `json:"count,omitempty"`
	// Hides is set if a server can bring the gap about and hide a theft in it.
	Hides bool `json:"hides,omitempty"`
}

// UnmarshalJSON also takes plain text: the traces of the corpus were recorded
// when a gap had no code.
func (g *Gap) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*g = Gap{Code: recorded, Text: text}
		return nil
	}
	type plain Gap
	return json.Unmarshal(raw, (*plain)(g))
}
