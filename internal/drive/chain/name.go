package chain

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// wanted is what a parameter refers to: things, and an attribute of them.
type wanted struct {
	things []string
	own    bool // the things come from the tool's name, not the parameter's
	head   string
}

// reference returns what a parameter refers to. The name of something that the
// tool will create is no reference: it does not exist yet.
func reference(tool, name string) (wanted, bool) {
	words := meaning.Words(name)
	head, rest, ok := headOf(words)
	if !ok {
		return wanted{}, false
	}
	w := wanted{things: meaningful(rest), head: head}
	about := nounsOf(tool)
	if len(w.things) == 0 {
		w.things, w.own = about, true
	}
	if rankOf(tool) < usesThings && head != "cursor" && overlap(w.things, about) > 0 && !copies(tool, words) {
		return wanted{}, false
	}
	return w, true
}

// copies reports whether a tool makes another one of what a parameter names, which is
// there already.
func copies(tool string, parameter []string) bool {
	verbs := meaning.Words(tool)
	return (slices.Contains(verbs, "copy") || slices.Contains(verbs, "duplicate")) &&
		!slices.ContainsFunc(parameter, func(w string) bool {
			return slices.Contains([]string{"new", "dst", "dest", "destination", "target", "to", "output"}, w)
		})
}

// score rates how well a fact fits, 0 for not at all. It must belong to the
// same thing and be the same attribute, or a similar one.
func (w wanted) score(f fact) int {
	common := overlap(w.things, f.things)
	if common == 0 && len(w.things)+len(f.things) > 0 {
		return 0
	}
	score := 4 * common
	if !w.own {
		score++
	}
	if len(f.things) > 0 && slices.Contains(w.things, f.things[0]) {
		score += 2
	}
	switch {
	case w.head == f.head:
		return score + 3
	case w.head == "id" && (f.head == "number" || f.head == "key"), w.head == "key" && f.head == "id", w.head == "number" && f.head == "id":
		return score + 2
	case w.head == "id" && f.head == "name", w.head == "key" && f.head == "name", w.head == "name" && f.head == "key":
		return score
	}
	return 0
}

func overlap(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// headOf splits the words of a key or parameter into the attribute (the head: id,
// name, path) and the thing it belongs to. A parameter that cannot refer to
// anything has no head.
func headOf(names []string) (head string, rest []string, ok bool) {
	if len(names) == 0 {
		return "", nil, false
	}
	tables, last := words(), len(names)-1
	rest = names[:last]
	if len(names) == 2 && names[0] == "id" { // idBoard
		return "id", names[1:], true
	}
	switch word := meaning.Singular(names[last]); {
	case tables.heads[word] != "":
		return tables.heads[word], rest, true
	case word == "cursor":
		return "cursor", nil, true
	case word == "token" && len(rest) > 0 && (rest[len(rest)-1] == "page" || rest[len(rest)-1] == "continuation"):
		return "cursor", nil, true
	case tables.calledLikeThing[word]:
		return "id", names, true
	}
	return "", nil, false
}

// nounsOf returns the nouns of a tool's name, without the verb. The most
// specific word comes first, which is the last one before the first
// preposition: add_issue_comment returns a comment, and add_card_to_list
// returns a card.
func nounsOf(tool string) []string {
	words := meaning.Words(tool)
	if i := verbOf(words); i >= 0 {
		words = slices.Delete(words, i, i+1)
	}
	end := slices.IndexFunc(words, preposition)
	if end < 0 {
		end = len(words)
	}
	slices.Reverse(words[:end])
	return meaningful(words)
}

func preposition(w string) bool { return words().prepositions[w] }

// meaningful keeps the words that distinguish things, in the singular.
func meaningful(words []string) []string {
	var out []string
	for _, w := range words {
		if single := meaning.Singular(w); !generic(w) && !generic(single) && !slices.Contains(out, single) {
			out = append(out, single)
		}
	}
	return out
}

// generic reports whether a word is too general to identify a thing.
func generic(w string) bool { return words().generic[w] || preposition(w) }
