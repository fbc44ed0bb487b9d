package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// resultWords are the abbreviations in the expressions about results.
//
//nolint:gochecknoglobals // as constant as the expressions
var resultWords = strings.NewReplacer(
	"{name}", "(?:[\"'`“‘](?P<quoted>[A-Za-z][\\w.-]{1,63})(?:\\(\\))?[\"'`”’]|(?P<name>(?-i:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+))\\b(?:\\(\\))?|(?P<called>[A-Za-z][\\w-]{1,63})\\(\\)|(?P<said>[A-Za-z][\\w-]{1,63}) (?:tool|command|call|step|method|function)\\b)",
	"{word}", `(?P<word>(?-i:[a-z][a-z0-9-]{1,30}))`,
	"{made}", `(?:returned|produced|created|made|generated|issued|obtained|exported|built|given|minted|emitted|computed|prepared|compiled|signed|provided|printed|received|reported)`,
	"{thing}", `(?P<thing>(?-i:[a-z]{3,30}))`,
	"{out}", `(?:(?:whole |full |exact |entire |complete |unmodified |raw )?(?:output|result|results|return value|response|answer|reply))`,
)

// resultRules are the forms of words by which a text says that a value is the result
// of another tool.
//
//nolint:gochecknoglobals // as above
var resultRules = resultExpressions(
	`(?:\b{thing},? (?:as |that was |which was |previously |that is )*)?\b{made}(?: to you)? (?:by|from|with|via|through|using)(?: the| an earlier| a previous| a prior| an)?(?: call to)? {name}`,
	`\b(?:as )?{made} by {word}(?:$|[.,;)])`,
	`\b{out} (?:of|from)(?: the| an earlier| a previous| a prior| an| your)?(?: call to)? {name}`,
	`\b{out} (?:of|from)(?: the| an earlier| a previous| a prior| your)?(?: call to)? {word}(?:$|[.,;)])`,
	`\b{name}(?:'s)? {out}\b`,
	`\b(?:an?|the|valid|some|one) {thing},? (?:(?:that )?(?:comes?|came) )?(?:from|by)(?: the| an earlier| a previous| a prior| an)?(?: call to)? {name}`,
	`\b(?:must|should|has to|needs to) (?:come|be|originate|stem)(?: directly)? from(?: the| a call to| an earlier| a previous| a prior)?(?: call to)? {name}`,
	`\b(?:use|call|run|try|invoke)(?: the)? {name}(?: first)? to (?:get|obtain|make|create|produce|generate|build|mint|fetch|request|prepare|acquire|compute)(?: (?:one|it|an?|the|your|such|valid|new|fresh|a valid|a new|a fresh))*(?: {thing})?`,
	`\b(?:get|obtain|make|create|produce|generate|build|mint|request|prepare|acquire|fetch|take|compose|pack|compile|export|capture|issue|render) (?:one|it|an?|the|such an?)(?: (?:new|valid|fresh))?(?: {thing})? (?:with|from|using|via|through|by calling|by running|by)(?: the)? {name}`,
	`\b(?:did|was|were|is|has) (?:not|n't)(?: been)? {made} (?:by|with|from)(?: the)? {name}`,
	`\b(?:pass|give|supply|provide|paste|hand over|send|feed)(?: in| back)?(?: (?:what|whatever|that which))(?: the)? {name} (?:returned|returns|gave|gives|produced|produces|printed|prints|made|makes)`,
	`\b(?:what|whatever|that|which|as)(?: the)? {name} (?:has )?(?:returned|returns|gave|gives|produced|produces|printed|prints|made|makes|issued|issues|emitted|emits|handed)`,
	`^{name} (?:makes|creates|returns|gives|issues|produces|prints|hands out) (?:one|it|them|such|new ones?)\b`,
	`\b(?:call|run|use|invoke)(?: the)? {name}[^.;]{0,30}? (?:and|then) (?:pass|give|paste|use|hand|send|supply|provide|copy)(?: over| in)? (?:its|the|that|whatever|what|it)\b`,
)

func resultExpressions(list ...string) []*lazyregexp.Regexp {
	out := make([]*lazyregexp.Regexp, len(list))
	for i, text := range list {
		out[i] = lazyregexp.New(`(?i)` + resultWords.Replace(text))
	}
	return out
}

// Makers returns how a text calls the tools of whose results it speaks: their names,
// then what they return. It is nil if the text does not say that something is the
// result of another tool.
func Makers(text string) []string {
	text = text[:min(len(text), maxProse)]
	var names, things []string
	for _, rule := range resultRules {
		for _, m := range rule.FindAllStringSubmatch(text, maxExamples) {
			for i, group := range rule.SubexpNames() {
				switch {
				case group == "thing":
					things = append(things, m[i])
				case group != "" && m[i] != "" && !paramLike(m[i]) && !stopped(m[i]) && !slices.Contains(names, m[i]):
					names = append(names, m[i]) // as it is written: it is the name of a tool
				}
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	for _, thing := range called(things) {
		if !slices.Contains(names, thing) {
			names = append(names, thing)
		}
	}
	return names[:min(len(names), maxExamples*2)]
}

// state is what a call brings about and does not return.
var state = lazyregexp.New(`^(?:session|connection|project|workspace|game|match|shift|cart|browser|page|document)$`)

// paramLike reports whether a name is more likely that of a value.
func paramLike(name string) bool {
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_path") || strings.HasSuffix(name, "Id")
}

// result reads whether a clause says that a value is what another tool returned, and
// reports whether it does.
func (r *reader) result(c clause) bool {
	names := Makers(c.text)
	if len(names) == 0 {
		return false
	}
	if state.MatchString(names[len(names)-1]) {
		r.add(mcpsf.Wish{Kind: mcpsf.WishFirst, Accepted: names})
		return false
	}
	about := subject{path: c.path}
	at := len(c.text)
	for _, rule := range resultRules {
		if m := rule.FindStringIndex(c.text); m != nil {
			at = min(at, m[0])
		}
	}
	before := leadIn.ReplaceAllString(c.text[:at], "")
	if c.path == nil {
		if s, ok := complaint(before); ok {
			about = s
		} else if s := spoken(before, false); len(s) > 0 {
			about = s[0]
		} else {
			about = r.about
		}
	}
	r.add(mcpsf.Wish{Kind: mcpsf.WishResult, Path: about.path, Value: about.value, Accepted: names})
	return true
}
