package obedient

import (
	"slices"
)

// transferRule finds orders to pass something private on.
type transferRule struct {
	tools *resolver
	last  *recent
	found *ledger
}

// transfer: something private goes to an address, a parameter, a tool.
func (b *transferRule) find(s *utterance, things []asset, sinks []sink) bool {
	put, call := s.imperatives("pass", "goes", "passed", "does-pass"), s.imperatives("call", "called")
	if len(put)+len(call) == 0 && !describesContent(s, things) && !slices.ContainsFunc(sinks, func(k sink) bool { return relates(s, k, things) }) {
		return false
	}
	if s.notForReader() {
		return false
	}
	if s.isSummary() && !s.speaksToModel() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.channel == viaTool && k.sure }) {
		return false // what the tool is for
	}
	via := b.tools.toolFor(s, call, put)
	if via >= 0 && !b.tools.profiles[via].private() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.tool == via }) && via != s.tool {
		sinks = append(sinks, sink{channel: viaTool, tool: via, at: len(s.Words)})
	}
	done := false
	for _, k := range sinks {
		carried := b.carried(s, things, k)
		if len(carried) == 0 || k.channel == viaTool && (passesPath(s) || len(put) == 0 && k.tool == s.tool && !relates(s, k, things) && !describesContent(s, things) && !s.has("again")) {
			continue
		}
		if r := carried[0]; r.kind == assetResult && b.tools.names.find(r.name, -1) != s.when.tool && s.place.Part == InTool {
			s.when.moment, s.when.tool = After, b.tools.names.find(r.name, -1)
		}
		o := found{Order: Order{Action: Send, To: k.address}, assets: carried, sink: k, via: via, retry: s.has("again")}
		if k.channel == viaTool {
			o.Action, o.To = Pass, b.tools.names.tools[k.tool].Name+" "+k.param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// carried is what goes to a place.
func (b *transferRule) carried(s *utterance, things []asset, k sink) []asset {
	var out []asset
	for _, t := range things {
		switch {
		case t.kind == assetConversation && k.channel == viaTool && b.tools.isAboutChats(k.tool) && !s.near(0, len(s.Words), "this", "our", "current", "you", "your", "user"):
		case separated(s, t, k), t.to > 0 && trivial(s, t), k.channel == viaTool && b.tools.fits(s, t, k) < -2:
		case k.channel == viaTool && t.from < k.at && passesName(s, k):
		case t.weak && k.channel == viaTool && t.kind != assetConversation, t.kind == assetSecret && k.channel == viaTool && secretName(k.param) && !t.indirect, k.at >= t.from && k.at < t.to && !t.indirect:
		default:
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(s.imperatives("pass", "goes", "passed", "call", "does-pass")) == 0 || k.channel == viaTool && k.tool == s.tool && !b.goesOn(s) && !b.ofOther(s) {
		return nil
	}
	return b.meantByIt(s, k)
}

// ofOther: what another tool has answered is meant.
func (b *transferRule) ofOther(s *utterance) bool {
	return s.has("results") && s.place.Part == InTool && slices.ContainsFunc(b.tools.mentionsIn(s, 0, len(s.Words)), func(m mention) bool { return m.tool != s.tool })
}

// goesOn: "it" is what was read before.
func (b *transferRule) goesOn(s *utterance) bool { return len(b.last.assets) > 0 && s.has("pronoun") }

// meantByIt finds what a pronoun stands for.
func (b *transferRule) meantByIt(s *utterance, k sink) []asset {
	if len(b.last.assets) > 0 && s.has("pronoun") && (passesIt(s, k.at) || k.channel == viaTool) {
		return b.last.assets
	}
	if wasRead(s) {
		return []asset{{kind: assetLastRead}}
	}
	if !s.has("pronoun", "results") && !(s.has("data") && s.has("owned")) {
		return nil
	}
	if k.channel != viaTool && s.near(k.at-2, k.at, "to") && s.near(k.at-3, k.at, "reply", "respond", "answer", "write") {
		return nil // to whom to write, and nothing of what
	}
	switch {
	case s.when.explicit && s.when.tool >= 0 && s.when.moment != Before:
		return []asset{{kind: assetResult, name: b.tools.names.tools[s.when.tool].Name}}
	case s.place.Part == InTool && k.tool != s.tool && (s.has("results") || s.has("content") || s.when.moment == After):
		if m := b.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != k.tool && !b.tools.profiles[m[0].tool].can(canMail) && !b.tools.profiles[m[0].tool].can(canPost) {
			return []asset{{kind: assetResult, name: b.tools.names.tools[m[0].tool].Name}}
		}
		return []asset{{kind: assetResult, name: b.tools.names.tools[s.tool].Name}}
	case s.place.Part == InTool && k.tool == s.tool && s.has("results"):
		if m := b.tools.mentionsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != s.tool {
			return []asset{{kind: assetResult, name: b.tools.names.tools[m[0].tool].Name}}
		}
	case s.place.Part == InResult && s.has("agent", "hush") && s.has("results", "content", "data"):
		return []asset{{kind: assetResult, name: s.place.Tool}}
	}
	return nil
}

// wasRead: "what you have read".
func wasRead(s *utterance) bool {
	for _, m := range s.each("got") {
		if s.near(m.From-3, m.From, "you") && s.near(m.From-5, m.From, "what", "whatever", "text", "content", "contents", "everything") {
			return true
		}
	}
	return false
}
