package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// kit is what is known of a tool.
type profile struct {
	params    []param
	abilities []ability
	// words are those of its name, about those of its first sentence.
	words, about []string
}

// kitOf judges a tool by its name, its parameters, and how its description
// begins; what comes later may be there to deceive.
func newProfile(t *llm.Tool) profile {
	first := t.Description[:min(len(t.Description), 300)]
	if at := strings.IndexAny(first, ".\n"); at > 0 {
		first = first[:at]
	}
	k := profile{params: paramsOf(t.Schema), words: splitWords(t.Name, 12), about: splitWords(first, 40)}
	for _, tr := range traits() {
		if k.shows(&tr) {
			k.abilities = append(k.abilities, tr.ability)
		}
	}
	return k
}

func (k *profile) shows(t *trait) bool {
	for _, need := range t.needs {
		if k.param(need) == nil {
			return false
		}
	}
	if anyOf(k.words, t.never) {
		return false
	}
	if anyOf(k.words, t.alone) {
		return true
	}
	noun := anyOf(k.words, t.nouns) || anyOf(k.about, t.nouns)
	verb := anyOf(k.words, t.verbs) || len(k.about) > 0 && slices.Contains(t.verbs, stem(k.about[0]))
	return noun && verb
}

func (k *profile) can(a ability) bool { return slices.Contains(k.abilities, a) }

// private tools touch what is the user's: they are not called by the way.
func (k *profile) private() bool {
	return slices.ContainsFunc(k.abilities, func(a ability) bool { return a != canSearch })
}

// shared counts common words: three for one of the name, one for others.
func (k *profile) shared(words map[string]bool) int {
	n, distinct := 0, map[string]bool{}
	for _, w := range k.words {
		if w = stem(w); len(w) > 2 && words[w] && !distinct[w] {
			distinct[w] = true
			n += 3
		}
	}
	for _, w := range k.about {
		if w = stem(w); len(w) > 2 && words[w] && !distinct[w] && !filling(w) {
			distinct[w] = true
			n++
		}
	}
	if len(distinct) < 2 {
		return 0
	}
	return n
}

func filling(w string) bool {
	switch w {
	case "the", "and", "for", "with", "that", "this", "from", "into", "your", "you", "are", "all", "its", "tool", "text", "one", "any", "has", "not":
		return true
	}
	return false
}

func anyOf(words, of []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}

// stem takes the ending off a verb that describes: reads, fetches.
func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

// param is the one that plays a role, nil if none does. Of several it is the
// one whose name says so best, required ones first.
func (k *profile) param(r role) *param {
	var best *param
	rank := 1000
	for i := range k.params {
		p := &k.params[i]
		for n, word := range rolesOf(r) {
			if !p.required {
				n += 100
			}
			if slices.Contains(p.words, word) && n < rank && p.suits(r) {
				best, rank = p, n
			}
		}
	}
	return best
}

// named is the parameter of that name in any spelling, nil if there is none.
func (k *profile) named(name string) *param {
	b := bare(name)
	for i := range k.params {
		if bare(k.params[i].name) == b {
			return &k.params[i]
		}
	}
	return nil
}

// fill gives the required parameters that have none a value of the schema.
func (k *profile) fill(a arguments) arguments {
	for i := range k.params {
		p := &k.params[i]
		if _, ok := a[p.name]; !ok && p.required {
			a[p.name] = p.filler()
		}
	}
	return a
}

// room is the parameter that something long is best put into.
func (k *profile) room(taken arguments) *param {
	if p := k.param(roleBody); p != nil && taken[p.name] == nil {
		return p
	}
	for i := range k.params {
		p := &k.params[i]
		if _, ok := taken[p.name]; !ok && (p.kind == "string" || p.kind == "array") {
			return p
		}
	}
	return nil
}
