package shape

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The bounds of what is learned.
// no gap: bounds our own made-up answers
const (
	maxWishes  = 200 // of one refusal
	maxLessons = 1000
	maxPath    = 12
	maxTaught  = 4000
)

// lessons are what refusals taught.
type lessons struct {
	begun, frozen bool
	asked         []exchange // since Begin
	others        []key      // of those that were answered with what is no JSON
	bodies        map[key]string
	known         map[key]*node
	forms         map[key][]key // the known keys by what they are without the form
	count         int
	// tried counts how often a wish was repeated: it is tried in another place.
	tried   map[string]int
	guesses map[guessed]*guess
	// taught are the names and values that the server wrote.
	taught  []string
	conceal *strings.Replacer
}

// exchange is an answer that was given.
type exchange struct {
	key   key
	value any
}

// lesson is a wish about an answer.
type lesson struct {
	path     []string
	kind     string
	form     string
	accepted []string
	absent   bool
	// missing says that there was no value at all, written that a text that the tool
	// returns was none: it was read from some place of an answer.
	missing, written bool
	// whole says that it is about the answer itself, and not about something in it.
	whole bool
	// more says that a list had too few entries.
	more bool
	// got is the kind that the value has, value is the value itself: it is looked for.
	// body is what all of the answer must be.
	got, value, body string
}

// Begin forgets which answers were given: wishes are about the following ones.
func (e *Expectations) Begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.begun, e.asked, e.others = true, nil, nil
}

// Freeze ends learning. Later starts of the server get the same answers.
func (e *Expectations) Freeze() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.frozen, e.asked, e.others = true, nil, nil
}

func (l *lessons) remember(k key, value any) {
	if !l.begun || l.frozen {
		return
	}
	i := slices.IndexFunc(l.asked, func(x exchange) bool { return x.key == k })
	switch {
	case i >= 0:
		l.asked[i].value = value
	case len(l.asked) < maxAsked:
		l.asked = append(l.asked, exchange{k, value})
	}
}

// learned returns what was learned about the answers to such requests.
func (e *Expectations) learned(r *Request) *node {
	if len(e.known) == 0 {
		return nil
	}
	return e.knownOf(e.key(r))
}

// Learn takes wishes about the answers that were given since Begin. It reports
// whether the next ones differ.
func (e *Expectations) Learn(wishes []mcpsf.Wish) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.frozen || len(e.asked) == 0 && len(e.others) == 0 {
		return false
	}
	changed := false
	for i := range wishes[:min(len(wishes), maxWishes)] {
		if w, ok := lessonOf(&wishes[i]); ok && e.count < maxLessons && len(e.taught) < maxTaught-maxPath-maxAccepted && e.learn(w) {
			e.count++
			changed = true
		}
	}
	return changed
}

func (e *Expectations) learn(w *lesson) bool {
	switch {
	case w.body != "":
		return e.learnBody(w.body)
	case w.written:
		return e.guessText()
	case w.more:
		return e.learnEntries(w)
	case len(w.path) == 0 && w.value != "" && e.learnValue(w):
		return true
	case len(w.path) == 0 && w.got != "" && w.got != w.kind:
		return e.guessSwap(w.got, w.kind)
	case len(w.path) == 0 && w.form != "":
		return false
	case len(w.path) == 0 && w.kind == array:
		return e.learnArray(w)
	case w.missing && w.whole && len(w.path) == 1 && e.learnTop(w):
		return true
	case len(w.path) == 1 && w.kind == "" && w.form == "" && len(w.accepted) == 0 && !w.absent:
		return e.learnName(w)
	}
	return e.learnPath(w)
}

// learnPath puts what is wished at its path, in all the answers that it may be
// about.
func (e *Expectations) learnPath(w *lesson) bool {
	changed := false
	for i := range e.asked {
		changed = e.learnIn(&e.asked[i], w) || changed
	}
	return changed
}

// learnIn puts what is wished into one answer. If it is there already the path may
// begin below the answer's top, and the next place is tried.
func (e *Expectations) learnIn(x *exchange, w *lesson) bool {
	id := w.id(x.key)
	starts := x.startsFor(w)
	if (w.missing || w.form != "" && !x.has(starts, w)) && len(w.path) == 1 && e.tried[id] == 0 {
		return e.try(id) && e.learnEverywhere(x, w, starts)
	}
	for e.tried[id] < len(starts) {
		path := x.element(append(slices.Clone(starts[e.tried[id]]), w.path...), w)
		if !e.try(id) {
			return false
		}
		if !w.isMet(valueAt(x.value, path)) {
			return e.place(x.key, path, w)
		}
	}
	return false
}

// element returns the path of what has to have a form: of a list the first element.
func (x *exchange) element(path []string, w *lesson) []string {
	value, _ := valueAt(x.value, path)
	if list, ok := value.([]any); ok && len(list) > 0 && w.form != "" {
		return append(path, "0")
	}
	return path
}

// has says whether what a wish is about is anywhere: a program may read another form of
// value from what is not there, such as a date.
func (x *exchange) has(starts [][]string, w *lesson) bool {
	return slices.ContainsFunc(starts, func(start []string) bool {
		_, there := valueAt(x.value, append(slices.Clone(start), w.path...))
		return there
	})
}

// learnEverywhere puts a member that is not there wherever it mostly is: a server checks
// the elements of a list one by one, and says nothing of the list.
func (e *Expectations) learnEverywhere(x *exchange, w *lesson, starts [][]string) bool {
	changed := false
	for _, start := range starts {
		path := x.element(append(slices.Clone(start), w.path...), w)
		if x.isUsual(start) && !w.isMet(valueAt(x.value, path)) {
			changed = e.place(x.key, path, w) || changed
		}
	}
	return changed
}

// startsFor are the places where the path of a wish may begin: of a wish for another kind
// of value those that have one, if any has.
func (x *exchange) startsFor(w *lesson) [][]string {
	starts := x.starts(w.path)
	if w.missing || w.absent {
		return starts
	}
	having := slices.DeleteFunc(slices.Clone(starts), func(start []string) bool {
		_, there := valueAt(x.value, append(slices.Clone(start), w.path...))
		return !there
	})
	if len(having) > 0 {
		return having
	}
	return starts
}

// try counts a wish; false if there are too many.
func (l *lessons) try(id string) bool {
	if l.tried == nil {
		l.tried = map[string]int{}
	}
	if _, known := l.tried[id]; !known && len(l.tried) >= maxLessons {
		return false
	}
	l.tried[id]++
	return true
}

// place writes a lesson down; false if there are too many.
func (l *lessons) place(k key, path []string, w *lesson) bool {
	root := l.root(k)
	if root == nil {
		return false
	}
	n := root.at(path[:min(len(path), maxPath)])
	n.become(w.kind)
	if n.absent = w.absent; w.form != "" {
		n.form = w.form
	}
	if len(w.accepted) > 0 {
		n.accepted = w.accepted
	}
	l.teach(w.path...)
	l.teach(w.accepted...)
	return true
}

// id names a wish about an answer, to recognise it when it is repeated.
func (l *lesson) id(k key) string {
	return strings.Join(append([]string{k.method, k.host, k.path, k.form, l.kind, l.form, strings.Join(l.accepted, "\x00")}, l.path...), "\x00")
}

// isMet says whether a value has what is wished already.
func (l *lesson) isMet(value any, there bool) bool {
	switch {
	case l.absent:
		return !there
	case !there:
		return false
	case len(l.accepted) > 0:
		return slices.Contains(l.accepted, written(value))
	case l.form != "":
		return looks(l.form, value)
	}
	return l.kind == "" || fits(l.kind, value)
}
