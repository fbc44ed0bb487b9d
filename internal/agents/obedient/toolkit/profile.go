package toolkit

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// Profile is what is known of a tool.
type Profile struct {
	Params    []Param
	Abilities []Ability
	// Words are the words of its name, About those of its first sentence.
	Words, About []string
}

// NewProfile judges a tool by its name, its parameters, and the beginning of
// its description; what comes later may deceive.
func NewProfile(t *llm.Tool) Profile {
	first := t.Description[:min(len(t.Description), 300)]
	if at := strings.IndexAny(first, ".\n"); at > 0 {
		first = first[:at]
	}
	k := Profile{Params: paramsOf(t.Schema), Words: SplitWords(t.Name, 12), About: SplitWords(first, 40)}
	for _, tr := range tables().traits {
		if k.shows(&tr) {
			k.Abilities = append(k.Abilities, tr.Ability)
		}
	}
	return k
}

// shows reports whether the tool has the traits of an ability.
func (k *Profile) shows(t *trait) bool {
	for _, need := range t.Needs {
		if k.Param(need) == nil {
			return false
		}
	}
	if AnyOf(k.Words, t.Never) {
		return false
	}
	if AnyOf(k.Words, t.Alone) {
		return true
	}
	noun := AnyOf(k.Words, t.Nouns) || AnyOf(k.About, t.Nouns)
	verb := AnyOf(k.Words, t.Verbs) || len(k.About) > 0 && slices.Contains(t.Verbs, Stem(k.About[0]))
	return noun && verb
}

// Can reports whether the tool has an ability.
func (k *Profile) Can(a Ability) bool { return slices.Contains(k.Abilities, a) }

// Private reports whether the tool accesses the user's data. Such a tool is not
// called for a vague order.
func (k *Profile) Private() bool {
	return slices.ContainsFunc(k.Abilities, func(a Ability) bool { return a != canSearch })
}

// Shared counts common words: three for one in the name, one for others.
func (k *Profile) Shared(words map[string]bool) int {
	n, distinct := 0, map[string]bool{}
	for _, w := range k.Words {
		if w = Stem(w); len(w) > 2 && words[w] && !distinct[w] {
			distinct[w] = true
			n += 3
		}
	}
	for _, w := range k.About {
		if w = Stem(w); len(w) > 2 && words[w] && !distinct[w] && !tables().filling.Has(w) {
			distinct[w] = true
			n++
		}
	}
	if len(distinct) < 2 {
		return 0
	}
	return n
}

// AnyOf reports whether one of the words is in a list.
func AnyOf(words, of []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}

// Stem removes the ending of a verb in the third person: reads, fetches.
func Stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

// Param is the parameter with a role, nil if there is none. Of several,
// required ones come first, then the one whose name fits best.
func (k *Profile) Param(r Role) *Param {
	var best *Param
	rank := 1000
	for i := range k.Params {
		p := &k.Params[i]
		for n, word := range tables().roles[r] {
			if !p.Required {
				n += 100
			}
			if slices.Contains(p.words, word) && n < rank && p.suits(r) {
				best, rank = p, n
			}
		}
	}
	return best
}

// Named is the parameter of that name in any spelling, nil if there is none.
func (k *Profile) Named(name string) *Param {
	b := Bare(name)
	for i := range k.Params {
		if Bare(k.Params[i].Name) == b {
			return &k.Params[i]
		}
	}
	return nil
}

// Fill gives required parameters without a value one from the schema.
func (k *Profile) Fill(a Arguments) Arguments {
	for i := range k.Params {
		p := &k.Params[i]
		if _, ok := a[p.Name]; !ok && p.Required {
			a[p.Name] = p.filler()
		}
	}
	return a
}

// Room is the parameter that a long text fits into best.
func (k *Profile) Room(taken Arguments) *Param {
	if p := k.Param(RoleBody); p != nil && taken[p.Name] == nil {
		return p
	}
	for i := range k.Params {
		p := &k.Params[i]
		if _, ok := taken[p.Name]; !ok && (p.kind == "string" || p.kind == "array") {
			return p
		}
	}
	return nil
}
