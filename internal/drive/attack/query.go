package attack

import (
	"github.com/mcpsf/mcpsf"
)

// The rarer query languages share the construction of their payloads.

// queryPayloads fills forms with names, or with hosts if the sign is a request.
func queryPayloads(class string, sign mcpsf.AttackSign, forms [][2]string) func(*World, Place) []Payload {
	return func(w *World, p Place) []Payload {
		var all []Payload
		for i, f := range forms {
			marker := w.Word(class, i)
			if sign == mcpsf.SignRequest {
				marker += "." + w.Zone
			}
			all = append(all, Payload{Value: fill(f[0], p.text(), marker), Sign: sign, Marker: marker, Why: f[1]})
		}
		return all
	}
}
