package markdown

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/mdtext"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// flows describes a toxic flow in a paragraph.
func flows(r *mcpsf.Report) string {
	g := digest.Flows(r)
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
			if i == phrase.MaxSubjects {
				tools = append(tools, fmt.Sprintf("%d more", len(leg.Tools)-i))
				break
			}
			if names[id] != "" {
				tools = append(tools, mdtext.Code(names[id], phrase.MaxName/2))
			}
		}
		s := leg.Role.Words()
		if len(tools) > 0 {
			s += " (" + strings.Join(tools, ", ") + ")"
		}
		legs = append(legs, s)
	}
	return fmt.Sprintf("**Toxic flow, %s:** by itself this server gives an agent %s. %s That is a property, not a finding; %s tells it of several servers together.\n\n",
		f.Level, strings.Join(legs[:2], ", ")+" and a "+legs[2], f.Level.Meaning(), mdtext.Code("mcpsf flows", phrase.MaxName))
}
