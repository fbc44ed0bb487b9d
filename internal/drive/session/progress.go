package session

import (
	"encoding/json"
)

const methodProgress = "notifications/progress"

// reported is the request that the server reports progress of, nil if it is
// none of ours. The caller holds mu.
func (s *session) reported(method string, params json.RawMessage) *exchange {
	if method != methodProgress {
		return nil
	}
	var p struct {
		Token json.RawMessage `json:"progressToken"`
	}
	if !isObject(params) || json.Unmarshal(params, &p) != nil {
		s.noteLocked("reported progress that makes no sense")
		return nil
	}
	n, _, ok := (&envelope{ID: p.Token}).number()
	if !ok || n < 1 || n > int64(len(s.exchanges)) {
		s.noteLocked("reported progress of a request that was not made")
		return nil
	}
	return s.exchanges[n-1]
}
