package session

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// maxFields bounds how many fields of a form are filled in.
// no gap: the server gets the form without the others, and what it does then is seen
const maxFields = 100

// everyField makes all fields of a form required, because a user fills in every
// field.
func everyField(form json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if !jsonrpc.IsObject(form) || json.Unmarshal(form, &fields) != nil {
		return form
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(fields["properties"], &properties) != nil || len(properties) > maxFields {
		return form
	}
	required, err := jsonrpc.Marshal(slices.Sorted(maps.Keys(properties)))
	if err != nil || len(properties) == 0 {
		return form
	}
	fields["required"] = required
	whole, err := jsonrpc.Marshal(fields)
	if err != nil {
		return form
	}
	return whole
}
