package obedient

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// noun: the description of a parameter is what belongs into it.
func describesContent(s *utterance, things []asset) bool {
	if s.param == "" || s.role != promptscan.RoleProse || !s.has("content", "conv-all", "owned") {
		return false
	}
	return slices.ContainsFunc(things, func(t asset) bool {
		switch t.kind {
		case assetFile:
			return !t.weak && t.name != ".env" && promptscan.SecretPath(t.name)
		case assetSecret:
			return !t.weak && (s.mentionsVault() || s.has("user") || s.near(0, len(s.Words), "you"))
		}
		return !t.weak
	})
}

// relates: "note has to be the content of X", "it needs the text of X in note":
// the parameter and the thing stand in one sentence, and nothing says that only
// its name or path is meant.
func relates(s *utterance, k sink, things []asset) bool {
	if k.channel != viaTool {
		return due(s, k, things)
	}
	if !k.sure || k.at >= len(s.Words) && s.param == "" {
		return false
	}
	if s.within(k.at-3, k.at+5, "hedge") || s.within(k.at-4, k.at, "path-of") {
		return false
	}
	return slices.ContainsFunc(things, func(t asset) bool {
		switch {
		case t.weak && t.kind != assetConversation, s.within(min(k.at, t.from), max(k.at, t.from), "hedge") && !s.within(t.from-6, t.from, "content"):
			return false
		case t.kind == assetFile && pathlike(k.param):
			return s.within(t.from-6, t.from, "content")
		}
		return true
	})
}

// due: something private and an address stand in one sentence that speaks to
// the model, whatever the verb. "Is sent" tells of what happens anyway.
func due(s *utterance, k sink, things []asset) bool {
	if !s.hidden && !s.nearSecrecy && !s.has("address", "agent", "owe", "now", "only-after") && !s.near(0, len(s.Words), "you") || s.has("hedge") || s.demand == 0 && s.when.explicit {
		return false
	}
	for _, m := range s.each("passed", "got", "called") {
		if s.near(m.From-2, m.From, "is", "are", "was", "were", "been") && !s.within(m.From-6, m.From, "owe") {
			return false
		}
	}
	return slices.ContainsFunc(things, func(t asset) bool { return !t.weak && !s.lineBreak(t.from, k.at) })
}

// passesPath: it is the path that goes there, not what is in the file.
func passesPath(s *utterance) bool {
	put := s.imperatives("pass", "passed")
	return len(put) > 0 && !slices.ContainsFunc(put, func(v promptscan.Sense) bool { return !s.within(v.To, v.To+3, "path-of") })
}

// passesName: "pass `context` to use another one": the parameter is what is
// passed, and nothing is said of what belongs into it.
func passesName(s *utterance, k sink) bool {
	return s.english() && slices.ContainsFunc(s.imperatives("pass"), func(v promptscan.Sense) bool {
		return k.at >= v.To && k.at-v.To < 2 && !s.near(v.To, k.at, "as", "in", "into", "to", "via") && !s.within(k.at+1, len(s.Words), "pronoun") && !s.near(k.at+1, k.at+2, "with")
	})
}
