package order

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// rememberRule finds orders to keep something for later sessions.
type rememberRule struct {
	tools *Resolver
	found *Ledger
}

// find adds an order if something is to be kept for later sessions.
func (r *rememberRule) find(s *utterance) bool {
	senses := s.Each("memory", "keeps", "later")
	if len(senses) == 0 || s.isSummary() && s.imperativeScore() == 0 || s.doneByPeople() || !keptAtAll(s, senses) {
		return false
	}
	memory, keeps, later := s.Has("memory"), s.nearby(1, "keeps"), s.Has("later")
	tool := r.tools.toolFor(s, s.Imperatives("call", "pass", "memory"))
	able := tool >= 0 && r.tools.Profiles[tool].Can(toolkit.CanRemember)
	if !able && !(later && (memory || keeps)) && !s.Has("memory-noun") && !(memory && s.nearby(1, "agent")) {
		return false
	}
	value := statementToKeep(s, senses)
	n := min(s.imperativeScore(), 2)
	for _, yes := range []bool{memory, keeps, later, able, s.Has("memory-noun"), s.QuotedText() == value, strings.Contains(value, "@"), strings.Contains(value, "://")} {
		if yes {
			n++
		}
	}
	least := 3
	if s.Place.Part == InResult && !s.Hidden && s.Near(0, len(s.Words), "i", "me", "my", "us", "our", "mir", "mich") {
		least = 5 // people write such sentences to each other
	}
	if value == "" || n < least {
		return false
	}
	r.found.add(s, Found{Order: Order{Action: Remember, What: promptscan.Printable(value)}, Value: value, Via: tool, Ability: toolkit.CanRemember})
	return true
}

// keptAtAll reports whether something is to be kept, and nothing is excluded
// from the memory.
func keptAtAll(s *utterance, senses []promptscan.Sense) bool {
	yes := false
	for _, m := range senses {
		switch {
		case m.Class == "later":
		case s.Near(m.From-6, m.From, "out") || unkept(s, m) && !s.Is(m.From, "memory-noun"):
			return false
		case !unkept(s, m):
			yes = true
		}
	}
	return yes
}

// unkept reports whether something is not to be kept, or is only mentioned.
func unkept(s *utterance, m promptscan.Sense) bool {
	return s.Forbidden(m.From) || s.Near(m.From-4, m.From, "out") || s.when.Covers(m.From) || s.Words[m.From].Quoted
}

// statementToKeep is the text to keep: in quotation marks, behind a colon or a
// dash, or right after "that".
func statementToKeep(s *utterance, senses []promptscan.Sense) string {
	if q := s.QuotedText(); q != "" {
		return Clip(q)
	}
	from, to := s.Extent()
	for _, m := range senses {
		rest := s.Source[max(from, min(to, s.Words[m.To-1].End)):to]
		for _, sep := range []string{": ", "：", " - ", " – ", " — "} {
			if _, after, ok := strings.Cut(rest, sep); ok && (len(strings.Fields(after)) > 2 || len(after) > 12) {
				return Clip(strings.TrimSpace(after))
			}
		}
		if at := that.FindStringIndex(rest); at != nil && at[0] < 60 {
			return Clip(strings.TrimSpace(rest[at[1]:]))
		}
	}
	return ""
}

// that matches the beginning of the text to keep.
var that = lazyregexp.New(`(?i)^[^.:;\n]*?[ ,](?:that|dass|que|что|che|że|ze|dat|att|że|ki)\s`)
