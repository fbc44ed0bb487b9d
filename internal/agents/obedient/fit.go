package obedient

import "github.com/mcpsf/mcpsf/internal/agents/promptscan"

// fits judges whether a thing belongs into a parameter.
func (b *resolver) fits(s *utterance, t asset, k sink) int {
	n := 0
	if k.sure {
		n++
	}
	if k.at < len(s.Words) && s.within(k.at+1, k.at+4, "hedge") && s.has("perhaps") {
		n -= 4
	}
	switch {
	case t.kind == assetFile && (pathlike(k.param) && !s.within(t.from-6, t.from, "content") || s.within(t.from-4, t.from, "path-of")):
		n -= 4
	case t.kind == assetFile && t.name == ".env" && s.param != "":
		n -= 2
	case t.kind == assetSystemPrompt && b.isAboutChats(k.tool) && !s.near(0, len(s.Words), "you", "your", "own"):
		n -= 4
	case t.kind == assetSecret && secretName(k.param) && !t.indirect && !s.nearby(1, "vault") && !s.near(0, len(s.Words), "stored", "saved"):
		n -= 4
	case t.kind == assetConversation && b.isAboutChats(k.tool) && !s.near(0, len(s.Words), "this", "our", "you", "your", "user"):
		n -= 4
	}
	return n
}

// torn: the thing and the place stand in different lines, and no word takes it
// from one to the other.
func separated(s *utterance, t asset, k sink) bool {
	if supplanted(s, t, k) {
		return true
	}
	return t.to > 0 && s.lineBreak(t.from, k.at) && (!passesIt(s, k.at) || !s.has("pronoun") && len(s.mentions) < 2)
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

// trifling: the file has no secrets in it for sure, and nothing says that it is
// wanted.
func trivial(s *utterance, t asset) bool {
	return t.kind == assetFile && t.sensitivity() < 2 && !s.hidden && !s.has("content", "hush", "owe", "address", "only-after")
}

// pathlike: the parameter is for the name of a file.
func pathlike(name string) bool {
	return anyOf(splitWords(name, 8), []string{"file", "path", "dir", "folder", "location", "filename", "directory", "config", "profile", "identity"})
}

func secretName(name string) bool {
	for _, w := range splitWords(name, 8) {
		switch w {
		case "key", "apikey", "token", "password", "passphrase", "secret", "credential", "credentials", "auth", "cookie", "pin", "otp", "login":
			return true
		}
	}
	return false
}
