package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// afterWords are the abbreviations in the expressions about the order of two values.
//
//nolint:gochecknoglobals // as constant as the expressions
var afterWords = strings.NewReplacer(
	"{a}", "[\"'`“]?([A-Za-z][\\w.-]{0,63})[\"'`”]?(?: (?:date|time|day|value|bound|timestamp|year))?",
	"{b}", "(?:the |its |your )?[\"'`“]?([A-Za-z][\\w.-]{0,63})[\"'`”]?(?: (?:date|time|day|value|bound|timestamp|year))?(?:$|[\\s,.;:)(])",
	"{must}", `(?:must|should|has to|have to|needs to|need to|ought to|shall)(?: always| strictly)? (?:be|come|lie|fall|happen|start|begin)(?: strictly| at least| a day)?`,
	"{later}", `(?:after|later than|greater than(?: or equal to)?|larger than|bigger than|higher than|more than|above|beyond|past|on or after|no earlier than|not before|no less than|no smaller than|at or after|behind)`,
	"{earlier}", `(?:before|earlier than|less than(?: or equal to)?|smaller than|lower than|fewer than|below|under|prior to|on or before|no later than|not after|no more than|no greater than|at or before)`,
	"{isnot}", `(?:is|was|are|comes|lies|cannot be|can't be|can not be|must not be|may not be|should not be)`,
)

// laterFirst are the forms in which the first name is the later one, and earlierFirst
// those in which it is the earlier one.
//
//nolint:gochecknoglobals // as constant as the expressions
var (
	laterFirst = afterExpressions(
		`{a} {must} {later} {b}`,
		`{a} {isnot} (?:on or |at or )?(?:before|earlier than|less than|smaller than|lower than|below|prior to) {b}`,
		`{a} (?:precedes|predates) {b}`,
		`{a} (?:>=?|≥) {b}`,
	)
	earlierFirst = afterExpressions(
		`{a} {must} {earlier} {b}`,
		`{a} {isnot} (?:on or |at or )?(?:after|later than|greater than|larger than|bigger than|higher than|more than|above|past) {b}`,
		`{a} (?:exceeds|follows|(?:must not|cannot|can't|may not|should not) exceed) {b}`,
		`{a} (?:<=?|≤) {b}`,
	)
)

// andSouth is what follows where a text orders two pairs: "west must be less than east, and
// south less than north".
var (
	andSouth  = lazyregexp.New(`(?i)^,?(?: and|;|,) ` + afterWords.Replace(`{a} (?:{must} |{isnot} )?({later}|{earlier}) {b}`))
	laterWord = lazyregexp.New(`(?i)^` + afterWords.Replace(`{later}`) + `$`)
)

func afterExpressions(list ...string) []*lazyregexp.Regexp {
	out := make([]*lazyregexp.Regexp, len(list))
	for i, text := range list {
		out[i] = lazyregexp.New(`(?i)\b` + afterWords.Replace(text))
	}
	return out
}

// after reads whether a clause says which of two values comes after the other, and
// reports whether it does.
func (r *reader) after(c clause) bool {
	for i, way := range slices.Concat(laterFirst, earlierFirst) {
		at := way.FindStringSubmatchIndex(c.text)
		if at == nil || !r.inOrder(c.text[at[2]:at[3]], c.text[at[4]:at[5]], i < len(laterFirst)) {
			continue
		}
		if m := andSouth.FindStringSubmatch(c.text[at[5]:]); m != nil {
			r.inOrder(m[1], m[3], laterWord.MatchString(m[2]))
		}
		return true
	}
	return false
}

// inOrder adds the wish that of two values one comes after the other, if both are names.
func (r *reader) inOrder(first, second string, firstIsLater bool) bool {
	if noValue(first) || noValue(second) || strings.EqualFold(first, second) {
		return false
	}
	if !firstIsLater {
		first, second = second, first
	}
	r.add(mcpsf.Wish{Kind: mcpsf.WishAfter, Path: splitPath(first), Accepted: []string{second}})
	return true
}

// noValue reports whether a word is no name of another value.
func noValue(word string) bool {
	switch strings.ToLower(word) {
	case "zero", "one", "two", "three", "now", "today", "tomorrow", "yesterday", "the", "a", "an", "or", "and", "current", "maximum", "minimum", "length", "than", "limit", "allowed", "characters", "other", "another", "any", "all",
		"infinity", "present", "calling", "use", "using", "running", "you", "root", "folder", "directory", "workspace", "project":
		return true
	}
	return vague(word)
}
