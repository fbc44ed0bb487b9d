package history

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// describeProposal looks for a private file, a place of persistence or a
// stranger's host in the values of a request that the server made, also where
// they are encoded. A host in plain text is what many honest ids are, so it
// counts only where it was hidden.
func (r *Run) describeProposal(e *mcpsf.Event, f *event.Fields) {
	c := r.Calls.ByID[e.Call]
	if c == nil || e.Kind != mcpsf.KindMCPRequest || e.MCP.FromServer || len(c.server) == 0 {
		return
	}
	for _, a := range c.Each() {
		if a.key || a.from == "" {
			continue
		}
		if r.proposes(f, &a, a.Value, nil) {
			return
		}
		for _, d := range lex.Decode(a.Value) {
			if r.proposes(f, &a, d.Text, d.Ways) {
				return
			}
		}
	}
}

// proposes tells whether a text names something that no server may choose, and
// then describes it.
func (r *Run) proposes(f *event.Fields, a *argument, text string, ways []string) bool {
	for _, p := range paths.Find(text, r.Declared.Scope.Home, []string{r.Declared.Scope.WorkDir}) {
		if paths.Under(p, r.Declared.Scope.WorkDir) {
			continue
		}
		secret := len(r.Declared.Purpose.OwnerOf(p).Places) > 0 && !r.Declared.Purpose.Covers(f.Phase, p)
		if secret || r.Declared.Places.Persistent(p) {
			f.ProposedPath = p
		}
	}
	if len(ways) > 0 && f.ProposedPath == "" && (!lex.Scrambles(ways) || strings.Contains(text, "http://") || strings.Contains(text, "https://")) {
		for _, host := range hostname.Find(text) {
			named := strings.Contains(text, "://"+host) && strings.Contains(host, ".") || hostname.IsOne(host)
			if named && r.Declared.Hosts.Explain(host).By <= declared.ByServer {
				f.ProposedHost = host
			}
		}
	}
	if f.ProposedPath == "" && f.ProposedHost == "" {
		return false
	}
	f.ProposedIn, f.ProposedFrom, f.Encoding = a.Name, string(a.from), strings.Join(ways, " in ")
	return true
}
