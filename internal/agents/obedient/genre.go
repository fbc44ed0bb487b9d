package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
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

func genreOf(text string, sentences []promptscan.Sentence) genre {
	p := genre{program: strings.HasPrefix(text, "#!") || len(programText.FindAllStringIndex(text, 2)) > 1}
	p.manual = !p.program && heading.MatchString(text) // its comments are no headings
	for i := range sentences {
		p.agent = p.agent || slices.ContainsFunc(sentences[i].Senses, func(m promptscan.Sense) bool { return m.Class == "agent" })
	}
	return p
}
