package attackplan

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Bounds of a prompt's arguments.
// no gap: a prompt is fetched without the others, and a refusal is recorded
const (
	maxPromptArgs   = 50
	maxArgumentName = 1 << 10
)

// PromptArgument is an argument of a prompt.
type PromptArgument struct{ Name, Description string }

// PromptArguments reads the arguments of a prompt as listed.
func PromptArguments(raw json.RawMessage) []PromptArgument {
	var listed struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(raw, &listed) != nil {
		return nil
	}
	var list []PromptArgument
	jsonrpc.Elements(listed.Arguments, maxPromptArgs, func(raw json.RawMessage, _ int64) {
		var a struct{ Name, Description json.RawMessage }
		if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &a) != nil {
			return
		}
		if name, ok := jsonrpc.String(a.Name); ok && len(name) <= maxArgumentName {
			description, _ := jsonrpc.String(a.Description)
			list = append(list, PromptArgument{name, description})
		}
	})
	return list
}
