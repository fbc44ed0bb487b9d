package session

import (
	"encoding/json"
	"maps"
)

const (
	// maxInputRounds is how often a server may ask back about one request.
	maxInputRounds = 8
	// maxInputs is how much it may ask each time.
	maxInputs = 32
)

// furnish answers what the server needs to know before it can answer a
// request, and makes the request again with that. It reports whether there is
// anything to be made.
func (s *session) furnish(r request, result json.RawMessage) (request, bool) {
	var need struct {
		Inputs map[string]json.RawMessage `json:"inputRequests"`
		State  json.RawMessage            `json:"requestState"`
	}
	params, ok := r.params.(map[string]any)
	if !ok || s.hasSessions() || !asksBack(result) || json.Unmarshal(result, &need) != nil {
		return r, false
	}
	params = maps.Clone(params)
	delete(params, "requestState")
	delete(params, "inputResponses")
	if need.State != nil {
		params["requestState"] = need.State
	}
	if answers := s.inputs(need.Inputs); len(answers) > 0 {
		params["inputResponses"] = answers
	}
	r.params = params
	return r, true
}

// asksBack tells whether a result is none yet.
func asksBack(result json.RawMessage) bool {
	var r struct {
		Type json.RawMessage `json:"resultType"`
	}
	if !isObject(result) || json.Unmarshal(result, &r) != nil {
		return false
	}
	kind, _ := asString(r.Type)
	return kind == "input_required"
}

// inputs are the answers to what was asked, by the names the server gave.
func (s *session) inputs(asked map[string]json.RawMessage) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	answers := map[string]any{}
	for name, raw := range asked {
		var q struct {
			Method json.RawMessage `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if len(answers) >= maxInputs || json.Unmarshal(raw, &q) != nil {
			continue
		}
		method, _ := asString(q.Method)
		if answer := s.favour(method, q.Params); answer != nil {
			answers[name] = answer
		}
	}
	return answers
}
