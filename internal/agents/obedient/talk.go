package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// chatFinder finds the conversation, and what else only the model has.
type chatFinder struct{ *utterance }

// chat finds the conversation, as far as it is meant as a thing.
func (s chatFinder) chat() []asset {
	for _, m := range s.each("conversation", "conv-said", "conv") {
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "part-of") || s.Words[m.From].Quoted && !s.Words[0].Quoted {
			continue
		}
		words := s.words(m)
		switch {
		case strings.HasSuffix(words, "user") && !s.within(m.To, m.To+5, "utter"), s.topical(m.To):
			continue
		case strings.Contains(words, "tool"):
			return []asset{{kind: results, from: m.From, to: m.To}}
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
		t := asset{kind: theChat, from: m.From, to: m.To}
		whole := s.within(m.From-4, m.To+3, "conv-all", "content") || m.Class == "conv-said"
		t.faint = !whole
		if t.faint && s.near(m.From-2, m.From, "in", "of", "during", "across", "throughout", "this") && !s.within(m.From-3, m.From, "pass") {
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
		return []asset{{kind: theChat, from: max(0, u.From-1), to: u.To}}
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
func (s chatFinder) inner() []asset {
	var out []asset
	for _, m := range s.each("tools-list", "system", "earlier-results") {
		if m.Class == "tools-list" && s.near(m.From, m.To, "other") && s.class("instead", "prefer", "first-of-all") {
			continue // that is about which tool to use
		}
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "part-of") || m.Class == "system" && s.near(m.To, m.To+1, "of") && s.near(m.To+1, m.To+2, "a", "an", "the", "another") && !s.within(m.To, m.To+4, "agent") {
			continue
		}
		t := asset{kind: thePromp, from: m.From, to: m.To}
		switch words := s.words(m); {
		case m.Class == "earlier-results":
			t.kind = results
		case m.Class == "tools-list" || strings.Contains(words, "tool"):
			t.kind = theTools
		case strings.HasPrefix(words, "your") && !strings.Contains(words, "prompt"):
			t.faint = !s.within(m.From-3, m.To+3, "content")
		}
		out = slices.DeleteFunc(out, func(o asset) bool { return o.kind == t.kind && o.faint })
		if !slices.ContainsFunc(out, func(o asset) bool { return o.kind == t.kind }) {
			out = append(out, t)
		}
	}
	return out
}

// ticked is what stands in backticks.
var ticked = regexp.MustCompile("`([^`\n]{2,400})`")

// program is a word that a command begins with.
var program = regexp.MustCompile(`^(?:sudo |\$ )?(?:printenv|env|cat|curl|wget|echo|whoami|id|ls|rm|cp|mv|chmod|nc|ssh|scp|git|bash|sh|python3?|node|type|set|export|tar|base64|crontab|powershell|history|find|grep|dd|kill)\b`)

// commands are those that are to be run.
func commandsIn(s *utterance) []asset {
	from, to := s.span()
	var out []asset
	for _, at := range ticked.FindAllStringSubmatchIndex(s.source[from:to], 4) {
		command := s.source[from+at[2] : from+at[3]]
		first, last := s.wordsAt(from+at[2], from+at[3])
		if first < 0 || !program.MatchString(command) || !ordersRun(s, first) {
			continue
		}
		out = append(out, asset{kind: anOutput, name: command, from: first, to: last})
	}
	if len(out) > 0 || !s.class("shell-tool") && !s.near(0, len(s.Words), "terminal", "shell") {
		return out
	}
	raw := s.source[from:to]
	if at := strings.Index(raw, ": "); at > 0 && program.MatchString(strings.TrimSpace(raw[at+2:])) {
		first, last := s.wordsAt(from+at+2, to)
		if first > 0 && ordersRun(s, first) {
			out = append(out, asset{kind: anOutput, name: strings.TrimRight(strings.TrimSpace(raw[at+2:]), "."), from: first, to: last})
		}
	}
	return out
}

// run says whether an order to run something stands before a word.
func ordersRun(s *utterance, i int) bool {
	return slices.ContainsFunc(s.each("call"), func(m promptscan.Sense) bool {
		return m.To <= i && i-m.To < 9 && !s.Negated(m) && !s.when.covers(m.From) && s.near(m.From, m.To, "run", "running", "execute", "executing", "type", "exec", "fuhre", "ejecuta", "ejecute", "executez", "запусти", "выполни", "运", "执") && !s.near(m.From-4, m.From, "user", "them", "can")
	})
}

func (s *sentence) span() (int, int) {
	if len(s.Words) == 0 {
		return 0, 0
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return 0, 0
	}
	for from > 0 && strings.IndexByte("`'\"", s.source[from-1]) >= 0 {
		from--
	}
	for to < len(s.source) && strings.IndexByte("`'\")]}.;", s.source[to]) >= 0 {
		to++
	}
	return from, to
}

// wordsAt are the words that stand between two places, -1 if none does.
func (s *sentence) wordsAt(from, to int) (int, int) {
	first, last := -1, -1
	for i, w := range s.Words {
		if w.Start >= from && w.Start < to {
			if first < 0 {
				first = i
			}
			last = i + 1
		}
	}
	return first, last
}
