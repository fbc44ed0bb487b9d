package order

import (
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/grammar"
)

// prose is what is known of a text as a whole.
type genre struct {
	// manual is set for what is written for people who read headings, program
	// for source code, agent if agents are spoken of.
	manual, program, agent bool
}

var (
	heading     = regexp.MustCompile("(?m)^(?:#{1,5} +\\w|```)")
	programText = regexp.MustCompile(`(?m)^\s*(?:#!/|import |from \w+ import|package \w+$|def \w+\(|func \w+\(|const \w+ =|[-+]\s+\w+ = |\w+ = \w+[.(])`)
)

func genreOf(text string, sentences []grammar.Sentence) genre {
	p := genre{program: strings.HasPrefix(text, "#!") || len(programText.FindAllStringIndex(text, 2)) > 1}
	p.manual = !p.program && heading.MatchString(text) // its comments are no headings
	for i := range sentences {
		p.agent = p.agent || sentences[i].Has("agent")
	}
	return p
}
