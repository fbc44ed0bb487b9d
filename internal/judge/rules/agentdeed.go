package rules

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// fillAgent describes what an agent was made to do: the text that made it is
// what the finding is about.
func (f *fields) fillAgent(d *mcpsf.AgentDetail) {
	f.What, f.Path, f.To = string(d.Action), d.What, d.To
	f.Program = d.Tool
	f.Why = fmt.Sprintf("%d of %d times and %d of %d without that text", d.Seen, d.Runs, d.SeenWithout, d.RunsWithout)
	if len(d.Causes) == 0 {
		return
	}
	c := &d.Causes[0]
	f.Of, f.Part, f.Detail, f.Subject = c.Of, c.Field, c.Quote, c.Name
	f.Tool = ""
	if c.Of == "tool" || c.Of == "result" {
		f.Tool = c.Name
	}
	if f.Subject == "" {
		f.Subject = c.Of
	}
}
