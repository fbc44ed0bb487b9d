package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// channel is how data leaves.
type channel string

// The channels.
const (
	viaMail channel = "mail"
	ViaWeb  channel = "web"
	ViaTool channel = "tool"
)

// sink is where data is to go.
type sink struct {
	Channel channel
	// Address is a mail address or URL; Tool and Param are a tool's parameter.
	Address string
	Tool    int
	Param   string
	at      int
	// sure is set if the parameter is marked as one.
	sure bool
}

// sinks finds where data is to go.
func (f *finder) sinks(s *utterance) []sink {
	var out []sink
	commands := commandsIn(s)
	for i, w := range s.Words {
		switch {
		case s.IsCited(i) || slices.ContainsFunc(commands, func(c Asset) bool { return c.from <= i && i < c.to }):
		case s.Within(i-2, i, "example") || s.IsNegated(i) && !s.Hidden:
		case w.Shape == promptscan.ShapeMail:
			out = append(out, sink{Channel: viaMail, Address: s.Literal(i), Tool: -1, at: i})
		case w.Shape == promptscan.ShapeURL && !linked(s, i):
			out = append(out, sink{Channel: ViaWeb, Address: s.Literal(i), Tool: -1, at: i})
		}
	}
	out = append(out, f.aliases.sinks(s)...)
	if p, ok := f.slot(s); ok {
		out = append(out, p)
	}
	if len(out) > 4 {
		out = out[:4]
	}
	return out
}

// linked reports whether the address is the target of a link or picture.
func linked(s *utterance, i int) bool {
	at := s.Words[i].Start
	return at >= 2 && at <= len(s.Source) && s.Source[at-2:at] == "](" || at >= 5 && at <= len(s.Source) && (strings.HasSuffix(s.Source[:at], `src="`) || strings.HasSuffix(s.Source[:at], `href="`))
}
