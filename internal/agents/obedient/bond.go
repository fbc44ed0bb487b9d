package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// linkRule finds something private and a way for it to go that stand together.
type linkRule struct {
	tools *resolver
	last  *recent
	found *ledger
}

// bond: something private and a way for it to go stand together, and nothing
// says that this is harmless. What the verbs are does not matter.
func (b *linkRule) bond(s *utterance, things []asset, sinks []sink) bool {
	if s.barred() || s.opening() && s.urge() == 0 {
		return false
	}
	things, sinks, far := b.recalled(s, things, sinks)
	done := false
	for _, k := range sinks {
		var carried []asset
		for _, t := range things {
			if b.weigh(s, t, k)-far >= enough {
				carried = append(carried, t)
			}
		}
		if len(carried) == 0 {
			continue
		}
		o := order{Order: Order{Action: Send, To: k.address}, things: carried, sink: k, via: -1, again: s.class("again")}
		if k.way == byTool {
			o.Action, o.To = Pass, b.tools.names.tools[k.tool].Name+" "+k.param
		}
		b.found.add(s, o)
		done = true
	}
	return done
}

// recalled adds what was spoken of shortly before: what "it" is, and where "it"
// goes. Far is how much weaker that makes the bond.
func (b *linkRule) recalled(s *utterance, things []asset, sinks []sink) (t []asset, k []sink, far int) {
	if s.param != "" && s.tool >= 0 && len(sinks) == 0 {
		sinks = []sink{{way: byTool, tool: s.tool, param: s.param, at: len(s.Words)}}
	}
	refers := s.class("pronoun", "results", "again") || elliptic(s, sinks)
	if len(things) == 0 && refers {
		things, far = here(b.last.things), 1
		switch {
		case elliptic(s, sinks) || len(s.Words) < 5 && len(s.live("pass")) > 0:
			far = 0
		case len(sinks) == 0 && !passesIt(s, len(s.Words)) || len(sinks) > 0 && !passesIt(s, sinks[0].at):
			far = 3
		}
	}
	if len(sinks) == 0 && b.last.address.address != "" && (refers || s.urge() > 0) {
		k := b.last.address
		k.at = len(s.Words)
		return things, []sink{k}, far + 1
	}
	return things, sinks, far
}

// elliptic: "both to X", "submit to X": what is meant stood before.
func elliptic(s *utterance, sinks []sink) bool {
	return slices.ContainsFunc(sinks, func(k sink) bool {
		if k.way == byTool || referred(s, k.at) {
			return false
		}
		verb := s.within(k.at-3, k.at, "pass", "passed") && directed(s, k.at) && !s.near(0, k.at, "write", "reply", "respond", "answer", "apply", "turn", "contact")
		return verb && k.at < 4 || len(s.Words) < 5 && s.near(k.at-1, k.at, "to", "an", "a", "para", "naar")
	})
}

// passesIt: "it" is what is passed to the place at a word, and not just
// somewhere in the sentence.
func passesIt(s *utterance, at int) bool {
	for _, v := range s.each("pass", "goes", "passed", "does-pass", "copied") {
		switch {
		case s.near(v.From, v.To, "tell", "inform", "notify", "report", "ping", "visit", "contact", "ask"):
		case s.english() && v.Class == "pass" && at < v.From: // create one there and save it
		case s.within(v.To, v.To+4, "pronoun", "results") || s.within(v.From-8, v.From, "pronoun") && v.Class != "pass" || !s.english():
			return true
		}
	}
	if slices.ContainsFunc(s.each("owe"), func(m promptscan.Sense) bool { return s.near(m.To, m.To+2, "it", "them", "both") }) {
		return true
	}
	return s.class("again") && s.class("param") || s.class("results") && len(s.mentions) > 1
}

// torn: the thing and the place stand in different lines, and no word takes it
// from one to the other.
func torn(s *utterance, t asset, k sink) bool {
	if supplanted(s, t, k) {
		return true
	}
	return t.to > 0 && s.broken(t.from, k.at) && (!passesIt(s, k.at) || !s.class("pronoun") && len(s.mentions) < 2)
}

// supplanted: "keep this one, send that one there": another file stands between
// the verb and the place.
func supplanted(s *utterance, t asset, k sink) bool {
	for _, v := range s.each("pass") {
		if t.to == 0 || v.From < t.to || v.To > k.at || !s.parted(t.to, v.From) || s.within(v.To, k.at, "pronoun") {
			continue
		}
		for j := v.To; j < min(k.at, len(s.Words)); j++ {
			if s.Words[j].Shape == promptscan.ShapePath && s.literal(j) != t.name {
				return true
			}
		}
	}
	return false
}

// here are things that a sentence only means.
func here(things []asset) []asset {
	out := slices.Clone(things)
	for i := range out {
		out[i].from, out[i].to = 0, 0
	}
	return out
}

// weigh is the evidence that a thing is to go somewhere.
func (b *linkRule) weigh(s *utterance, t asset, k sink) int {
	if t.to > 0 && (untouched(s, t) || t.from <= k.at && k.at < t.to && !t.coined || torn(s, t, k)) {
		return 0
	}
	if trifling(s, t) {
		return 0
	}
	n := t.worth() + 1 + s.urge() - s.calm()
	if t.to > 0 && arrow(s, t.from, k.at) {
		n += 2
	}
	if s.urge() == 0 && s.pressed() {
		n++
	}
	if s.within(t.from-6, t.to+4, "content") || s.class("passed", "pass", "does-pass", "goes") {
		n++
	}
	if k.way == byTool {
		return n + b.tools.fits(s, t, k)
	}
	switch {
	case referred(s, k.at):
		n -= 3
	case directed(s, k.at) || !s.english():
		n++
	}
	return n
}

// trifling: the file has no secrets in it for sure, and nothing says that it is
// wanted.
func trifling(s *utterance, t asset) bool {
	return t.kind == aFile && t.worth() < 2 && !s.hidden && !s.class("content", "hush", "owe", "address", "only-after")
}

// fits judges whether a thing belongs into a parameter.
func (b *resolver) fits(s *utterance, t asset, k sink) int {
	n := 0
	if k.sure {
		n++
	}
	if k.at < len(s.Words) && s.within(k.at+1, k.at+4, "hedge") && s.class("perhaps") {
		n -= 4
	}
	switch {
	case t.kind == aFile && (pathlike(k.param) && !s.within(t.from-6, t.from, "content") || s.within(t.from-4, t.from, "path-of")):
		n -= 4
	case t.kind == aFile && t.name == ".env" && s.param != "":
		n -= 2
	case t.kind == thePromp && b.talks(k.tool) && !s.near(0, len(s.Words), "you", "your", "own"):
		n -= 4
	case t.kind == aSecret && secretName(k.param) && !t.coined && !s.around(1, "vault") && !s.near(0, len(s.Words), "stored", "saved"):
		n -= 4
	case t.kind == theChat && b.talks(k.tool) && !s.near(0, len(s.Words), "this", "our", "you", "your", "user"):
		n -= 4
	}
	return n
}

// directed: a word of direction stands before the address.
func directed(s *utterance, i int) bool { return s.within(i-3, i, "toward") }

// referred: the address is where one can read more, get help, or log in, or
// where something comes from.
func referred(s *utterance, i int) bool {
	return s.within(i-4, i, "refer") && !s.within(i-4, i, "pass", "passed", "does-pass", "goes") || s.near(i-1, i, "from", "by", "von", "de", "от")
}

// worth is how private a thing is for sure.
func (t asset) worth() int {
	switch {
	case t.faint:
		return 1
	case t.kind == aFile && coveted(t.name):
		return 3
	case t.kind == aFile && homely.MatchString(t.name):
		return 2
	case t.kind == aFile:
		return 1
	case t.kind == aSecret, t.kind == theChat, t.kind == thePromp:
		return 3
	}
	return 2
}

var (
	// homely files, hidden in the home are somebody's own.
	homely = regexp.MustCompile(`^(?:~|\$\{?HOME\}?|/home/[^/]+|/root|/Users/[^/]+|%USERPROFILE%)[/\\]+(?:.*[/\\])?\.\w`)
	below  = regexp.MustCompile(`(?i)^(?:~|\$\{?HOME\}?|/home/|/root|/Users/|%USERPROFILE%|C:)`)
	suffix = regexp.MustCompile(`\w\.\w{1,8}$`)
	// telling names say that a secret lies there.
	telling = regexp.MustCompile(`(?i)token|passw|secret|credential|private|wallet|\bkeys?\b|_key|keyring|vault|cookie|history|auth\b|\.(?:pem|kdbx|key|keystore|gpg|asc|cnf|s3cfg|pgpass|age)$|\bid\.json|rclone|huggingface|stripe|\.config/\w+/(?:config|hosts)`)
)

// coveted files have secrets in them.
func coveted(path string) bool {
	return promptscan.SecretPath(path) || telling.MatchString(path) && (below.MatchString(path) || suffix.MatchString(path))
}

// unwrapped is an address or path without what is written around it:
// "to=https://", "fetch:~/.netrc".
func unwrapped(word string, shape promptscan.Shape) string {
	from := 0
	switch shape {
	case promptscan.ShapeURL:
		from = max(0, strings.Index(word, "http"))
	case promptscan.ShapePath:
		word = strings.TrimPrefix(word, "@")
		if at := strings.IndexAny(word, "~/$%"); at > 0 && strings.IndexByte("=:([{<\"'|,;", word[at-1]) >= 0 {
			from = at
		}
	case promptscan.ShapeMail:
		from = strings.LastIndexAny(word, "=:<([{|") + 1
	}
	return strings.TrimRight(word[from:], `)]}>"',;|`)
}

// accompany: a file with secrets is to be read along with others, as whoever
// speaks of the tool for that wants it.
func (b *linkRule) accompany(s *utterance, things []asset) bool {
	var wanted []asset
	for _, t := range things {
		if t.kind == aFile && coveted(t.name) && !untouched(s, t) {
			wanted = append(wanted, t)
		}
	}
	if len(wanted) == 0 || s.barred() || s.calm() > 0 || s.urge() == 0 || !b.reads(s) {
		return false
	}
	b.found.add(s, order{Order: Order{Action: Read}, things: wanted, via: -1})
	return true
}

// reads: a tool that reads files is spoken of here or in the sentence before.
func (b *linkRule) reads(s *utterance) bool {
	of := func(m mention) bool { return m.tool != s.tool && b.tools.kits[m.tool].can(canRead) }
	if slices.ContainsFunc(b.tools.toolsIn(s, 0, len(s.Words)), of) {
		return true
	}
	return s.n > 0 && s.n <= len(s.mates) && slices.ContainsFunc(b.tools.mentions(&s.mates[s.n-1]), of)
}
