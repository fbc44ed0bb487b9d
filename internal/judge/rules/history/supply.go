package history

import (
	"bytes"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/supply"
)

// describeSource fills in the host from which a result makes its reader take
// software, unless the caller or the user's configuration names it.
func (r *Run) describeSource(e *mcpsf.Event, f *event.Fields) {
	c := r.Calls.ByID[e.Call]
	if e.Kind != mcpsf.KindMCPResponse || e.MCP == nil || c == nil || !bytes.Contains(e.MCP.Body, []byte("://")) {
		return
	}
	for text := range lex.Strings(e.MCP.Body) {
		for _, source := range supply.Sources(text) {
			host := source.Host
			if strings.Contains(string(c.lower()), host) || r.Declared.Hosts.Explain(host).By >= declared.ByConfiguration {
				continue
			}
			f.InstallsFrom, f.FromIndex, f.Host = host, source.Index, host
			f.Domain = r.Domains.Of(host).Name
			return
		}
	}
}
