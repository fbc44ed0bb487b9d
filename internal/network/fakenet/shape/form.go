package shape

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The bounds of a form.
// no gap: bounds our own made-up answers
const (
	maxFormed = 64 // names and words of one form
	maxForms  = 64 // forms of one request
)

// operation matches the names of members that say what is asked for, where one path
// is for all: method=getBlock, action=query.
var operation = lazyregexp.New(`^(?i:method|action|operation|operation_?name|op|function|module|cmd|command|list|service|tool|api|query_type|type)$`)

// operationWord matches what they say.
var operationWord = lazyregexp.New(`^[A-Za-z][A-Za-z_.:/-]{1,39}$`)

// Form describes what is asked for at a path that answers several questions: by the
// names of the members of the body, and by words such as action=query. Nothing of
// it gets into an answer: it only tells which lesson is about this request.
func Form(names []string, words map[string]string) string {
	parts := map[string]bool{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if permittedName(name) && len(parts) < maxFormed {
			parts[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		if operation.MatchString(name) && operationWord.MatchString(words[name]) && len(parts) < maxFormed {
			parts[name+"="+words[name]] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(parts)), "&")
}

// knownOf returns what was learned about requests of this form, else of the form that
// has most in common with it; nil if it has little in common with any.
func (l *lessons) knownOf(k key) *node {
	if n := l.known[k]; n != nil {
		return n
	}
	best, most := (*node)(nil), 0.0
	for _, other := range l.forms[k.anyForm()] {
		if n := l.known[other]; n != nil {
			if c := common(k.form, other.form); c >= 0.5 && c > most {
				best, most = n, c
			}
		}
	}
	return best
}

// root returns what is known about requests of this form, to add to it: at first that
// of a similar one. It is nil if there are too many.
func (l *lessons) root(k key) *node {
	if n := l.known[k]; n != nil {
		return n
	}
	base := k.anyForm()
	if len(l.known) >= maxLessons || len(l.forms[base]) >= maxForms {
		return nil
	}
	if l.known == nil {
		l.known, l.forms = map[key]*node{}, map[key][]key{}
	}
	n := l.knownOf(k).clone()
	if n == nil {
		n = &node{}
	}
	l.known[k] = n
	if !slices.Contains(l.forms[base], k) {
		l.forms[base] = append(l.forms[base], k)
	}
	return n
}

func (k key) anyForm() key {
	k.form = ""
	return k
}

// common is how much of the smaller form the other one has. A request without a form
// may be any.
func common(a, b string) float64 {
	if a == "" || b == "" {
		return 0.5
	}
	x, y := strings.Split(a, "&"), strings.Split(b, "&")
	both := 0
	for _, part := range x {
		if slices.Contains(y, part) {
			both++
		}
	}
	return float64(both) / float64(min(len(x), len(y)))
}
