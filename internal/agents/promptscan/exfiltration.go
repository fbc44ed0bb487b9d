package promptscan

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// secretTheft finds instructions to read a secret, or to pass it on.
func (p *passage) secretTheft(i int, s *sentence) {
	if s.describesAttacks() && !p.hidden {
		return
	}
	read, pass := s.affirmed("read"), s.affirmed("pass")
	content := s.has("content")
	if len(pass) == 0 && i+1 < len(p.sentences) && p.sentences[i+1].continues() {
		pass = p.sentences[i+1].affirmed("pass")
	}
	for _, m := range s.knownSecrets() {
		destination := s.prior(m.from, 3, "in", "to", "into", "at", "via", "through") && !s.prior(m.from, 5, "stored", "found", "located", "kept", "saved", "from", "lies")
		if s.onlyPathAsked(m) || s.negated(m) || s.quotedAway(m) || s.prior(m.from, 2, "public") {
			continue
		}
		told := s.has("address", "before") || p.nearSecrecy || p.of == ofPrompt
		asked := told || s.has("param", "threat") || p.hidden || p.of == ofResult || p.fillsParameter(s)
		handed := !destination && slices.ContainsFunc(pass, func(v sense) bool { return !s.after(v.to, 3, "path", "paths", "location") })
		_, literal := s.shaped(shapeMail, shapeURL)
		switch {
		case len(read) > 0 && handed && asked && !onlyOne(read, pass),
			content && len(pass) > 0 && asked,
			content && s.parameter != "" && p.private(s, m),
			(len(read) > 0 || p.foreignTool(s) != "") && p.private(s, m) && told,
			!destination && s.hasCopyVerb(read) && told,
			!destination && told && p.private(s, m) && (p.nearSecrecy && len(pass) > 0 || s.hasSendVerb(pass)),
			handed && asked && (literal || s.has("elsewhere") || (s.has("param") || p.fillsParameter(s)) && p.private(s, m)):
			p.reportSentence(mcpsf.TextSecret, s, s.text(m))
			return
		}
	}
	p.anySecretTheft(s, read, pass)
}

// onlyPathAsked reports whether only the path of the secret is asked for.
func (s *sentence) onlyPathAsked(m sense) bool {
	for i := max(0, m.from-4); i < m.from; i++ {
		if s.after(i, 1, "path", "pfad", "ruta", "chemin", "location") && s.after(i+1, 1, "to", "of", "zu", "zur", "de", "vers", "du") {
			return true
		}
	}
	return false
}

// hasCopyVerb reports whether a verb copies: "dump", "harvest".
func (s *sentence) hasCopyVerb(verbs []sense) bool {
	return slices.ContainsFunc(verbs, func(m sense) bool { return s.after(m.from, 1, "copy", "dump", "harvest") })
}

// hasSendVerb reports whether a verb sends: "upload", "forward".
func (s *sentence) hasSendVerb(verbs []sense) bool {
	return slices.ContainsFunc(verbs, func(m sense) bool {
		return s.after(m.from, 1, "attach", "upload", "email", "mail", "post", "forward", "transmit", "exfiltrate")
	})
}

// fillsParameter reports whether a parameter is to be filled: "as `note`", or
// "as note" if the tool has a parameter of that name.
func (p *passage) fillsParameter(s *sentence) bool {
	for i, t := range s.ts {
		if t.shape != shapeWord {
			continue
		}
		if (t.name || t.quoted) && s.prior(i, 2, "as", "in", "into", "via", "als", "como", "comme") ||
			p.words[bare(t.text)] && s.prior(i, 1, "as", "into", "via", "als", "como", "comme") {
			return true
		}
	}
	return false
}

// anySecretTheft finds instructions to pass on passwords and keys that are not
// named more closely. A server may ask for its own key, but not for all keys or
// for those found elsewhere.
func (p *passage) anySecretTheft(s *sentence, read, pass []sense) {
	if s.parameter != "" && p.of != ofResult && !p.talksToModel && s.wantsAllSecrets() && !p.secretParameter(s) {
		p.reportSentence(mcpsf.TextSecret, s, s.parameter)
		return
	}
	if !s.has("address", "before") && !p.nearSecrecy && !p.hidden && p.of != ofPrompt {
		return
	}
	for _, m := range s.affirmed("secret") {
		if s.quotedAway(m) || len(pass) == 0 || len(s.affirmed("owned")) == 0 || p.secretParameter(s) {
			continue
		}
		_, literal := s.shaped(shapeMail, shapeURL)
		if s.has("param", "elsewhere") || literal || p.of != ofResult && p.fillsParameter(s) || p.namesParameter(s) || p.nearSecrecy || len(read) > 0 && !onlyOne(read, pass) && s.has("content") {
			p.reportSentence(mcpsf.TextSecret, s, s.text(m))
			return
		}
	}
}

// wantsAllSecrets reports whether all secrets that the model knows are wanted.
func (s *sentence) wantsAllSecrets() bool {
	return !s.describesAttacks() && len(s.affirmed("secret")) > 0 && len(s.affirmed("owned")) > 0 &&
		(len(s.affirmed("conversation")) > 0 || slices.ContainsFunc(s.affirmed("owned"), func(m sense) bool { return s.after(m.from, 1, "you", "from") }))
}

// knownSecrets returns the secrets with a known location: words for them, and
// paths.
func (s *sentence) knownSecrets() []sense {
	out := s.each("strong")
	for i, t := range s.ts {
		if t.shape == shapePath && secretPath(t.text) {
			out = append(out, sense{"strong", i, i + 1})
		}
	}
	return out
}

// private reports whether no tool needs the path unless the user says so.
func (p *passage) private(s *sentence, m sense) bool {
	if s.ts[m.from].shape == shapePath {
		return private(s.ts[m.from].text)
	}
	words := s.text(m)
	return !strings.Contains(words, "env") && !strings.Contains(words, "config")
}

// quotedAway reports whether the words are quoted in a sentence about attacks.
func (s *sentence) quotedAway(m sense) bool { return s.quoted(m) && s.has("describe") }

// continues reports whether the sentence continues the previous one's subject.
func (s *sentence) continues() bool {
	return s.after(0, 8, tables().Continuing...)
}

// onlyOne says whether both lists hold the same single word.
func onlyOne(a, b []sense) bool { return len(a) == 1 && len(b) == 1 && a[0].from == b[0].from }

// secretParameter reports whether the parameter is made for a secret.
func (p *passage) secretParameter(s *sentence) bool {
	if s.parameter != "" && secretName(strings.ToLower(s.parameter)) {
		return true
	}
	modest := !slices.ContainsFunc(s.affirmed("owned"), func(m sense) bool { return s.text(m) != "users" && s.text(m) != "current" && s.text(m) != "their" })
	return slices.ContainsFunc(s.ts, func(t token) bool { return t.name && secretName(t.text) && (modest || p.words[bare(t.text)]) })
}

// namesParameter reports whether the sentence names one of the tool's
// parameters.
func (p *passage) namesParameter(s *sentence) bool {
	return slices.ContainsFunc(s.ts, func(t token) bool { return (t.name || t.quoted) && p.words[bare(t.text)] })
}
