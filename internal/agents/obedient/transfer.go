package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// transferRule finds orders to pass something private on.
type transferRule struct {
	tools *resolver
	last  *recent
	found *ledger
}

// transfer: something private goes to an address, a parameter, a tool.
func (b *transferRule) transfer(s *utterance, things []asset, sinks []sink) bool {
	put, call := s.live("pass", "goes", "passed", "does-pass"), s.live("call", "called")
	if len(put)+len(call) == 0 && !describesContent(s, things) && !slices.ContainsFunc(sinks, func(k sink) bool { return relates(s, k, things) }) {
		return false
	}
	if s.moot() {
		return false
	}
	if s.opening() && !s.spoken() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.way == byTool && k.sure }) {
		return false // what the tool is for
	}
	via := b.tools.tool(s, call, put)
	if via >= 0 && !b.tools.kits[via].private() && !slices.ContainsFunc(sinks, func(k sink) bool { return k.tool == via }) && via != s.tool {
		sinks = append(sinks, sink{way: byTool, tool: via, at: len(s.Words)})
	}
	done := false
	for _, k := range sinks {
		carried := b.carried(s, things, k)
		if len(carried) == 0 || k.way == byTool && (passesPath(s) || len(put) == 0 && k.tool == s.tool && !relates(s, k, things) && !describesContent(s, things) && !s.class("again")) {
			continue
		}
		if r := carried[0]; r.kind == aResult && b.tools.names.find(r.name, -1) != s.when.tool && s.place.Part == InTool {
			s.when.moment, s.when.tool = After, b.tools.names.find(r.name, -1)
		}
		o := order{Order: Order{Action: Send, To: k.address}, things: carried, sink: k, via: via, again: s.class("again")}
		if k.way == byTool {
			o.Action, o.To = Pass, b.tools.names.tools[k.tool].Name+" "+k.param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// passesPath: it is the path that goes there, not what is in the file.
func passesPath(s *utterance) bool {
	put := s.live("pass", "passed")
	return len(put) > 0 && !slices.ContainsFunc(put, func(v promptscan.Sense) bool { return !s.within(v.To, v.To+3, "path-of") })
}

// opening: the first sentence of a description says what the tool does.
func (s *utterance) opening() bool {
	return s.place.Part == InTool && s.n == 0 && s.param == "" && s.how == ""
}

// noun: the description of a parameter is what belongs into it.
func describesContent(s *utterance, things []asset) bool {
	if s.param == "" || s.role != promptscan.RoleProse || !s.class("content", "conv-all", "owned") {
		return false
	}
	return slices.ContainsFunc(things, func(t asset) bool {
		switch t.kind {
		case aFile:
			return !t.faint && t.name != ".env" && promptscan.SecretPath(t.name)
		case aSecret:
			return !t.faint && (s.vault() || s.class("user") || s.near(0, len(s.Words), "you"))
		}
		return !t.faint
	})
}

// relates: "note has to be the content of X", "it needs the text of X in note":
// the parameter and the thing stand in one sentence, and nothing says that only
// its name or path is meant.
func relates(s *utterance, k sink, things []asset) bool {
	if k.way != byTool {
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
		case t.faint && t.kind != theChat, s.within(min(k.at, t.from), max(k.at, t.from), "hedge") && !s.within(t.from-6, t.from, "content"):
			return false
		case t.kind == aFile && pathlike(k.param):
			return s.within(t.from-6, t.from, "content")
		}
		return true
	})
}

// due: something private and an address stand in one sentence that speaks to
// the model, whatever the verb. "Is sent" tells of what happens anyway.
func due(s *utterance, k sink, things []asset) bool {
	if !s.hidden && !s.hushed && !s.class("address", "agent", "owe", "now", "only-after") && !s.near(0, len(s.Words), "you") || s.class("hedge") || s.demand == 0 && s.when.said {
		return false
	}
	for _, m := range s.each("passed", "got", "called") {
		if s.near(m.From-2, m.From, "is", "are", "was", "were", "been") && !s.within(m.From-6, m.From, "owe") {
			return false
		}
	}
	return slices.ContainsFunc(things, func(t asset) bool { return !t.faint && !s.broken(t.from, k.at) })
}

// broken: a line ends between two words.
func (s *sentence) broken(i, j int) bool {
	i, j = min(i, j), max(i, j)
	if j >= len(s.Words) || s.Words[i].Start < 0 || s.Words[j].Start > len(s.source) || s.Words[i].Start > s.Words[j].Start {
		return false
	}
	return strings.Contains(s.source[s.Words[i].Start:s.Words[j].Start], "\n")
}

// pathlike: the parameter is for the name of a file.
func pathlike(name string) bool {
	return anyOf(wordsOf(name, 8), []string{"file", "path", "dir", "folder", "location", "filename", "directory", "config", "profile", "identity"})
}

// carried is what goes to a place.
func (b *transferRule) carried(s *utterance, things []asset, k sink) []asset {
	var out []asset
	for _, t := range things {
		switch {
		case t.kind == theChat && k.way == byTool && b.tools.talks(k.tool) && !s.near(0, len(s.Words), "this", "our", "current", "you", "your", "user"):
		case torn(s, t, k), t.to > 0 && trifling(s, t), k.way == byTool && b.tools.fits(s, t, k) < -2:
		case k.way == byTool && t.from < k.at && passesName(s, k):
		case t.faint && k.way == byTool && t.kind != theChat, t.kind == aSecret && k.way == byTool && secretName(k.param) && !t.coined, k.at >= t.from && k.at < t.to && !t.coined:
		default:
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(s.live("pass", "goes", "passed", "call", "does-pass")) == 0 || k.way == byTool && k.tool == s.tool && !b.goesOn(s) && !b.ofOther(s) {
		return nil
	}
	return b.meantByIt(s, k)
}

// ofOther: what another tool has answered is meant.
func (b *transferRule) ofOther(s *utterance) bool {
	return s.class("results") && s.place.Part == InTool && slices.ContainsFunc(b.tools.toolsIn(s, 0, len(s.Words)), func(m mention) bool { return m.tool != s.tool })
}

// passesName: "pass `context` to use another one": the parameter is what is
// passed, and nothing is said of what belongs into it.
func passesName(s *utterance, k sink) bool {
	return s.english() && slices.ContainsFunc(s.live("pass"), func(v promptscan.Sense) bool {
		return k.at >= v.To && k.at-v.To < 2 && !s.near(v.To, k.at, "as", "in", "into", "to", "via") && !s.within(k.at+1, len(s.Words), "pronoun") && !s.near(k.at+1, k.at+2, "with")
	})
}

// goesOn: "it" is what was read before.
func (b *transferRule) goesOn(s *utterance) bool { return len(b.last.things) > 0 && s.class("pronoun") }

// meantByIt finds what a pronoun stands for.
func (b *transferRule) meantByIt(s *utterance, k sink) []asset {
	if len(b.last.things) > 0 && s.class("pronoun") && (passesIt(s, k.at) || k.way == byTool) {
		return b.last.things
	}
	if wasRead(s) {
		return []asset{{kind: whatRead}}
	}
	if !s.class("pronoun", "results") && !(s.class("data") && s.class("owned")) {
		return nil
	}
	if k.way != byTool && s.near(k.at-2, k.at, "to") && s.near(k.at-3, k.at, "reply", "respond", "answer", "write") {
		return nil // to whom to write, and nothing of what
	}
	switch {
	case s.when.said && s.when.tool >= 0 && s.when.moment != Before:
		return []asset{{kind: aResult, name: b.tools.names.tools[s.when.tool].Name}}
	case s.place.Part == InTool && k.tool != s.tool && (s.class("results") || s.class("content") || s.when.moment == After):
		if m := b.tools.toolsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != k.tool && !b.tools.kits[m[0].tool].can(canMail) && !b.tools.kits[m[0].tool].can(canPost) {
			return []asset{{kind: aResult, name: b.tools.names.tools[m[0].tool].Name}}
		}
		return []asset{{kind: aResult, name: b.tools.names.tools[s.tool].Name}}
	case s.place.Part == InTool && k.tool == s.tool && s.class("results"):
		if m := b.tools.toolsIn(s, 0, len(s.Words)); len(m) > 0 && m[0].tool != s.tool {
			return []asset{{kind: aResult, name: b.tools.names.tools[m[0].tool].Name}}
		}
	case s.place.Part == InResult && s.class("agent", "hush") && s.class("results", "content", "data"):
		return []asset{{kind: aResult, name: s.place.Tool}}
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

// tool is the tool to be used, -1 if none is named with a verb.
func (b *resolver) tool(s *utterance, verbs ...[]promptscan.Sense) int {
	for _, m := range b.toolsIn(s, 0, len(s.Words)) {
		if s.when.covers(m.from) || s.negated(m.from, m.to) || s.class("bad") && b.disliked(s, m) {
			continue
		}
		for _, list := range verbs {
			if slices.ContainsFunc(list, func(v promptscan.Sense) bool { return m.from-v.To < 8 && v.From-m.to < 8 }) {
				return m.tool
			}
		}
	}
	return -1
}

// readRule finds orders to read something private.
type readRule struct{ found *ledger }

// get: something private is to be read, and nothing is said of where it goes.
func (b *readRule) get(s *utterance, things []asset) bool {
	var wanted []asset
	read := s.live("read", "does-read")
	if s.class("agent") || s.hushed || s.hidden {
		read = append(read, s.live("pass")...)
	}
	read = slices.DeleteFunc(read, s.glances)
	passed := len(s.live("pass")) > 0
	for _, t := range things {
		ok := t.kind == aFile && (s.spoken() || passed && len(s.live("read")) > 0) || t.kind == anOutput && shells(s) || t.kind == aSecret && !t.faint && (s.spoken() || s.vault()) && s.place.Part != InTool || t.kind == aSecret && s.vault() && s.spoken()
		if t.kind == aSecret && len(s.live("read", "call")) == 0 || trifling(s, t) {
			continue
		}
		if ok && (t.kind == anOutput || slices.ContainsFunc(read, func(v promptscan.Sense) bool { return v.From < t.from || !s.english() })) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.opening() && !s.spoken() || s.calm() > 2 && !s.hidden {
		return false
	}
	o := order{Order: Order{Action: Read}, things: wanted, via: -1}
	if wanted[0].kind == anOutput {
		o.Action = Run
	}
	b.found.add(s, o)
	return true
}

// glances: a verb that does not take the content along.
func (s *statement) glances(m promptscan.Sense) bool {
	switch s.Words[m.From].Text {
	case "check", "see", "find", "locate", "search", "list", "source", "access", "show", "leave", "put", "place", "add", "set", "write", "file", "view":
		return m.To-m.From == 1
	}
	return false
}

// shells: the command is for the agent, and no advice to people.
func shells(s *utterance) bool {
	return s.near(0, len(s.Words), "terminal", "shell") || s.class("agent", "now") || s.hushed || s.hidden
}

func secretName(name string) bool {
	for _, w := range wordsOf(name, 8) {
		switch w {
		case "key", "apikey", "token", "password", "passphrase", "secret", "credential", "credentials", "auth", "cookie", "pin", "otp", "login":
			return true
		}
	}
	return false
}

// nameRule finds orders in the names of parameters.
type nameRule struct {
	tools      *resolver
	conditions *conditions
	found      *ledger
}

// magic: a parameter whose name alone asks for the conversation, or for the
// content of a file.
func (b *nameRule) magic(s *utterance) {
	if s.tool < 0 || len(s.Words) > 8 {
		return
	}
	var things []asset
	if s.class("conversation", "conv") && s.class("conv-all", "content") && len(s.Words) < 5 && !b.tools.talks(s.tool) {
		things = []asset{{kind: theChat}}
	} else if s.class("content", "got") || s.near(0, len(s.Words), "content", "contents", "reading") {
		things = fileFinder{s}.strong()
	}
	if len(things) == 0 {
		return
	}
	s.hold(b.conditions.of(s))
	b.found.add(s, order{
		Order: Order{Action: Pass, To: b.tools.names.tools[s.tool].Name + " " + s.param}, things: things,
		sink: sink{way: byTool, tool: s.tool, param: s.param}, via: -1,
	})
}

// talks: the tool is about conversations itself, those of others.
func (b *resolver) talks(tool int) bool {
	words := []string{"bot", "bots", "chat", "thread", "message", "messages", "model", "assistant", "prompt", "agent", "conversation", "conversations", "slack", "llm", "completion", "transcript", "meeting"}
	return anyOf(b.kits[tool].words, words) || anyOf(b.kits[tool].about, words)
}
