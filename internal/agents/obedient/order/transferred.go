package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// noun: the description of a parameter is what belongs into it.
func describesContent(s *utterance, things []Asset) bool {
	if s.param == "" || s.role != promptscan.RoleProse || !s.Has("content", "conv-all", "owned") {
		return false
	}
	return slices.ContainsFunc(things, func(t Asset) bool {
		switch t.Kind {
		case AssetFile:
			return !t.weak && t.Name != ".env" && promptscan.SecretPath(t.Name)
		case AssetSecret:
			return !t.weak && (s.mentionsVault() || s.Has("user") || s.Near(0, len(s.Words), "you"))
		}
		return !t.weak
	})
}

// relates: "note has to be the content of X", "it needs the text of X in note":
// the parameter and the thing stand in one sentence, and nothing says that only
// its name or path is meant.
func relates(s *utterance, k sink, things []Asset) bool {
	if k.Channel != ViaTool {
		return due(s, k, things)
	}
	if !k.sure || k.at >= len(s.Words) && s.param == "" {
		return false
	}
	if s.Within(k.at-3, k.at+5, "hedge") || s.Within(k.at-4, k.at, "path-of") {
		return false
	}
	return slices.ContainsFunc(things, func(t Asset) bool {
		switch {
		case t.weak && t.Kind != AssetConversation, s.Within(min(k.at, t.from), max(k.at, t.from), "hedge") && !s.Within(t.from-6, t.from, "content"):
			return false
		case t.Kind == AssetFile && pathlike(k.Param):
			return s.Within(t.from-6, t.from, "content")
		}
		return true
	})
}

// due: something private and an address stand in one sentence that speaks to
// the model, whatever the verb. "Is sent" tells of what happens anyway.
func due(s *utterance, k sink, things []Asset) bool {
	if !s.Hidden && !s.nearSecrecy && !s.Has("address", "agent", "owe", "now", "only-after") && !s.Near(0, len(s.Words), "you") || s.Has("hedge") || s.Demand == 0 && s.when.explicit {
		return false
	}
	for _, m := range s.Each("passed", "got", "called") {
		if s.Near(m.From-2, m.From, "is", "are", "was", "were", "been") && !s.Within(m.From-6, m.From, "owe") {
			return false
		}
	}
	return slices.ContainsFunc(things, func(t Asset) bool { return !t.weak && !s.LineBreak(t.from, k.at) })
}

// passesPath: it is the path that goes there, not what is in the file.
func passesPath(s *utterance) bool {
	put := s.Imperatives("pass", "passed")
	return len(put) > 0 && !slices.ContainsFunc(put, func(v promptscan.Sense) bool { return !s.Within(v.To, v.To+3, "path-of") })
}

// passesName: "pass `context` to use another one": the parameter is what is
// passed, and nothing is said of what belongs into it.
func passesName(s *utterance, k sink) bool {
	return s.English() && slices.ContainsFunc(s.Imperatives("pass"), func(v promptscan.Sense) bool {
		return k.at >= v.To && k.at-v.To < 2 && !s.Near(v.To, k.at, "as", "in", "into", "to", "via") && !s.Within(k.at+1, len(s.Words), "pronoun") && !s.Near(k.at+1, k.at+2, "with")
	})
}
