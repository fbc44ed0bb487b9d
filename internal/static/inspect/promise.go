package inspect

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// sign is what announces a capability in a sentence: a word, or two near each
// other in either order. Bars separate alternatives; a star stands for any
// ending.
type sign struct {
	word, with string
	// near is how many words may be between the two; behind requires the second
	// directly after the first.
	near   int
	behind bool
	// unless are words that give the sentence another meaning.
	unless string
}

// nearby is the maximum distance of a verb and its object.
const nearby = 4

// signsOf returns general technical words. Product names are not among them:
// such a list would soon be out of date.
func signsOf(p mcpsf.CapabilityKind) []sign {
	switch p {
	case mcpsf.CapabilityExec:
		return []sign{
			{
				word: "run|runs|running|execut*|spawn*|launch*|invok*|start*", near: nearby,
				with: "command*|shell|bash|powershell|script*|program|programs|process|processes|subprocess*|binary|binaries|executables|terminal",
			},
			{word: "shell", with: "access|command*", behind: true},
			{word: "subprocess*"},
		}
	case mcpsf.CapabilityNetwork:
		return []sign{
			{word: "fetch*|download*|upload*|http|https|internet|web|website*|webpage*|webhook*|url|urls|api|apis|online|crawl*|scrap*|brows*", unless: "offline"},
			{word: "send*|post*", with: "mail*|email*|message*|notification*|request*", near: nearby},
			{word: "connect*|talk*", with: "server|database*|host|hosts|remote|cloud|instance*|cluster*", near: nearby, unless: "mcp"},
		}
	case mcpsf.CapabilityFiles:
		return []sign{
			{
				word: "read*|writ*|creat*|edit*|delet*|mov*|copy|copies|list*|search*|manag*|sav*|stor*|open*|modif*|organi*|renam*|access*|load*|export*|import*|keep*", near: nearby,
				with: "file|files|folder*|directory|directories|disk",
			},
			{word: "filesystem*"},
			{word: "file", with: "system*|operation*|access|management", behind: true},
		}
	case mcpsf.CapabilityEnviron:
		return []sign{
			{word: "environment", with: "variable*", behind: true},
			{word: "env", with: "var|vars|variable*|file", behind: true},
			{word: "api", with: "key|keys", behind: true},
			{word: "$"},
		}
	case mcpsf.CapabilityCredential:
		return []sign{
			{word: "password*|passphrase*|credential*|keychain*|keyring*", unless: "generat*"},
			{word: "api|ssh|private|access|secret", with: "key|keys", behind: true},
			{word: "access|auth|authentication|api|bearer|personal|oauth|refresh|bot|session", with: "token|tokens", behind: true},
			{word: "authenticat*", with: "token|tokens|secret|secrets", near: nearby},
		}
	case mcpsf.CapabilityDynamic:
		return []sign{
			{word: "run|runs|running|execut*|evaluat*|interpret*", with: "code|expression*|python|javascript|snippet*|sql", near: nearby, unless: "quality|review*|coverage"},
			{word: "code", with: "execution|interpreter", behind: true},
		}
	case mcpsf.CapabilityNative:
		return []sign{{word: "native|c|rust", with: "addon*|module*|extension*|binding*|library|libraries|code", behind: true}, {word: "webassembly|wasm"}}
	}
	return nil
}

// promises reports whether a sentence announces a capability.
func promises(p mcpsf.CapabilityKind, words []string) bool {
	return slices.ContainsFunc(signsOf(p), func(s sign) bool { return s.in(words) })
}

func (s sign) in(words []string) bool {
	if s.unless != "" && slices.ContainsFunc(words, func(w string) bool { return is(w, s.unless) }) {
		return false
	}
	for i, w := range words {
		if !is(w, s.word) {
			continue
		}
		if s.with == "" && !denied(words, i, i) {
			return true
		}
		from, to := max(0, i-1-s.near), min(len(words)-1, i+1+s.near)
		if s.behind {
			from, to = i+1, min(len(words)-1, i+1)
		}
		for j := from; s.with != "" && j <= to; j++ {
			if j != i && is(words[j], s.with) && !verbal(words, j) && !denied(words, min(i, j), max(i, j)) {
				return true
			}
		}
	}
	return false
}

// is reports whether a word matches a pattern. "$" matches any variable name.
func is(word, pattern string) bool {
	for p := range strings.SplitSeq(pattern, "|") {
		stem, open := strings.CutSuffix(p, "*")
		switch {
		case p == "$":
			if variable.MatchString(word) {
				return true
			}
		case word == stem, open && strings.HasPrefix(word, stem):
			return true
		}
	}
	return false
}

// verbal recognises "file" as a verb: "file a ticket".
func verbal(words []string, at int) bool {
	return words[at] == "file" && at+1 < len(words) && is(words[at+1], "a|an|bug*|issue*|ticket*")
}

// denied reports whether a sentence says the opposite: a negation shortly
// before or between the words, or right after them.
func denied(words []string, from, to int) bool {
	end := to + 1
	for end < len(words) && is(words[end], "is|are|was|were|will|key|keys") {
		end++
	}
	return slices.ContainsFunc(words[max(0, from-nearby):min(len(words), end+1)], func(w string) bool {
		return is(w, "not|never|no|without|cannot|nothing|neither") || strings.HasSuffix(w, "n't")
	})
}
