package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// subject is what a clause is about: the path to a value, and the value itself if
// the text repeats it.
type subject struct {
	path  []string
	value string
}

// subjects returns what a match is about, one for each wish: the members that it
// names, else the path beside the clause, else what stands before it, else what
// the last clause was about.
func (r *reader) subjects(m *match, w *mcpsf.Wish) []subject {
	if member := m.group("member"); member != "" {
		return []subject{{path: readMember(member, w)}}
	}
	names := members(m.group("name") + m.group("names"))
	if name := m.group("name"); name != "" && vague(name) {
		return nil
	}
	if w.Kind == mcpsf.WishOneMember {
		w.Accepted = names
		return []subject{{path: m.path}}[:min(len(names)/2, 1)]
	}
	if len(names) > 0 {
		if m.rule.later {
			names = names[1:]
		}
		base := m.path
		if over := r.over(m); len(over) > 0 {
			base = over[0].path
		}
		var out []subject
		for _, name := range names {
			out = append(out, subject{path: slices.Concat(base, splitPath(name))})
		}
		return out
	}
	if m.group("names") != "" || m.rule.later {
		return nil
	}
	switch {
	case m.path != nil:
		return []subject{{path: m.path}}
	case m.rule.bare && (w.Kind == mcpsf.WishMore || w.Kind == mcpsf.WishLess) && w.Value == "":
		return []subject{{path: r.about.path}}
	case m.rule.bare:
		return []subject{{path: labelled(m)}}
	}
	return r.before(m, w)
}

// labelled returns the name that stands before a colon at the beginning of a clause in
// which the rest tells only what a parser of JSON found.
func labelled(m *match) []string {
	label := label.FindStringSubmatch(m.text)
	if label == nil || m.rule.typ != "JSON" || vague(label[1]) || strings.HasSuffix(label[1], "Error") {
		return nil
	}
	return splitPath(label[1])
}

var label = lazyregexp.New(`^([a-z_][\w.-]*): `)

// ofEach is the list whose elements lack what follows: Each series must have 'name'.
var ofEach = lazyregexp.New(words.Replace(`(?i)(?:^|[\s:])(?:each|every) {q}([\w.]+){q}(?: (?:entry|item|element|object))?\s*$`))

// over returns what the members that a match names are in.
func (r *reader) over(m *match) []subject {
	if each := ofEach.FindStringSubmatch(m.text[:m.at[0]]); each != nil && len(m.path) == 0 && !vague(each[1]) {
		return []subject{{path: append(splitPath(each[1]), "0")}}
	}
	if !m.rule.under || len(m.path) > 0 {
		return nil
	}
	return r.before(m, &mcpsf.Wish{Kind: mcpsf.WishFormat})
}

// before returns what stands before a match, else what the last clause was about.
func (r *reader) before(m *match, w *mcpsf.Wish) []subject {
	before := m.text[:m.at[0]]
	if at := atPath.FindStringSubmatch(m.text); at != nil {
		return []subject{{path: splitPath(at[1] + at[2])}}
	}
	out := spoken(before, holdsValue(w.Kind))
	if len(out) == 0 {
		if about, ok := complaint(m.text); ok {
			return []subject{about}
		}
		if what := puzzled.FindStringSubmatch(before); what != nil && !vague(unquoted(what[1])) {
			return []subject{{path: splitPath(what[1])}}
		}
		out = []subject{r.about}
	}
	if s := &out[0]; s.value == "" && w.Value == "" {
		s.value = repeated(m.without(), before)
		if s.value == "" && w.Kind == mcpsf.WishNew && len(s.path) == 0 {
			s.value = unquoted(quotedText.FindString(before))
		}
	}
	if len(out[0].path) == 0 && (w.Kind == mcpsf.WishMissing || w.Kind == mcpsf.WishUnexpected) && !w.Loose {
		return nil // nothing says what is missing
	}
	return out
}

// repeated returns the value that a clause repeats: in quotes, or behind a colon.
func repeated(text, before string) string {
	before = before[strings.LastIndex(before, ": ")+1:]
	if m := quotedText.FindString(before); m != "" {
		return unquoted(m)
	}
	if m := behindColon.FindStringSubmatch(text); m != nil {
		return unquoted(m[1] + m[2] + m[3])
	}
	return ""
}

// holdsValue reports whether quotes in the noun of such a wish hold a value, as
// in: Sheet "Q1" not found. Elsewhere they hold its name.
func holdsValue(kind mcpsf.WishKind) bool {
	return kind == mcpsf.WishExisting || kind == mcpsf.WishNew || kind == mcpsf.WishRelative
}

var (
	quotedText  = lazyregexp.New(words.Replace(`{quoted}`))
	behindColon = lazyregexp.New(words.Replace(`(?i): ({quoted}|[/~][^\s,;]+)|(?:found|exists?): ?(\S+)$|, (?:open|mkdir|stat|lstat|scandir|access|unlink|rename|copyfile|rmdir) '([^']+)'`))
	atPath      = lazyregexp.New(`\.? at "?([A-Za-z_]\w*(?:\[\d+\]|\.\w+)+)"?$| at "([\w.\[\]-]+)"$|\(through reference chain: [^)]*\["(\w+)"\]\)`)
	onInstance  = lazyregexp.New(`On instance((?:\[[^\]\n]{1,64}\])+):`)

	// complained is a clause that only says what is wrong: Invalid mode: "fast".
	complained = lazyregexp.New(words.Replace(`(?i)\b(?:invalid|unknown|unsupported|unrecogni[sz]ed|illegal|incorrect|bad|wrong)(?: or missing)?(?: (?:\w+ )?(?:value|type|format|input|choice) (?:for|of|in))?` +
		`(?: the)?(?: {args})? (?:({quoted})|([A-Za-z_][\w.-]*(?: [a-z]+)?))(?: ?[:=] ?({quoted}|[^\s'"].*)| ({quoted}))?$`))
)

// bareFormat is a complaint about a format, which is no name.
var bareFormat = lazyregexp.New(`(?i)^(?:ur[li]|uuid|guid|e-?mail|json|iso|date|time|regex|boolean|integer|number|enum|literal|isoformat|variant)\b`)

// complaint reads a clause such as "Unknown operation: x".
func complaint(text string) (subject, bool) {
	head, _, _ := strings.Cut(text, ", must")
	m := complained.FindStringSubmatch(strings.TrimRight(head, ". "))
	if m == nil {
		return subject{}, false
	}
	name, value := unquoted(m[1])+m[2], strings.TrimSpace(m[3]+m[4])
	if v := quotedText.FindString(value); v != "" {
		value = v
	}
	value, _, _ = strings.Cut(unquoted(value), " ")
	first, second, two := strings.Cut(name, " ")
	if two && vague(second) {
		name = first
	}
	if vague(name) || bareFormat.MatchString(name) {
		return subject{value: value}, false
	}
	return subject{path: splitPath(name), value: strings.TrimRight(value, ",:")}, true
}

// spoken returns the noun that stands before a predicate, one subject for each
// that is joined: "Error: width and height".
func spoken(before string, quotesHoldValue bool) []subject {
	before = strings.TrimRight(parenthesis.ReplaceAllString(before, " "), " ")
	parts := strings.Split(before, ": ")
	for i, part := range slices.Backward(parts) {
		if strings.HasSuffix(part, ",") && i > 0 {
			continue // a value, as in: Invalid name: a.txt, must be
		}
		part = strings.Trim(part, " -–—:,")
		if dash := strings.LastIndex(part, " - "); dash >= 0 {
			part = part[dash+3:]
		}
		if q := quotedText.FindStringIndex(part); quotesHoldValue && q != nil {
			part = part[:q[0]]
		}
		if about, ok := complaint(part); ok {
			if about.value == "" && i+1 < len(parts) {
				about.value = unquoted(strings.Trim(parts[i+1], " ,.-"))
			}
			return []subject{about}
		}
		if e := element.FindStringSubmatch(part); e != nil {
			return []subject{{path: append(splitPath(e[1]), "0")}}
		}
		if names := nouns(part); len(names) > 0 {
			var out []subject
			for _, name := range names {
				out = append(out, subject{path: splitPath(name)})
			}
			return out
		}
	}
	return nil
}

var (
	element     = lazyregexp.New(`(?i)^(?:each|every) ["'` + "`" + `]?([\w.]+)["'` + "`" + `]? (?:entry|item|element)$`)
	parenthesis = lazyregexp.New(`\([^()]*\)`)
)
