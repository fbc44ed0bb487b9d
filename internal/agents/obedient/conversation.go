package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// chatFinder finds the conversation, and what else only the model has.
type chatFinder struct{ *utterance }

// chat finds the conversation, as far as it is meant as a thing.
func (s chatFinder) find() []asset {
	for _, m := range s.each("conversation", "conv-said", "conv") {
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "part-of") || s.Words[m.From].Quoted && !s.Words[0].Quoted {
			continue
		}
		words := s.phrase(m)
		switch {
		case strings.HasSuffix(words, "user") && !s.within(m.To, m.To+5, "utter"), s.topical(m.To):
			continue
		case strings.Contains(words, "tool"):
			return []asset{{kind: assetResults, from: m.From, to: m.To}}
		case words == "all previous" || words == "everything above" || words == "your memory" || words == "your context":
			continue
		}
		if s.near(m.To, m.To+1, "id", "ids", "title", "name", "language", "topic", "tool", "model", "app", "completion", "completions", "window", "partner", "room", "channel") ||
			s.near(m.To, m.To+4, "list", "channel", "group", "forum", "inbox", "mailbox", "board") {
			continue
		}
		if s.partFrom(m) {
			continue
		}
		t := asset{kind: assetConversation, from: m.From, to: m.To}
		whole := s.within(m.From-4, m.To+3, "conv-all", "content") || m.Class == "conv-said"
		t.weak = !whole
		if t.weak && s.near(m.From-2, m.From, "in", "of", "during", "across", "throughout", "this") && !s.within(m.From-3, m.From, "pass") {
			continue
		}
		return []asset{t}
	}
	return s.uttered()
}

// uttered: all that somebody has said or written, in any words.
func (s chatFinder) uttered() []asset {
	for _, u := range s.each("utter") {
		if s.negated(u.From, u.To) || s.topical(u.To) || !s.within(u.From-7, u.To+5, "user", "people-noun") || !s.within(u.From-9, u.To+6, "whatever", "sofar") || s.partFrom(u) {
			continue
		}
		return []asset{{kind: assetConversation, from: max(0, u.From-1), to: u.To}}
	}
	return nil
}

// partFrom: "the name of the article from what the user wrote" is a name.
func (s chatFinder) partFrom(m promptscan.Sense) bool {
	return s.near(m.From-3, m.From, "from") && s.near(m.From-10, m.From-1, "of") && !s.within(m.From-10, m.From, "conv-all", "sofar", "content")
}

// topical: only what concerns something is meant.
func (s chatFinder) topical(i int) bool {
	for j := i; j < min(i+6, len(s.Words)); j++ {
		if j > i && s.Words[j].Lead {
			return false
		}
		if s.near(j, j+1, "about") && (j+1 == len(s.Words) || s.Words[j+1].Lead) {
			return false // what was talked about
		}
		if s.near(j, j+1, "about", "regarding", "concerning", "uber", "sobre", "acerca", "sur", "о", "об", "関") {
			return true
		}
	}
	return false
}

// inner finds what only the model has: its instructions, its tools, what its
// tools have said.
func (s chatFinder) findContext() []asset {
	var out []asset
	for _, m := range s.each("tools-list", "system", "earlier-results") {
		if m.Class == "tools-list" && s.near(m.From, m.To, "other") && s.has("instead", "prefer", "first-of-all") {
			continue // that is about which tool to use
		}
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "part-of") || m.Class == "system" && s.near(m.To, m.To+1, "of") && s.near(m.To+1, m.To+2, "a", "an", "the", "another") && !s.within(m.To, m.To+4, "agent") {
			continue
		}
		t := asset{kind: assetSystemPrompt, from: m.From, to: m.To}
		switch words := s.phrase(m); {
		case m.Class == "earlier-results":
			t.kind = assetResults
		case m.Class == "tools-list" || strings.Contains(words, "tool"):
			t.kind = assetToolList
		case strings.HasPrefix(words, "your") && !strings.Contains(words, "prompt"):
			t.weak = !s.within(m.From-3, m.To+3, "content")
		}
		out = slices.DeleteFunc(out, func(o asset) bool { return o.kind == t.kind && o.weak })
		if !slices.ContainsFunc(out, func(o asset) bool { return o.kind == t.kind }) {
			out = append(out, t)
		}
	}
	return out
}
