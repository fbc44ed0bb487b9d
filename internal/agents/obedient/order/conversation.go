package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// chatFinder finds the conversation, and other data that only the model has.
type chatFinder struct{ *utterance }

// find finds the conversation where its text is meant.
func (s chatFinder) find() []Asset {
	for _, m := range s.Each("conversation", "conv-said", "conv") {
		if s.IsNegated(m.From) || s.Within(m.From-3, m.From, "part-of") || s.Words[m.From].Quoted && !s.Words[0].Quoted {
			continue
		}
		phrase := s.Phrase(m)
		switch {
		case strings.HasSuffix(phrase, "user") && !s.Within(m.To, m.To+5, "utter"), s.topical(m.To):
			continue
		case strings.Contains(phrase, "tool"):
			return []Asset{{Kind: AssetResults, from: m.From, to: m.To}}
		case phrase == "all previous" || phrase == "everything above" || phrase == "your memory" || phrase == "your context":
			continue
		}
		if s.NearSet(m.To, m.To+1, words().Conversations.Parts) ||
			s.NearSet(m.To, m.To+4, words().Conversations.Channels) {
			continue
		}
		if s.partFrom(m) {
			continue
		}
		t := Asset{Kind: AssetConversation, from: m.From, to: m.To}
		whole := s.Within(m.From-4, m.To+3, "conv-all", "content") || m.Class == "conv-said"
		t.weak = !whole
		if t.weak && s.Near(m.From-2, m.From, "in", "of", "during", "across", "throughout", "this") && !s.Within(m.From-3, m.From, "pass") {
			continue
		}
		return []Asset{t}
	}
	return s.uttered()
}

// uttered finds "everything the user said or wrote", in any words.
func (s chatFinder) uttered() []Asset {
	for _, u := range s.Each("utter") {
		if s.IsNegated(u.From) || s.topical(u.To) || !s.Within(u.From-7, u.To+5, "user", "people-noun") || !s.Within(u.From-9, u.To+6, "whatever", "sofar") || s.partFrom(u) {
			continue
		}
		return []Asset{{Kind: AssetConversation, from: max(0, u.From-1), to: u.To}}
	}
	return nil
}

// partFrom reports whether only a part is meant: "the name of the article from
// what the user wrote" is a name.
func (s chatFinder) partFrom(m promptscan.Sense) bool {
	return s.Near(m.From-3, m.From, "from") && s.Near(m.From-10, m.From-1, "of") && !s.Within(m.From-10, m.From, "conv-all", "sofar", "content")
}

// topical reports whether only what is said about one topic is meant.
func (s chatFinder) topical(i int) bool {
	for j := i; j < min(i+6, len(s.Words)); j++ {
		if j > i && s.Words[j].Lead {
			return false
		}
		if s.Near(j, j+1, "about") && (j+1 == len(s.Words) || s.Words[j+1].Lead) {
			return false // the subject of the conversation
		}
		if s.NearSet(j, j+1, words().Conversations.About) {
			return true
		}
	}
	return false
}

// findContext finds data that only the model has: its instructions, its tools,
// their results.
func (s chatFinder) findContext() []Asset {
	var out []Asset
	for _, m := range s.Each("tools-list", "system", "earlier-results") {
		if m.Class == "tools-list" && s.Near(m.From, m.To, "other") && s.Has("instead", "prefer", "first-of-all") {
			continue // this is about which tool to use
		}
		if s.IsNegated(m.From) || s.Within(m.From-3, m.From, "part-of") || m.Class == "system" && s.Near(m.To, m.To+1, "of") && s.Near(m.To+1, m.To+2, "a", "an", "the", "another") && !s.Within(m.To, m.To+4, "agent") {
			continue
		}
		t := Asset{Kind: AssetSystemPrompt, from: m.From, to: m.To}
		switch phrase := s.Phrase(m); {
		case m.Class == "earlier-results":
			t.Kind = AssetResults
		case m.Class == "tools-list" || strings.Contains(phrase, "tool"):
			t.Kind = AssetToolList
		case strings.HasPrefix(phrase, "your") && !strings.Contains(phrase, "prompt"):
			t.weak = !s.Within(m.From-3, m.To+3, "content")
		}
		out = slices.DeleteFunc(out, func(o Asset) bool { return o.Kind == t.Kind && o.weak })
		if !slices.ContainsFunc(out, func(o Asset) bool { return o.Kind == t.Kind }) {
			out = append(out, t)
		}
	}
	return out
}
