package refusal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// match is a rule that fits a clause.
type match struct {
	rule *rule
	path []string // the path that stands beside the clause
	text string
	at   []int
}

func newMatch(rule *rule, path []string, text string) *match {
	at := rule.find.FindStringSubmatchIndex(text)
	if at == nil || rule.kind == mcpsf.WishOneOf && strings.HasSuffix(strings.ToLower(text[:at[0]]), "not ") {
		return nil // "not allowed: x" is no list
	}
	return &match{rule: rule, path: path, text: text, at: at}
}

// group returns the text of a named group; "over" is also "over2".
// Of several with that name it is the first that matched.
func (m *match) group(name string) string {
	for i, n := range m.rule.find.SubexpNames() {
		if strings.TrimRight(n, "234567") == name && m.at[2*i] >= 0 {
			return m.text[m.at[2*i]:m.at[2*i+1]]
		}
	}
	return ""
}

// without returns the text without the list of accepted values.
func (m *match) without() string {
	i := slices.Index(m.rule.find.SubexpNames(), "list")
	if i < 0 || m.at[2*i] < 0 {
		return m.text
	}
	return m.text[:m.at[2*i]] + " …"
}

// grant adds the wishes of a match, and reports whether there are any.
func (r *reader) grant(m *match) bool {
	w := mcpsf.Wish{Kind: m.rule.kind, Type: m.rule.typ, Loose: m.rule.loose, Value: unquoted(m.group("value"))}
	if !m.fill(&w) {
		return false
	}
	w.Got = gotType(m.group("got"))
	before := len(r.wishes)
	for _, s := range r.subjects(m, &w) {
		each := w
		each.Path = s.path
		if each.Value == "" && !slices.Contains(s.path, s.value) {
			each.Value = s.value
		}
		if each.Kind == mcpsf.WishRelative {
			r.folder(m, &each)
		}
		if (each.Kind == mcpsf.WishMore || each.Kind == mcpsf.WishLess) && len(each.Path) == 0 && each.Value == "" && !each.Loose {
			continue // a bound of nothing
		}
		r.add(each)
	}
	return len(r.wishes) > before
}

// fill sets what the groups say. It returns false if they say nothing.
func (m *match) fill(w *mcpsf.Wish) bool {
	if list := m.group("list"); list != "" {
		if w.Accepted = values(list); len(w.Accepted) == 0 || len(w.Accepted) == 1 && ofFormat.MatchString(m.text[m.at[0]:m.at[1]-len(list)]) {
			return false
		}
		if typ, ok := allTypes(w.Accepted); ok {
			w.Kind, w.Type, w.Accepted = mcpsf.WishType, typ, nil
		}
	}
	if m.rule.accept != "" {
		w.Accepted = []string{m.rule.accept}
	}
	if typ := m.group("type"); typ != "" {
		if w.Type = TypeOf(typ); w.Type == "" {
			return false
		}
	}
	if project := m.group("project"); project != "" {
		w.Accepted = []string{strings.ToLower(project)}
	}
	if format := m.group("format"); format != "" {
		w.Type = formatOf(format)
	}
	for _, part := range []string{mcpsf.FormatPrefix, mcpsf.FormatSuffix, mcpsf.FormatContains, mcpsf.FormatPattern} {
		if text := m.group(part); text != "" {
			w.Type, w.Accepted = part, []string{strings.Trim(unquoted(text), "/")}
			if part != mcpsf.FormatPattern {
				w.Accepted[0] = unquoted(text)
			}
		}
	}
	if list := m.group("placeholders"); list != "" {
		w.Type, w.Accepted = mcpsf.FormatContains, []string{"/" + strings.Join(placeholder.FindAllString(list, maxAccepted), "/")}
	}
	if e := example.FindStringSubmatch(m.text); e != nil && len(w.Accepted) == 0 && (w.Kind == mcpsf.WishMissing || w.Kind == mcpsf.WishFormat) {
		w.Accepted = quotedList(e[1])
	}
	if absent(m.text) && w.Kind == mcpsf.WishType && !m.rule.loose {
		w.Kind = mcpsf.WishMissing
	}
	return m.bounds(w)
}

// placeholder is the place of a value in a text that is a template.
var placeholder = lazyregexp.New(`\{\w+\}`)

// ofFormat is what stands before the description of a format, which is no choice.
var ofFormat = lazyregexp.New(`(?i)\b(?:form(?:at)?|syntax|shape|pattern)\b`)

// example is a value that the text gives as one.
var example = lazyregexp.New(words.Replace(`(?i)(?:\be\.g\.|\bfor example|\bsuch as)[,:]? ?({quoted}.*)`))

// bounds sets the bounds. An excluded bound gives the next whole number.
func (m *match) bounds(w *mcpsf.Wish) bool {
	if w.Kind != mcpsf.WishMore && w.Kind != mcpsf.WishLess {
		return true
	}
	unit := unitOf(m.text[m.at[1]:])
	if w.Type == "" {
		w.Type = unit
	}
	least, found := m.rule.least, m.rule.least != 0
	for _, b := range []struct {
		group string
		more  float64
	}{{"least", 0}, {"most", 0}, {"over", 1}, {"under", -1}} {
		text := m.group(b.group)
		if text == "" {
			continue
		}
		n, ok := number(text)
		if !ok {
			return false
		}
		least, found = n+b.more, true
	}
	if w.Kind == mcpsf.WishMore {
		w.Least = &least
	} else if found {
		w.Most = &least
	}
	return true
}

// folder adds the folders that the text names, but not the refused path itself:
// that is the first path, unless a folder follows at once.
func (r *reader) folder(m *match, w *mcpsf.Wish) {
	if v := notIn.FindStringSubmatch(m.text); v != nil {
		w.Value = unquoted(v[1])
	} else if len(r.folders) > 0 && w.Value == "" && !folderNext.MatchString(m.text[m.at[1]:]) {
		w.Value = r.folders[0]
	}
	for i, f := range r.folders {
		if f != w.Value || i > 0 && i == len(r.folders)-1 && len(w.Accepted) == 0 {
			w.Accepted = append(w.Accepted, f)
		}
	}
}

var (
	notIn      = lazyregexp.New(`: (\S+) not in /`)
	folderNext = lazyregexp.New(`^[a-z ]*["'` + "`" + `(]?/`)
)

// number reads a number in digits or words.
func number(text string) (float64, bool) {
	switch strings.ToLower(text) {
	case "one":
		return 1, true
	case "two":
		return 2, true
	case "three":
		return 3, true
	case "four":
		return 4, true
	case "five":
		return 5, true
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(text), 64)
	return n, err == nil
}
