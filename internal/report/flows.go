package report

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// flowsOf is the graph of a server that brings untrusted input, private data and
// a way out together by itself; nil of any other. What it only says of itself
// does not count here.
func flowsOf(r *mcpsf.Report) *flows.Graph {
	if g := flows.Of(r); g.Worst().Reaches(flows.Seen) {
		return g
	}
	return nil
}

// mdFlows tells that in a paragraph.
func mdFlows(r *mcpsf.Report) string {
	g := flowsOf(r)
	if g == nil {
		return ""
	}
	f := g.Flows[0]
	names := map[string]string{}
	for _, t := range g.Tools {
		names[t.ID] = t.Name
	}
	var legs []string
	for _, leg := range f.Legs {
		var tools []string
		for i, id := range leg.Tools {
			if i == maxSubjects {
				tools = append(tools, fmt.Sprintf("%d more", len(leg.Tools)-i))
				break
			}
			if names[id] != "" {
				tools = append(tools, code(names[id], maxName/2))
			}
		}
		s := leg.Role.Words()
		if len(tools) > 0 {
			s += " (" + strings.Join(tools, ", ") + ")"
		}
		legs = append(legs, s)
	}
	return fmt.Sprintf("**Toxic flow, %s:** by itself this server gives an agent %s. %s That is a property, not a finding; %s tells it of several servers together.\n\n",
		f.Level, strings.Join(legs[:2], ", ")+" and a "+legs[2], f.Level.Meaning(), code("mcpsf flows", maxName))
}
