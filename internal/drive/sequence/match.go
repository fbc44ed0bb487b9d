package sequence

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Grades of how well a tool fits what a text calls it. Below them, each word in
// common counts, and then what the tool does.
const (
	sameName  = 1000
	alikeName = 900
	perWord   = 10
	literal   = 5  // the same verb, not only one of its meaning
	described = 12 // more than what only shows a thing
)

// Bounds of what is compared: the server wrote both sides.
// no gap: a tool that is not found is called in its turn
const (
	maxNames = 8
	maxTools = 2000
	// maxOpening bounds how much of a description is read.
	maxOpening = 80
)

// Named returns the indexes of the tools that a text may mean by these names,
// verbs or things, the best first: "sign_in", "login", "project". Without any, they
// are those that open something.
func Named(tools []mcpsf.Tool, names []string) []int {
	var wanted []phrase
	for _, name := range names[:min(len(names), maxNames)] {
		wanted = append(wanted, phrase{name, plainName(name), meaning.Words(name), keywords(name)})
	}
	grades := map[int]int{}
	var list []int
	for i := range tools[:min(len(tools), maxTools)] {
		if g := grade(&tools[i], wanted); g > 0 {
			grades[i] = g
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(grades[b], grades[a]) })
	// What a text calls by its name is what it means: others that share a word with it
	// are not tried, of which there may be many.
	if others := slices.IndexFunc(list, func(i int) bool { return grades[i] < alikeName }); others > 0 {
		list = list[:others]
	}
	return list
}

// phrase is what a text calls a tool.
type phrase struct {
	text, plain string
	said, words []string // as they are, and by their meaning
}

// grade returns how well a tool fits one of the phrases, 0 for not at all. What takes
// something away has to be named as it is called.
func grade(tool *mcpsf.Tool, wanted []phrase) int {
	if len(wanted) == 0 && Opens(tool.Name) {
		return 1
	}
	plain, own, said := plainName(tool.Name), keywords(tool.Name), keywords(opening(tool.Description))
	raw := meaning.Words(tool.Name)
	best := 0
	for _, p := range wanted {
		switch common := p.common(own); {
		case p.text == tool.Name || p.text == tool.CallName():
			return sameName
		case p.plain != "" && p.plain == plain:
			best = max(best, alikeName)
		case common > 0:
			g := perWord*common + use(tool.Name, own)
			if slices.ContainsFunc(p.said, func(w string) bool { return slices.Contains(raw, w) && begins(synonym(w)) }) {
				g += literal
			}
			best = max(best, g)
		}
		if len(said) > 0 && begins(said[0]) && p.within(said) {
			best = max(best, described)
		}
	}
	if 0 < best && best < alikeName && TakesAway(tool.Name) {
		return 0
	}
	return best
}

// common returns how many words a phrase has in common with a name. To open one thing
// is not to open another.
func (p *phrase) common(own []string) int {
	n := 0
	for _, w := range p.words {
		if slices.Contains(own, w) && (!begins(w) || w == verbLogin || len(p.words) == 1 || shares(p.words, own)) {
			n++
		}
	}
	return n
}

// within reports whether all words of a phrase are in a description.
func (p *phrase) within(said []string) bool {
	return len(p.words) > 0 && !slices.ContainsFunc(p.words, func(w string) bool { return !slices.Contains(said, w) })
}

// shares reports whether two lists have the name of a thing in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return !begins(w) && slices.Contains(b, w) })
}

// use grades what a tool does: one that opens a thing is meant before one that
// shows it.
func use(tool string, words []string) int {
	switch {
	case Opens(tool):
		return 3
	case Makes(tool), slices.ContainsFunc(words, begins):
		return 2
	}
	return 1
}

// begins reports whether a word is what begins work with something that exists.
func begins(word string) bool {
	switch word {
	case verbLogin, verbOpen, verbStart, verbConnect, verbSetUp:
		return true
	}
	return false
}

// plainName is a name without case and separators.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// opening returns the beginning of a description, which says what a tool does.
func opening(description string) string {
	first, _, _ := strings.Cut(description, ". ")
	return strings.ToValidUTF8(first[:min(len(first), maxOpening)], "")
}

// The verbs that stand for those of the same meaning.
const (
	verbLogin   = "login"
	verbOpen    = "open"
	verbStart   = "start"
	verbConnect = "connect"
	verbSetUp   = "setup"
)

// keywords returns the words of a name or phrase that tell which tool it means, each
// verb by one of its meaning.
func keywords(text string) []string {
	words := meaning.Words(text)
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		if i+1 < len(words) {
			if verb := phrasal(w, words[i+1]); verb != "" {
				out = append(out, verb)
				i++
				continue
			}
		}
		if w = synonym(meaning.Singular(w)); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// synonym returns the word that stands for another one, "" if that says nothing.
func synonym(w string) string {
	switch w {
	case "a", "an", "the", "to", "of", "in", "on", "with", "for", "first", "call", "tool", "must", "be", "no", "not", "is", "any", "your", "before", "run", "please":
		return ""
	case "login", "signin", "logon", "authenticate", "auth", "authentication", "authorize", "authorise", "authenticated", "authorized":
		return verbLogin
	case "open", "opened", "load", "loaded", "select", "selected", "choose", "switch", "use", "activate", "active", "mount":
		return verbOpen
	case "connect", "connected", "connection", "attach", "attached":
		return verbConnect
	case "init", "initialize", "initialise", "initialized", "initialised", "initialization", "setup", "bootstrap":
		return verbSetUp
	case "start", "started", "begin", "launch", "launched", "boot", "create", "created", "new":
		return verbStart
	}
	return w
}
