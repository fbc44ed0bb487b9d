package chain

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// wanted is what a parameter refers to.
type wanted struct {
	things []string
	own    bool // the things are those of the tool, not of the parameter
	head   string
}

// reference tells what a parameter refers to. What a tool makes is not there
// yet: the name it is to have is no reference.
func reference(tool, name string) (wanted, bool) {
	words := schema.Words(name)
	head, rest, ok := headOf(words)
	if !ok {
		return wanted{}, false
	}
	w := wanted{things: meaningful(rest), head: head}
	about := nounsOf(tool)
	if len(w.things) == 0 {
		w.things, w.own = about, true
	}
	if rankOf(tool) < usesThings && head != "cursor" && overlap(w.things, about) > 0 {
		return wanted{}, false
	}
	return w, true
}

// score says how well a fact fits: 0 is not at all. It has to belong to the
// same thing, and to be what is asked for or something like it.
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

// headOf splits the words of a key or parameter into what it is and what it
// belongs to. Only what can refer to something has a head.
func headOf(words []string) (head string, rest []string, ok bool) {
	if len(words) == 0 {
		return "", nil, false
	}
	last := len(words) - 1
	rest = words[:last]
	if len(words) == 2 && words[0] == "id" { // idBoard
		return "id", words[1:], true
	}
	switch schema.Singular(words[last]) {
	case "id", "ids", "uid", "uuid", "guid", "identifier", "iid", "pid", "ref", "sha", "hash":
		return "id", rest, true
	case "number", "num", "no", "index":
		return "number", rest, true
	case "key", "slug", "handle":
		return "key", rest, true
	case "name", "title", "username", "login":
		return "name", rest, true
	case "path", "file", "filename", "filepath":
		return "path", rest, true
	case "url", "uri", "link":
		return "url", rest, true
	case "cursor":
		return "cursor", nil, true
	case "token":
		if len(rest) > 0 && (rest[len(rest)-1] == "page" || rest[len(rest)-1] == "continuation") {
			return "cursor", nil, true
		}
	case "session", "job", "thread", "conversation", "transaction", "connection":
		return "id", words, true // an identifier that is called like its thing
	}
	return "", nil, false
}

// nounsOf tells what a tool is about: its name without what it does. What says
// most comes first: the last word before the first preposition. What
// add_issue_comment returns is a comment, and add_card_to_list returns a card.
func nounsOf(tool string) []string {
	words := schema.Words(tool)
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

func preposition(w string) bool {
	switch w {
	case "to", "from", "in", "on", "by", "for", "with", "of", "into", "at", "as":
		return true
	}
	return false
}

// meaningful keeps the words that tell things apart, in the singular.
func meaningful(words []string) []string {
	var out []string
	for _, w := range words {
		if single := schema.Singular(w); !generic(w) && !generic(single) && !slices.Contains(out, single) {
			out = append(out, single)
		}
	}
	return out
}

// generic reports whether a word can stand for anything.
func generic(w string) bool {
	switch w {
	case "data", "result", "results", "item", "items", "response", "object", "value", "content", "contents", "record", "records",
		"entry", "entries", "output", "payload", "body", "node", "nodes", "edge", "edges", "details", "info", "metadata",
		"api", "mcp", "tool", "all", "the", "a", "an", "my", "and", "or",
		"id", "ids", "current", "next", "previous", "parent", "target", "source", "first", "last", "your", "has", "is", "was", "been":
		return true
	}
	return preposition(w)
}
