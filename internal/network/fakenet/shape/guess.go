package shape

import (
	"cmp"
	"slices"
	"strings"
)

// guessed is what is tried in an answer: another kind at some place.
type guessed struct {
	key  key
	kind string
}

// guess is what is tried in one answer.
type guess struct {
	tries [][][]string // places that are tried together
	next  int
	// made is set while a place is tried, and before is what was known until then.
	made   bool
	before *node
}

// guessArray tries one place after another as an array.
func (e *Expectations) guessArray(w *lesson) bool {
	return e.guessNext(array, func(x *exchange) (tries [][][]string) {
		if names := x.listNames(); w.missing && len(names) > 0 {
			tries = append(tries, names)
		}
		for _, place := range x.scalarsAndObjects() {
			tries = append(tries, [][]string{place})
		}
		return tries
	})
}

// guessText tries one place after another as a text.
func (e *Expectations) guessText() bool {
	return e.guessNext(text, func(x *exchange) (tries [][][]string) {
		for _, place := range x.noTexts() {
			tries = append(tries, [][]string{place})
		}
		return tries
	})
}

// guessSwap tries one value of a kind after another as one of another kind.
// What the answer itself has to be is no guess: what is in it then is looked at again.
func (e *Expectations) guessSwap(got, kind string) bool {
	for i := range e.asked {
		if x := &e.asked[i]; got == array && kind == object && fits(got, x.value) {
			return e.place(x.key, nil, &lesson{kind: kind})
		}
	}
	return e.guessNext(got+" "+kind, func(x *exchange) (tries [][][]string) {
		for _, place := range x.ofKind(got, e.ranksOfSource(kind)) {
			tries = append(tries, [][]string{place})
		}
		return tries
	})
}

// guessNext takes back the last guess about these answers and makes the next: the answers
// take turns. kind ends with the kind that is tried.
func (e *Expectations) guessNext(kind string, triesOf func(*exchange) [][][]string) bool {
	changed := false
	var next *guess
	var about key
	for i := range e.asked {
		x := &e.asked[i]
		g := e.guess(guessed{x.key, kind}, func() [][][]string { return triesOf(x) })
		if g == nil {
			continue
		}
		if g.made {
			e.known[x.key], g.made, changed = g.before, false, true
		}
		if g.next < len(g.tries) && (next == nil || g.next < next.next) {
			next, about = g, x.key
		}
	}
	if next == nil {
		return changed
	}
	next.before, next.made = e.known[about].clone(), true
	next.next++
	to := kind[strings.LastIndexByte(kind, ' ')+1:]
	for _, path := range next.tries[next.next-1] {
		changed = e.place(about, path, &lesson{kind: to}) || changed
	}
	return changed
}

// guess returns the guesses about an answer; nil if there are too many.
func (e *Expectations) guess(about guessed, tries func() [][][]string) *guess {
	if g := e.guesses[about]; g != nil || len(e.guesses) >= maxLessons {
		return g
	}
	if e.guesses == nil {
		e.guesses = map[guessed]*guess{}
	}
	g := &guess{tries: tries()}
	e.guesses[about] = g
	return g
}

// listNames are the places at the top of an answer where most services have a list,
// as far as nothing is there. An answer that is a list itself has no members at all.
func (x *exchange) listNames() [][]string {
	top, object := x.value.(map[string]any)
	_, list := x.value.([]any)
	var out [][]string
	for _, name := range usualLists() {
		if _, there := top[name]; (object || list) && !there {
			out = append(out, []string{name})
		}
	}
	return out
}

// usualLists are the names under which most services have the records of a page.
func usualLists() []string {
	return []string{"results", "items", "data", "records", "values", "entries"}
}

// scalarsAndObjects are the places of what could be an array: the top, then
// objects, then texts.
func (x *exchange) scalarsAndObjects() [][]string {
	var objects, texts [][]string
	visit(x.value, func(path []string, v any) {
		switch v.(type) {
		case map[string]any:
			objects = append(objects, path)
		case string:
			texts = append(texts, path)
		}
	})
	all := slices.Concat(objects, texts)
	return all[:min(len(all), maxStarts)]
}

// noTexts are the places of what is no text, as a text may be read there: the usual
// names for one first, then what has parts, then numbers. The last is the answer
// itself.
func (x *exchange) noTexts() [][]string {
	type found struct {
		path []string
		rank int
	}
	var all []found
	visit(x.value, func(path []string, v any) {
		if len(path) == 0 || fits(text, v) {
			return
		}
		rank := 2
		if usualText(path[len(path)-1]) {
			rank = 0
		} else if fits(object, v) || fits(array, v) {
			rank = 1
		}
		all = append(all, found{path, rank})
	})
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.rank, b.rank))
	})
	var out [][]string
	for _, f := range all[:min(len(all), maxStarts-1)] {
		out = append(out, f.path)
	}
	return append(out, []string{})
}

// usualText reports the names under which services usually have the text that was
// asked for.
func usualText(name string) bool {
	switch name {
	case "result", "text", "content", "message", "output", "answer", "response", "url", "body", "markdown", "summary":
		return true
	}
	return false
}

// ofKind are the places of the values of a kind that may have to be of another one:
// what the source reads first, then the outer ones.
func (x *exchange) ofKind(kind string, ranks map[string]int) [][]string {
	var out [][]string
	visit(x.value, func(path []string, v any) {
		if fits(kind, v) {
			out = append(out, path)
		}
	})
	rank := func(path []string) int {
		switch r, known := ranks[ending(path)]; {
		case len(path) == 0:
			return rankOther
		case known:
			return r
		}
		return rankUnread
	}
	slices.SortStableFunc(out, func(a, b []string) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(len(a), len(b)))
	})
	return out[:min(len(out), maxStarts)]
}

// How likely a value has to be of another kind: the source reads it and tells no kind,
// does not read it, or reads it as something else.
const (
	rankOther = iota
	rankUnread
	rankRead
)

// ranksOfSource says of the members and elements that the source reads how likely they
// have to be of a kind.
func (e *Expectations) ranksOfSource(kind string) map[string]int {
	ranks := map[string]int{}
	for i := range e.sourced {
		e.sourced[i].node.walk(nil, func(path []string, n *node) {
			if n.kind == "" || n.kind == kind {
				ranks[ending(path)] = rankRead
			} else if name := ending(path); ranks[name] != rankRead {
				ranks[name] = rankOther
			}
		})
	}
	return ranks
}

// ending is the name at the end of a path, and that of the list for an element.
func ending(path []string) string {
	switch n := len(path); {
	case n == 0:
		return ""
	case n > 1 && isIndex(path[n-1]):
		return path[n-2] + "[]"
	default:
		return path[n-1]
	}
}

// learnValue looks for a value that the refusal repeats, and changes it.
func (e *Expectations) learnValue(w *lesson) bool {
	changed := false
	for i := range e.asked {
		x := &e.asked[i]
		visit(x.value, func(path []string, v any) {
			if len(path) > 0 && !fits(object, v) && !fits(array, v) && written(v) == w.value && !w.isMet(v, true) {
				changed = e.place(x.key, path, w) || changed
			}
		})
	}
	return changed
}

// learnEntries gives the empty lists entries: those at the end of a path, or all.
func (e *Expectations) learnEntries(w *lesson) bool {
	changed := false
	for i := range e.asked {
		x := &e.asked[i]
		visit(x.value, func(path []string, v any) {
			if list, ok := v.([]any); ok && len(list) == 0 && len(path) >= len(w.path) && slices.Equal(path[len(path)-len(w.path):], w.path) {
				changed = e.place(x.key, path, &lesson{kind: array}) || changed
			}
		})
	}
	return changed
}
