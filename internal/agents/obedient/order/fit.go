package order

import (
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// fits is the evidence that an asset is to be put into a parameter; negative if
// it is not.
func (r *Resolver) fits(s *utterance, t Asset, k sink) int {
	n := 0
	if k.sure {
		n++
	}
	if k.at < len(s.Words) && s.Within(k.at+1, k.at+4, "hedge") && s.Has("perhaps") {
		n -= 4
	}
	switch {
	case t.Kind == AssetFile && (pathlike(k.Param) && !s.Within(t.from-6, t.from, "content") || s.Within(t.from-4, t.from, "path-of")):
		n -= 4
	case t.Kind == AssetFile && t.Name == ".env" && s.param != "":
		n -= 2
	case t.Kind == AssetSystemPrompt && r.isAboutChats(k.Tool) && !s.Near(0, len(s.Words), "you", "your", "own"):
		n -= 4
	case t.Kind == AssetSecret && secretName(k.Param) && !t.indirect && !s.nearby(1, "vault") && !s.Near(0, len(s.Words), "stored", "saved"):
		n -= 4
	case t.Kind == AssetConversation && r.isAboutChats(k.Tool) && !s.Near(0, len(s.Words), "this", "our", "you", "your", "user"):
		n -= 4
	}
	return n
}

// separated reports whether the asset and the sink are on different lines and
// no word connects them.
func separated(s *utterance, t Asset, k sink) bool {
	if supplanted(s, t, k) {
		return true
	}
	return t.to > 0 && s.LineBreak(t.from, k.at) && (!passesIt(s, k.at) || !s.Has("pronoun") && len(s.mentions) < 2)
}

// supplanted reports whether another file stands between the verb and the sink:
// "keep this one, send that one there".
func supplanted(s *utterance, t Asset, k sink) bool {
	for _, v := range s.Each("pass") {
		if t.to == 0 || v.From < t.to || v.To > k.at || !s.Parted(t.to, v.From) || s.Within(v.To, k.at, "pronoun") {
			continue
		}
		for j := v.To; j < min(k.at, len(s.Words)); j++ {
			if s.Words[j].Shape == promptscan.ShapePath && s.Literal(j) != t.Name {
				return true
			}
		}
	}
	return false
}

// trivial reports whether the file has hardly any secrets, and nothing says
// that its content is wanted.
func trivial(s *utterance, t Asset) bool {
	return t.Kind == AssetFile && t.sensitivity() < 2 && !s.Hidden && !s.Has("content", "hush", "owe", "address", "only-after")
}

// pathlike reports whether the parameter is for the name of a file.
func pathlike(name string) bool {
	return words().Parameters.Path.Any(toolkit.SplitWords(name, 8))
}

// secretName reports whether the parameter is for a secret.
func secretName(name string) bool {
	return words().Parameters.Secret.Any(toolkit.SplitWords(name, 8))
}
