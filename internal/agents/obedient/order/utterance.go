package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/decoding"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/grammar"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/shell"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// utterance is a sentence with its context.
type utterance struct {
	*text
	grammar.Statement
	index int
	// nearSecrecy is set near a sentence that asks for secrecy, followed for
	// texts that the model was told to follow.
	nearSecrecy, followed bool
	// when says when the order is to be carried out.
	when condition
	// genre describes the whole text, siblings are its sentences, commands the
	// commands in this sentence.
	genre    genre
	siblings []utterance
	commands []string
	// mentions caches the tools that it names.
	mentions []mention
	searched bool
}

// setCondition sets the condition.
func (s *utterance) setCondition(c condition) { s.when, s.Clause = c, c.Span }

// isAboutOrders reports whether the sentence is about orders, or only quotes
// them: "detects texts such as ...".
func (s *utterance) isAboutOrders() bool {
	if s.Hidden {
		return false
	}
	return s.Has("about") && !s.Has("address", "before") || s.AllQuoted()
}

// speaksToModel reports whether more than the form of a verb addresses the
// model.
func (s *utterance) speaksToModel() bool {
	return s.Hidden || s.nearSecrecy || s.followed || s.Has("address", "before", "agent", "owe", "now", "only-after", "threat")
}

// isSummary reports whether this is the first sentence of a description, which
// says what the tool does.
func (s *utterance) isSummary() bool {
	return s.Place.Part == InTool && s.index == 0 && s.param == "" && s.how == ""
}

// startsWithPurpose reports whether the sentence is advice for a purpose: "to
// delete it, call ...".
func (s *utterance) startsWithPurpose() bool {
	if len(s.Words) < 3 || s.Words[0].Text != "to" {
		return false
	}
	return !words().Phrases.Goals.Has(s.Words[1].Text)
}

// mentionsVault reports whether the sentence mentions a password store.
func (s *utterance) mentionsVault() bool {
	return slices.ContainsFunc(s.Each("vault"), func(m promptscan.Sense) bool { return !s.Words[m.From].Name })
}

// utterancesIn splits the texts, and what they decode to, into sentences.
func utterancesIn(texts []text) []utterance {
	var out []utterance
	room := decoding.MaxPlain
	for i := range texts {
		t := &texts[i]
		value := t.value
		if t.role == promptscan.RoleName {
			value = strings.Join(toolkit.SplitWords(value, 20), " ")
		}
		out = append(out, utterancesOf(t, value)...)
		if t.role == promptscan.RoleName {
			continue
		}
		for _, d := range decoding.All(t.value, &room) {
			coded := *t
			coded.how = d.How
			out = append(out, utterancesOf(&coded, d.Plain)...)
		}
	}
	return out
}

// utterancesOf splits one text.
func utterancesOf(t *text, source string) []utterance {
	sentences := grammar.Read(source)
	out := make([]utterance, len(sentences))
	quiet := -10
	about := genreOf(source, sentences)
	for i := range sentences {
		out[i] = utterance{text: t, index: i, nearSecrecy: i-quiet < 5, genre: about, siblings: out, Statement: grammar.Statement{
			Sentence: sentences[i], Hidden: t.how != "", Typed: t.Place.Part == InTurn,
		}}
		if !sentences[i].AsksSecrecy() {
			continue
		}
		quiet = i
		for j := max(0, i-4); j <= i; j++ {
			out[j].nearSecrecy = true
		}
	}
	assignCommands(out, source)
	return out
}

// assignCommands assigns each command to its sentence.
func assignCommands(list []utterance, source string) {
	i := 0
	for _, at := range shell.Find(source) {
		for i+1 < len(list) && len(list[i+1].Words) > 0 && list[i+1].Words[0].Start <= at[0] {
			i++
		}
		if i < len(list) && len(list[i].Words) > 0 && list[i].Words[0].Start > at[0] {
			i = 0
		}
		if i < len(list) {
			list[i].commands = append(list[i].commands, source[at[0]:at[1]])
		}
	}
}
