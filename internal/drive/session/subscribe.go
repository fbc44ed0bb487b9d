package session

import "github.com/mcpsf/mcpsf"

const methodListen = "subscriptions/listen"

// speakLouder has every request ask for all there is to log.
func (s *session) speakLouder() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loud = true
}

// subscribe asks a server without sessions to tell what changes. The answer
// comes when it stops to, so nobody waits for it.
func (s *session) subscribe() {
	if s.hasSessions() {
		return
	}
	o := s.offered()
	wanted := map[string]any{}
	if o.Tools != nil && isTrue(o.Tools.Changes) {
		wanted["toolsListChanged"] = true
	}
	if o.Prompts != nil && isTrue(o.Prompts.Changes) {
		wanted["promptsListChanged"] = true
	}
	if o.Resources != nil && isTrue(o.Resources.Changes) {
		wanted["resourcesListChanged"] = true
	}
	if len(wanted) == 0 {
		return
	}
	x, out, err := s.open(request{method: methodListen, params: map[string]any{"notifications": wanted}})
	if err != nil {
		s.opts.Logger.Warn("subscription was not made", "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.post(out)
	s.out.Calls = append(s.out.Calls, mcpsf.Call{ID: x.call, Method: x.method, Status: mcpsf.CallOK, Note: "stays open"})
}
