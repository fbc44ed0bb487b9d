package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// transferRule finds orders to pass private data on.
type transferRule struct {
	tools *Resolver
	last  *recent
	found *Ledger
}

// find adds an order if private data is to go to an address, a parameter or a
// tool.
func (r *transferRule) find(s *utterance, assets []Asset, sinks []sink) bool {
	put, call := s.Imperatives("pass", "goes", "passed", "does-pass"), s.Imperatives("call", "called")
	if len(put)+len(call) == 0 && !describesContent(s, assets) && !slices.ContainsFunc(sinks, func(k sink) bool { return relates(s, k, assets) }) {
		return false
	}
	if s.notForReader() {
		return false
	}
	if s.isSummary() && !s.speaksToModel() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.Channel == ViaTool && k.sure }) {
		return false // this is the purpose of the tool
	}
	via := r.tools.toolFor(s, call, put)
	if via >= 0 && !r.tools.Profiles[via].Private() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.Tool == via }) && via != s.Tool {
		sinks = append(sinks, sink{Channel: ViaTool, Tool: via, at: len(s.Words)})
	}
	done := false
	for _, k := range sinks {
		carried := r.carried(s, assets, k)
		if len(carried) == 0 || k.Channel == ViaTool && (passesPath(s) || len(put) == 0 && k.Tool == s.Tool && !relates(s, k, assets) && !describesContent(s, assets) && !s.Has("again")) {
			continue
		}
		if first := carried[0]; first.Kind == AssetResult && r.tools.Names.Find(first.Name, -1) != s.when.Tool && s.Place.Part == InTool {
			s.when.Moment, s.when.Tool = After, r.tools.Names.Find(first.Name, -1)
		}
		o := Found{Order: Order{Action: Send, To: k.Address}, Assets: carried, Sink: k, Via: via, Retry: s.Has("again")}
		if k.Channel == ViaTool {
			o.Action, o.To = Pass, r.tools.Names.Tools[k.Tool].Name+" "+k.Param
		}
		r.found.add(s, o)
		done = true
	}
	return done
}

// carried is the data that goes to a sink.
func (r *transferRule) carried(s *utterance, assets []Asset, k sink) []Asset {
	var out []Asset
	for _, t := range assets {
		switch {
		case t.Kind == AssetConversation && k.Channel == ViaTool && r.tools.isAboutChats(k.Tool) && !s.Near(0, len(s.Words), "this", "our", "current", "you", "your", "user"):
		case separated(s, t, k), t.to > 0 && trivial(s, t), k.Channel == ViaTool && r.tools.fits(s, t, k) < -2:
		case k.Channel == ViaTool && t.from < k.at && passesName(s, k):
		case t.weak && k.Channel == ViaTool && t.Kind != AssetConversation, t.Kind == AssetSecret && k.Channel == ViaTool && secretName(k.Param) && !t.indirect, k.at >= t.from && k.at < t.to && !t.indirect:
		default:
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(s.Imperatives("pass", "goes", "passed", "call", "does-pass")) == 0 || k.Channel == ViaTool && k.Tool == s.Tool && !r.goesOn(s) && !r.ofOther(s) {
		return nil
	}
	return r.meantByIt(s, k)
}

// ofOther reports whether the result of another tool is meant.
func (r *transferRule) ofOther(s *utterance) bool {
	return s.Has("results") && s.Place.Part == InTool && slices.ContainsFunc(r.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool { return m.tool != s.Tool })
}

// goesOn reports whether "it" was mentioned before.
func (r *transferRule) goesOn(s *utterance) bool { return len(r.last.assets) > 0 && s.Has("pronoun") }

// meantByIt finds what a pronoun refers to.
func (r *transferRule) meantByIt(s *utterance, k sink) []Asset {
	if len(r.last.assets) > 0 && s.Has("pronoun") && (passesIt(s, k.at) || k.Channel == ViaTool) {
		return r.last.assets
	}
	if wasRead(s) {
		return []Asset{{Kind: AssetLastRead}}
	}
	if !s.Has("pronoun", "results") && !(s.Has("data") && s.Has("owned")) {
		return nil
	}
	if k.Channel != ViaTool && s.Near(k.at-2, k.at, "to") && s.Near(k.at-3, k.at, "reply", "respond", "answer", "write") {
		return nil // names the receiver, but no content
	}
	switch {
	case s.when.explicit && s.when.Tool >= 0 && s.when.Moment != Before:
		return []Asset{{Kind: AssetResult, Name: r.tools.Names.Tools[s.when.Tool].Name}}
	case s.Place.Part == InTool && k.Tool != s.Tool && (s.Has("results") || s.Has("content") || s.when.Moment == After):
		if m := r.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != k.Tool && !r.tools.Profiles[m[0].tool].Can(toolkit.CanMail) && !r.tools.Profiles[m[0].tool].Can(toolkit.CanPost) {
			return []Asset{{Kind: AssetResult, Name: r.tools.Names.Tools[m[0].tool].Name}}
		}
		return []Asset{{Kind: AssetResult, Name: r.tools.Names.Tools[s.Tool].Name}}
	case s.Place.Part == InTool && k.Tool == s.Tool && s.Has("results"):
		if m := r.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != s.Tool {
			return []Asset{{Kind: AssetResult, Name: r.tools.Names.Tools[m[0].tool].Name}}
		}
	case s.Place.Part == InResult && s.Has("agent", "hush") && s.Has("results", "content", "data"):
		return []Asset{{Kind: AssetResult, Name: s.Place.Tool}}
	}
	return nil
}

// wasRead reports whether the read data is meant: "what you have read".
func wasRead(s *utterance) bool {
	for _, m := range s.Each("got") {
		if s.Near(m.From-3, m.From, "you") && s.Near(m.From-5, m.From, "what", "whatever", "text", "content", "contents", "everything") {
			return true
		}
	}
	return false
}

// describesContent reports whether a parameter's description names the data to
// put into it.
func describesContent(s *utterance, assets []Asset) bool {
	if s.param == "" || s.role != promptscan.RoleProse || !s.Has("content", "conv-all", "owned") {
		return false
	}
	return slices.ContainsFunc(assets, func(t Asset) bool {
		switch t.Kind {
		case AssetFile:
			return !t.weak && t.Name != ".env" && promptscan.SecretPath(t.Name)
		case AssetSecret:
			return !t.weak && (s.mentionsVault() || s.Has("user") || s.Near(0, len(s.Words), "you"))
		}
		return !t.weak
	})
}

// relates reports whether an asset belongs to a sink, as in "note has to be the
// content of X" and "it needs the text of X in note": parameter and asset are
// in one sentence, and nothing says that only the asset's name or path is
// meant.
func relates(s *utterance, k sink, assets []Asset) bool {
	if k.Channel != ViaTool {
		return due(s, k, assets)
	}
	if !k.sure || k.at >= len(s.Words) && s.param == "" {
		return false
	}
	if s.Within(k.at-3, k.at+5, "hedge") || s.Within(k.at-4, k.at, "path-of") {
		return false
	}
	return slices.ContainsFunc(assets, func(t Asset) bool {
		switch {
		case t.weak && t.Kind != AssetConversation, s.Within(min(k.at, t.from), max(k.at, t.from), "hedge") && !s.Within(t.from-6, t.from, "content"):
			return false
		case t.Kind == AssetFile && pathlike(k.Param):
			return s.Within(t.from-6, t.from, "content")
		}
		return true
	})
}

// due reports whether an asset and an address are in one sentence that
// addresses the model, whatever the verb. "Is sent" describes what happens
// anyway.
func due(s *utterance, k sink, assets []Asset) bool {
	if !s.Hidden && !s.nearSecrecy && !s.Has("address", "agent", "owe", "now", "only-after") && !s.Near(0, len(s.Words), "you") || s.Has("hedge") || s.Demand == 0 && s.when.explicit {
		return false
	}
	for _, m := range s.Each("passed", "got", "called") {
		if s.Near(m.From-2, m.From, "is", "are", "was", "were", "been") && !s.Within(m.From-6, m.From, "owe") {
			return false
		}
	}
	return slices.ContainsFunc(assets, func(t Asset) bool { return !t.weak && !s.LineBreak(t.from, k.at) })
}

// passesPath reports whether the path is passed, and not the file's content.
func passesPath(s *utterance) bool {
	put := s.Imperatives("pass", "passed")
	return len(put) > 0 && !slices.ContainsFunc(put, func(v promptscan.Sense) bool { return !s.Within(v.To, v.To+3, "path-of") })
}

// passesName reports whether the parameter itself is passed, without any
// content for it: "pass `context` to use another one".
func passesName(s *utterance, k sink) bool {
	return s.English() && slices.ContainsFunc(s.Imperatives("pass"), func(v promptscan.Sense) bool {
		return k.at >= v.To && k.at-v.To < 2 && !s.Near(v.To, k.at, "as", "in", "into", "to", "via") && !s.Within(k.at+1, len(s.Words), "pronoun") && !s.Near(k.at+1, k.at+2, "with")
	})
}
