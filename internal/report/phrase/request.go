package phrase

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/wording"
)

// Request returns a request in readable form: the tool or prompt and its
// arguments, or the resource. The report in JSON has it as it is sent.
func Request(request string) string {
	var r struct {
		Method string `json:"method"`
		Params struct {
			Name      json.RawMessage `json:"name"` // stays escaped, because the server chose it
			Arguments json.RawMessage `json:"arguments"`
			URI       json.RawMessage `json:"uri"`
		} `json:"params"`
	}
	if json.Unmarshal([]byte(request), &r) != nil {
		return request // including a truncated one
	}
	switch {
	case (r.Method == "tools/call" || r.Method == "prompts/get") && len(r.Params.Name) > 0:
		return wording.Joined(r.Method+" "+strings.Trim(string(r.Params.Name), `"`), string(r.Params.Arguments))
	case r.Method == "resources/read" && len(r.Params.URI) > 0:
		return r.Method + " " + string(r.Params.URI)
	}
	return request
}
