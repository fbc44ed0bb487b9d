package order

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// transferRule finds orders to pass something private on.
type transferRule struct {
	tools *Resolver
	last  *recent
	found *Ledger
}

// transfer: something private goes to an address, a parameter, a tool.
func (b *transferRule) find(s *utterance, things []Asset, sinks []sink) bool {
	put, call := s.Imperatives("pass", "goes", "passed", "does-pass"), s.Imperatives("call", "called")
	if len(put)+len(call) == 0 && !describesContent(s, things) && !slices.ContainsFunc(sinks, func(k sink) bool { return relates(s, k, things) }) {
		return false
	}
	if s.notForReader() {
		return false
	}
	if s.isSummary() && !s.speaksToModel() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.Channel == ViaTool && k.sure }) {
		return false // what the tool is for
	}
	via := b.tools.toolFor(s, call, put)
	if via >= 0 && !b.tools.Profiles[via].Private() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.Tool == via }) && via != s.Tool {
		sinks = append(sinks, sink{Channel: ViaTool, Tool: via, at: len(s.Words)})
	}
	done := false
	for _, k := range sinks {
		carried := b.carried(s, things, k)
		if len(carried) == 0 || k.Channel == ViaTool && (passesPath(s) || len(put) == 0 && k.Tool == s.Tool && !relates(s, k, things) && !describesContent(s, things) && !s.Has("again")) {
			continue
		}
		if r := carried[0]; r.Kind == AssetResult && b.tools.Names.Find(r.Name, -1) != s.when.Tool && s.Place.Part == InTool {
			s.when.Moment, s.when.Tool = After, b.tools.Names.Find(r.Name, -1)
		}
		o := Found{Order: Order{Action: Send, To: k.Address}, Assets: carried, Sink: k, Via: via, Retry: s.Has("again")}
		if k.Channel == ViaTool {
			o.Action, o.To = Pass, b.tools.Names.Tools[k.Tool].Name+" "+k.Param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// carried is what goes to a place.
func (b *transferRule) carried(s *utterance, things []Asset, k sink) []Asset {
	var out []Asset
	for _, t := range things {
		switch {
		case t.Kind == AssetConversation && k.Channel == ViaTool && b.tools.isAboutChats(k.Tool) && !s.Near(0, len(s.Words), "this", "our", "current", "you", "your", "user"):
		case separated(s, t, k), t.to > 0 && trivial(s, t), k.Channel == ViaTool && b.tools.fits(s, t, k) < -2:
		case k.Channel == ViaTool && t.from < k.at && passesName(s, k):
		case t.weak && k.Channel == ViaTool && t.Kind != AssetConversation, t.Kind == AssetSecret && k.Channel == ViaTool && secretName(k.Param) && !t.indirect, k.at >= t.from && k.at < t.to && !t.indirect:
		default:
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(s.Imperatives("pass", "goes", "passed", "call", "does-pass")) == 0 || k.Channel == ViaTool && k.Tool == s.Tool && !b.goesOn(s) && !b.ofOther(s) {
		return nil
	}
	return b.meantByIt(s, k)
}

// ofOther: what another tool has answered is meant.
func (b *transferRule) ofOther(s *utterance) bool {
	return s.Has("results") && s.Place.Part == InTool && slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool { return m.tool != s.Tool })
}

// goesOn: "it" is what was read before.
func (b *transferRule) goesOn(s *utterance) bool { return len(b.last.assets) > 0 && s.Has("pronoun") }

// meantByIt finds what a pronoun stands for.
func (b *transferRule) meantByIt(s *utterance, k sink) []Asset {
	if len(b.last.assets) > 0 && s.Has("pronoun") && (passesIt(s, k.at) || k.Channel == ViaTool) {
		return b.last.assets
	}
	if wasRead(s) {
		return []Asset{{Kind: AssetLastRead}}
	}
	if !s.Has("pronoun", "results") && !(s.Has("data") && s.Has("owned")) {
		return nil
	}
	if k.Channel != ViaTool && s.Near(k.at-2, k.at, "to") && s.Near(k.at-3, k.at, "reply", "respond", "answer", "write") {
		return nil // to whom to write, and nothing of what
	}
	switch {
	case s.when.explicit && s.when.Tool >= 0 && s.when.Moment != Before:
		return []Asset{{Kind: AssetResult, Name: b.tools.Names.Tools[s.when.Tool].Name}}
	case s.Place.Part == InTool && k.Tool != s.Tool && (s.Has("results") || s.Has("content") || s.when.Moment == After):
		if m := b.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != k.Tool && !b.tools.Profiles[m[0].tool].Can(toolkit.CanMail) && !b.tools.Profiles[m[0].tool].Can(toolkit.CanPost) {
			return []Asset{{Kind: AssetResult, Name: b.tools.Names.Tools[m[0].tool].Name}}
		}
		return []Asset{{Kind: AssetResult, Name: b.tools.Names.Tools[s.Tool].Name}}
	case s.Place.Part == InTool && k.Tool == s.Tool && s.Has("results"):
		if m := b.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != s.Tool {
			return []Asset{{Kind: AssetResult, Name: b.tools.Names.Tools[m[0].tool].Name}}
		}
	case s.Place.Part == InResult && s.Has("agent", "hush") && s.Has("results", "content", "data"):
		return []Asset{{Kind: AssetResult, Name: s.Place.Tool}}
	}
	return nil
}

// wasRead: "what you have read".
func wasRead(s *utterance) bool {
	for _, m := range s.Each("got") {
		if s.Near(m.From-3, m.From, "you") && s.Near(m.From-5, m.From, "what", "whatever", "text", "content", "contents", "everything") {
			return true
		}
	}
	return false
}
