// Package refusal reads the text with which a server refused a tool call and
// returns what it asks for: [mcpsf.Wish]. It knows the validation libraries that
// servers use, the failures of their languages, and the prose of their authors.
// It knows nothing of tools: whether a wish is about the input or about what the
// server got elsewhere, the caller decides by its path.
//
// The text is hostile. Its size and the number of wishes are bounded, and the time
// is linear: every expression runs once over each clause.
package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of how much of a text is read.
// gap: tools-failed
const (
	maxText    = 16 << 10
	maxWishes  = 16
	maxClauses = 128
	// maxClause bounds one clause of prose, and maxProse all of them.
	maxClause = 1 << 10
	maxProse  = 4 << 10
	// maxAccepted bounds the values that one wish lists, maxName a name or value,
	// and maxDepth the names of a path.
	maxAccepted = 64
	maxName     = 64
	maxValue    = 256
	maxDepth    = 16
)

// Read returns what a text asks for, in its order. The same text gives the same
// wishes. [mcpsf.Wish.Loose] marks those of which only the last name is known: a
// program failed to read a member of something, and did not say of what.
func Read(text string) []mcpsf.Wish {
	text = strings.ToValidUTF8(text[:min(len(text), maxText)], "")
	r := &reader{}
	if r.issues(text); len(r.wishes) == 0 {
		text = unwrap(text)
		if r.flatIssues(text); len(r.wishes) == 0 {
			r.decoded(text)
		}
	}
	if len(r.wishes) == 0 && !r.groups(text) {
		if strings.Contains(text, " 2. ") || strings.Contains(text, "\n2. ") {
			text = numbered.ReplaceAllString(text, ", ")
		}
		r.folders = absolutePaths(text)
		read := 0
		for _, c := range clauses(text) {
			if read += len(c.text); read > maxProse || len(r.wishes) >= maxWishes {
				break
			}
			r.clause(c)
		}
		r.place(text)
		r.complained()
		r.lacks(text)
		r.isUndone(text)
	}
	return r.aboutOutput(text)
}

// numbered stands before each value of a list with numbers.
var numbered = lazyregexp.New(`[ \n]\d{1,2}[.)] `)

// complained adds a wish for another value if the text says of one no more than that it
// is not right: what is may stand in the description.
func (r *reader) complained() {
	if len(r.wishes) == 0 && len(r.wrong.path) > 0 && r.wrong.value != "" && !ofProtocol.MatchString(r.wrong.path[0]) {
		r.add(mcpsf.Wish{Kind: mcpsf.WishOneOf, Path: r.wrong.path, Value: r.wrong.value})
	}
}

// ofProtocol is what a client may get wrong, and no argument.
var ofProtocol = lazyregexp.New(`(?i)^(?:tool|method|request|session|protocol|message|response|api|token)\b`)

// reader collects the wishes of one text.
type reader struct {
	wishes []mcpsf.Wish
	// about is what the last clause was about: the next one can leave it out.
	about subject
	// wrong is the last value that a clause only complains of.
	wrong subject
	// last is the text of the last clause.
	last string
	// folders are the absolute paths of the text.
	folders []string
}

// add adds a wish once.
func (r *reader) add(w mcpsf.Wish) {
	if len(w.Path) > maxDepth || len(r.wishes) >= maxWishes {
		return
	}
	for i, name := range w.Path {
		if w.Path[i] = strings.TrimSpace(name); w.Path[i] == "" || len(name) > maxName {
			return
		}
	}
	if len(w.Value) > maxValue {
		w.Value = ""
	}
	w.Accepted = w.Accepted[:min(len(w.Accepted), maxAccepted)]
	switch i := slices.IndexFunc(r.wishes, func(o mcpsf.Wish) bool { return same(&o, &w) }); {
	case i < 0:
		r.wishes = append(r.wishes, w)
	case w.Kind == mcpsf.WishOneOf && len(r.wishes[i].Accepted) == 0:
		r.wishes[i].Accepted = w.Accepted // the next sentence has them
	}
}

// same reports whether two wishes are about the same thing: the first that was
// read says more.
func same(a, b *mcpsf.Wish) bool {
	return a.Kind == b.Kind && slices.Equal(a.Path, b.Path) && (a.Type == b.Type || a.Kind == mcpsf.WishMissing)
}

// clause is a part of the text that says one thing, and the path that stands
// beside it, if one does.
type clause struct {
	path []string
	text string
}

// clause reads one clause by all rules, each kind of wish once.
func (r *reader) clause(c clause) {
	if c.path == nil {
		if m := plainLabel.FindStringSubmatch(c.text); m != nil {
			c.path, c.text = []string{m[1]}, m[2]
		}
	}
	before := len(r.wishes)
	c.text = r.aside(c.text)
	text := c.text
	if r.first(c, r.result(c)) {
		return // what is said about another call is about no value
	}
	if r.after(c) || r.endings(c) || r.letters(c) {
		return
	}
	done := map[mcpsf.WishKind]bool{}
	for i := range rules {
		rule := &rules[i]
		if done[rule.kind] {
			continue
		}
		m := newMatch(rule, c.path, text)
		if m == nil || !r.grant(m) {
			continue
		}
		if done[rule.kind] = true; rule.alone {
			break
		}
		text = m.without() // a word of a list is no format or type
	}
	r.examples(c, before)
	if about, ok := complaint(c.text); ok {
		r.about, r.wrong = about, about
	} else if len(r.wishes) > before {
		last := r.wishes[len(r.wishes)-1]
		r.about = subject{path: last.Path, value: last.Value}
	} else if m := puzzled.FindStringSubmatch(c.text); m != nil && !vague(unquoted(m[1])) {
		r.about = subject{path: splitPath(m[1])}
	} else if m := misplaced.FindStringSubmatch(c.text); m != nil && !vague(m[1]) {
		r.about = subject{path: splitPath(m[1]), value: unquoted(m[2])}
	}
}

// plainLabel is the name of a parameter before the message of a library, where the name
// alone would be too general: "value: String must contain ...".
var plainLabel = lazyregexp.New(`^(values?|inputs?|fields?|property|list|object|options?|array|request|result|response|call|tool): ([A-Z].*)$`)

// misplaced is a clause that a value is not where it was looked for: the next one may
// say what is there.
var misplaced = lazyregexp.New(words.Replace(`(?:^|: )([A-Za-z]\w*(?: [a-z]+)?) ({quoted}) (?:is|was) not\b`))

// place gives the wishes without a path the one that stands apart from the
// message.
func (r *reader) place(text string) {
	m := onInstance.FindStringSubmatch(text)
	if m == nil {
		return
	}
	for i := range r.wishes {
		if len(r.wishes[i].Path) == 0 {
			r.wishes[i].Path = splitPath(m[1])
		}
	}
}
