package assess

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/unmarked"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxReason bounds the reason why a tool did not work.
// no gap: bounds what is shown
const maxReason = 200

// toolCoverage says of each tool how far it was tried.
func toolCoverage(s *mcpsf.Session, events []mcpsf.Event) []mcpsf.ToolCoverage {
	list, at := make([]mcpsf.ToolCoverage, len(s.Tools)), map[string]*mcpsf.ToolCoverage{}
	for i := range s.Tools {
		list[i].Name = s.Tools[i].Name
		if at[s.Tools[i].Name] == nil { // the calls of a name that is listed twice count once
			at[s.Tools[i].Name] = &list[i]
		}
	}
	best, unsure := map[string]mcpsf.Effort{}, map[string]string{}
	for i := range s.Calls {
		c := &s.Calls[i]
		t := at[c.Tool]
		if t == nil || c.Tool == "" {
			continue
		}
		t.Called++
		if c.Status == mcpsf.CallOK {
			t.Worked++
			if c.Doubtful {
				t.Doubtful, unsure[c.Tool] = t.Doubtful+1, c.Note
			}
			continue
		}
		if c.Effort < best[c.Tool] {
			continue // why a test was refused says little
		}
		best[c.Tool], t.Reason = c.Effort, string(c.Status)
		if c.Note != "" {
			t.Reason = c.Note
		}
	}
	countAttacks(at, events)
	for i := range list {
		sayWhy(&list[i], unsure[list[i].Name])
	}
	return list
}

// countAttacks counts the attacks on each tool, and those that it answered with a
// result.
func countAttacks(at map[string]*mcpsf.ToolCoverage, events []mcpsf.Event) {
	sent := map[string]json.RawMessage{} // the parameters of a call
	for i := range events {
		m := events[i].MCP
		if m == nil || m.FromServer && events[i].Kind == mcpsf.KindMCPRequest || m.Attack == nil || at[m.Tool] == nil {
			continue
		}
		switch t := at[m.Tool]; {
		case events[i].Kind == mcpsf.KindMCPRequest:
			t.Attacked++
			sent[events[i].Call] = m.Body
		case events[i].Kind == mcpsf.KindMCPResponse && !m.Failed && !refused(m.Body, sent[events[i].Call]):
			t.Answered++
		}
	}
}

// refused reports whether an answer refuses a call though it is not marked as an error.
func refused(answer, params json.RawMessage) bool {
	if unmarked.Refusal(answer, nil) == "" {
		return false
	}
	var p struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	return json.Unmarshal(params, &p) != nil || unmarked.Refusal(answer, p.Arguments) != ""
}

// sayWhy keeps the reason of a tool that never worked, or never for sure, in one line,
// and says what may help.
func sayWhy(t *mcpsf.ToolCoverage, doubt string) {
	switch {
	case t.Worked > 0 && t.Doubtful < t.Worked:
		t.Reason = ""
		return
	case t.Worked > 0:
		t.Reason = "only answers that may be refusals: " + doubt
	case t.Called == 0:
		t.Reason = "it was not called"
	}
	t.Help = helpFor(t.Reason)
	t.Reason = safetext.Line(strings.Join(strings.Fields(t.Reason), " "), maxReason)
}

// Reasons that somebody can do something about.
var (
	wantsVariable = lazyregexp.New(`\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b`)
	wantsProgram  = lazyregexp.New(`(?i)spawn ([\w.-]{1,40}) ENOENT|([\w.-]{1,40}): (?:command )?not found|executable file not found[^:]*: *"?([\w.-]{1,40})|\[Errno 2\] No such file or directory: '([\w.-]{1,40})'`)
	wantsBrowser  = lazyregexp.New(`(?i)could not find chrom|chromium distribution|browserType\.launch|executable doesn't exist`)
	wantsLogin    = lazyregexp.New(`(?i)\b401\b|unauthori[sz]ed|api key|access token|not authenticated|log ?in first|credentials`)
	wantsService  = lazyregexp.New(`(?i)ECONNREFUSED|connection refused|failed to connect|fetch failed`)
)

// helpFor says what may make a tool work that failed for a reason.
func helpFor(reason string) string {
	if m := wantsVariable.FindStringSubmatch(reason); m != nil && wantsLogin.MatchString(reason) {
		return "--env " + m[1] + "=..."
	}
	if m := wantsProgram.FindStringSubmatch(reason); m != nil {
		return "install " + strings.Join(m[1:], "") + " on this machine"
	}
	switch {
	case wantsBrowser.MatchString(reason):
		return "install Chromium on this machine"
	case wantsLogin.MatchString(reason):
		return "an account: --env with a credential of a test account, and --network allow for its host"
	case wantsService.MatchString(reason):
		return "a service that it connects to: --network allow for its host"
	}
	return ""
}
