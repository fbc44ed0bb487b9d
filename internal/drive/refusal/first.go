package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// firstWords are the abbreviations in the expressions about other calls.
//
//nolint:gochecknoglobals // as constant as the expressions
var firstWords = strings.NewReplacer(
	// a tool by its name: unmistakable, or a word with something that says that it is one
	"{name}", "(?:[\"'`“‘]([A-Za-z][\\w.-]{1,63})(?:\\(\\))?[\"'`”’]|((?-i:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+))\\b(?:\\(\\))?|([A-Za-z][\\w-]{1,63})\\(\\))",
	"{called}", "(?:([A-Za-z][\\w-]{1,63}) (?:tool|command|method|endpoint|function)\\b)",
	"{use}", `(?:call|run|use|invoke|execute|try|issue|do)`,
	// what makes a state
	"{do}", `(log ?in|sign ?in|authenticate|authori[sz]e|connect|initiali[sz]e|init|start|open|load|create|begin|select|choose|register|configure|set ?up|launch|join|unlock|import|attach|mount|enrol{1,2}|pair|activate)`,
	"{ready}", `(logged[ -]?in|signed[ -]?in|authenticated|connected|initiali[sz]ed)`,
	"{done}", `(started|opened|open|loaded|initiali[sz]ed|selected|active|begun|running|connected|unlocked|activated)`,
	"{thing}", `(session|project|workspace|connection|database|document|browser|page|game|match|model|dataset|vault|wallet|store|cart|transaction|repository|context|environment|notebook|canvas|board|deck|ledger|shift|batch|editor|scene|simulation|book|register|tenant|case|visit|round|channel|device|index|library|catalog(?:ue)?|team|room|kitchen|till|workbook)`,
	// a graph is connected for other reasons
	"{who}", `(?:^|[^\w]|\b(?:you|user|caller|client|session|agent|account|i|we|is|are|am)\b[^.]{0,20})`,
)

// firstRules are the forms of words by which a text asks for another call before
// this one. Groups are names of tools, verbs or things.
//
//nolint:gochecknoglobals // as above
var firstRules = expressions(
	`\b{use}(?: the)? (?:{name}|{called})(?: tool| command| method| function)?(?:[^.;]{0,60}?)(?: first\b|,? before\b| beforehand\b|,? then (?:try|call|retry)| prior to\b)`,
	`\b(?:first|initially),? (?:you (?:must|need to|have to|should) )?{use}(?: the)? (?:{name}|{called})`,
	`\bbefore [^,.;]{1,60}, (?:please |you (?:must|need to|have to|should) )?(?:first )?{use}(?: the)? (?:{name}|{called})`,
	`\b(?:must|should|have to|need to|please) {use}(?: the)? (?-i:([a-z]{2,30}))(?: tool| command)? (?:first|before)\b`,
	`\b(?:call|run|invoke|execute|use)(?: the)? (?-i:([a-z]{2,30}))(?: tool| command)? first\b`,
	`(?:{name}|{called})(?: tool)? (?:must|has to|needs to|should) (?:be (?:called|run|used|invoked|executed)(?: once)? (?:first|before\b|prior to\b)|(?:run|come)(?: once)? (?:first\b|before (?:any|this|other|the other)))`,
	`(?-i:\b([a-z]{2,30}))(?: tool)? (?:must|has to|needs to|should) be (?:called|run|invoked|executed)(?: once)? (?:first|before\b)`,
	`\b(?:did you|have you|forgot(?:ten)?)(?: forget)?(?: to)? (?:{use}|called|run) (?:{name}|{called})`,
	`\b(?:not|without|requires?|needs?|expects?)(?: having)?(?: been)?(?: a)?(?: call to| calling| called| run| running| previous call to| prior call to) (?:{name}|{called})`,
	`{name}(?:\(\))?(?: tool)? (?:can |will |does |would )?(?:makes?|creates?|builds?|prepares?|generates?|sets?|adds?|produces?|registers?|initiali[sz]es?) (?:one|it|them|that|this|such)\b`,
	`\b{do}(?: to)?(?: (?:an?|the|your|one))?(?: (?:new|valid))?(?:(?: [a-z]{2,20})? {thing}| [a-z]{2,20})? first\b`,
	`\b(?:must|need to|have to|has to|should|please) first {do}\b(?:(?: to)? (?:an?|the|your) {thing})?`,
	`\bfirst,? (?:you (?:must|need to|have to|should) )?{do}\b(?: to)?(?: (?:an?|the|your) {thing})?`,
	`\b(?:must|need to|have to|has to|please|should) {do}\b(?: to)?(?: (?:an?|the|your)(?: \w+)? {thing})?,? (?:before|beforehand|prior to)\b`,
	`{who}(?:not|n't|never)(?: yet| been| currently){0,3} {ready}\b`,
	`^(?:error: ?)?(?:you )?(?:must|need to|have to|should) (?:be|get) {ready}\b(?: (?:to|before|for)\b|$|[.,;:])`,
	`\b(?:requires?|need) (?:you )?to be {ready}\b`,
	`\b{thing}s?(?: \w+)? (?:is not|isn't|was not|wasn't|not|has not|hasn't|never)(?: yet| been| currently){0,3} {done}\b`,
	`\b{thing}s?(?: \w+)? (?:must be|needs to be|has to be|must have been) {done}\b(?: yet| first\b| before\b)`,
	`\b(vault|wallet|safe|till|kitchen|shift|ledger|game|cart|session|notebook|register) is (?:still |currently )?(?:closed|locked)\b`,
	`\bno (?:\w+ )?{thing} (?:is |has been |was |currently |yet )*(?:{done}|(configured|set|chosen|created|established|picked)|in progress|under ?way)\b`,
	`(?:^|: |\bis )no {thing}(?:$|[.;!])`,
	`\b(?:please|you must|you need to|must) (log ?in|sign ?in|authenticate)\b`,
	`{name}(?:\(\))? (?:(?:has|was|is|had) )?(?:not|never|hasn't|wasn't)(?: yet)?(?: been)?(?: yet)? (?:called|run|invoked)`,
	`\b(?:until|unless|before) you(?:'ve| have| are)? (?:{ready}|(log ?in|sign ?in|authenticate|connect))\b`,
	`(?:not|n't|never)(?: yet)? (opened|started|selected|loaded|joined|chosen|begun|created) (?:an?|any|the|your) {thing}`,
	`\bfirst,? (?:\(|via |using |with |by calling )(?:see )?{name}`,
	`\bno (?:active|open|current|ongoing|opened|live|running|loaded) {thing}\b(?:$|[^\w\s]| (?:yet|exists|found|available|for this|right now|to |in ))`,
	`\b(?:requires?|needs?|without) (?:an? |the )?(?:active|open|opened|live|running|loaded|authenticated) {thing}\b`,
	`(?:^|[^\w.])(?:(login|log-in|sign-?in|authentication|authorization) (?:required|needed|necessary)|((?-i:Login)|sign-in|authentication|authorization) is (?:required|needed|necessary))\b`,
	`\b(?:requires?|needs?) (?:a |an |prior |user )*(login|sign-?in|authentication|authorization)\b`,
	`\b(?:session|login|sign-in) (?:has |is )?(?:expired|timed out|ended|closed).{0,40}\b{do} again`,
	`\b(?:please|you must|must|to) {do} again\b`,
)

// openingRules say which tool makes a state. Of a tool that makes a thing they say
// only that the thing is its result.
//
//nolint:gochecknoglobals // as above
var openingRules = expressions(
	`\b{use}(?: the)? (?:{name}|{called})(?: tool)? to (?:get |be |become )?(?:{do}|{ready})\b`,
	`\b{do}(?: (?:one|it|an?|the|your)?(?: (?:new|first))?(?: {thing})?)?,? (?:with|using|via|through|by calling|by running)(?: the)? (?:{name}|{called})`,
)

func expressions(list ...string) []*lazyregexp.Regexp {
	out := make([]*lazyregexp.Regexp, len(list))
	for i, text := range list {
		out[i] = lazyregexp.New(`(?i)` + firstWords.Replace(text))
	}
	return out
}

var (
	// notOurs is what is not ready for other reasons than a call that is missing.
	notOurs = lazyregexp.New(`(?i)\b(?:internet|network|printer|cable|graph|nodes?|vertices|edges?|points?|shapes?|devices? by|docker|daemon|javascript|econnrefused|refused|timeout|unreachable|socket|locale|telemetry|utc)\b|\b(?:must|should|has to|needs? to|does not|doesn't) (?:start|begin) with ["'` + "`" + `]`)
	// more is a sentence that names the tool for what the last one missed.
	more = lazyregexp.New(`(?i)` + firstWords.Replace(`^(?:so |then |please |just |you can |try to )*{use}(?: the)? (?:{name}|{called}|(?-i:([a-z]{2,30})))(?: tool| command)?(?:$|[.,;!(]| first| to | with | and | or )`))
	// also is the name of a tool elsewhere in a clause that misses a call.
	also = lazyregexp.New(`(?i)` + firstWords.Replace(`(?:\b{use}(?: the)?|->|→|=>|\(see|\() (?:{name}|{called})`))
	// means is a sentence in which the tool stands behind what it does.
	means = lazyregexp.New(`(?i)` + firstWords.Replace(`\b(?:with|using|via|through|by calling|by running|by|see)(?: the)? (?:{name}|{called})`))
)

// first reads whether a clause asks for another call before this one, and reports
// whether it does. It may speak of a result of that call instead.
func (r *reader) first(c clause, result bool) bool {
	if last := len(r.wishes) - 1; last >= 0 && r.wishes[last].Kind == mcpsf.WishFirst {
		for _, way := range []*lazyregexp.Regexp{more, means} {
			if m := way.FindStringSubmatch(c.text); m != nil {
				r.wishes[last].Accepted = called(m[1:], r.wishes[last].Accepted)
				return true
			}
		}
	}
	if notOurs.MatchString(c.text) {
		return false
	}
	names := captured(firstRules, c.text)
	if !result || len(names) > 0 {
		names = called(names, captured(openingRules, c.text))
	}
	if len(names) == 0 {
		return false
	}
	for _, way := range []*lazyregexp.Regexp{also, means} {
		if m := way.FindStringSubmatch(c.text); m != nil {
			names = called(names, m[1:])
		}
	}
	before := len(r.wishes)
	r.add(mcpsf.Wish{Kind: mcpsf.WishFirst, Accepted: ordered(names)})
	return len(r.wishes) > before
}

// lacking is a thing that is not there yet: "Sheet1 has no charts", "no such table: notes".
var lacking = lazyregexp.New(`(?i)\b(?:has|have|holds?|contains?|there (?:is|are)) no (?:(?:such|\w+) )?(?-i:([a-z]{4,30}|[A-Z][A-Za-z]{3,30}))(?:$|[.;,!]| (?:in|on|at|for|yet|to|of)\b)|` +
	`\bno such (?-i:(table|view|index|collection|bucket|queue|topic|schema|stream|dataset|namespace|sheet|worksheet|bookmark|note|task|branch|project|board|channel|session|volume|network|container))\b`)

// lacks adds a wish for what makes a thing that is not there, if nothing says more about
// which call is missing.
func (r *reader) lacks(text string) {
	m := lacking.FindStringSubmatch(text)
	if m == nil || notOurs.MatchString(m[0]) ||
		slices.ContainsFunc(r.wishes, func(w mcpsf.Wish) bool { return w.Kind == mcpsf.WishFirst || w.Kind == mcpsf.WishResult }) {
		return
	}
	if names := called(m[1:]); len(names) > 0 {
		r.add(mcpsf.Wish{Kind: mcpsf.WishFirst, Accepted: names})
	}
}

// undone is what must be done with a thing before ("It has to be approved before it is
// printed").
var undone = lazyregexp.New(`(?i)\b(?:has|have|needs?|must|should)(?: to)?(?: first)? be (?-i:([a-z]{4,20}))d\b[^.;]{0,40}?\b(?:first|before|beforehand)\b|\bnot (?:yet )?been (?-i:([a-z]{4,20}))d\b`)

// isUndone adds a wish for what must be done before, if nothing says more about which
// call is missing. The verb may end with the e that it loses, or not.
func (r *reader) isUndone(text string) {
	m := undone.FindStringSubmatch(text)
	if m == nil || notOurs.MatchString(m[0]) ||
		slices.ContainsFunc(r.wishes, func(w mcpsf.Wish) bool { return w.Kind == mcpsf.WishFirst || w.Kind == mcpsf.WishResult }) {
		return
	}
	stem := m[1] + m[2]
	r.add(mcpsf.Wish{Kind: mcpsf.WishFirst, Accepted: called([]string{stem, strings.TrimSuffix(stem, "e")})})
}

// captured returns the names and verbs that expressions find in a text.
func captured(rules []*lazyregexp.Regexp, text string) []string {
	var out []string
	for _, rule := range rules {
		for _, m := range rule.FindAllStringSubmatch(text, maxExamples) {
			out = called(out, m[1:])
		}
	}
	return out
}

// called joins names and verbs, each once and in its usual form.
func called(lists ...[]string) []string {
	var out []string
	for _, name := range slices.Concat(lists...) {
		if name = plainForm(name); name != "" && !stopped(name) && !slices.Contains(out, name) && len(out) < maxExamples*2 {
			out = append(out, name)
		}
	}
	return out
}

// ordered puts the names that can only be those of tools first.
func ordered(names []string) []string {
	slices.SortStableFunc(names, func(a, b string) int {
		return strings.Compare(rankOf(a), rankOf(b))
	})
	return names
}

func rankOf(name string) string {
	if strings.ContainsAny(name, "_-.") || strings.ToLower(name) != name {
		return "0"
	}
	return "1"
}

// plainForm returns the base form of a verb, and other names as they are.
func plainForm(name string) string {
	switch strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(name)) {
	case "loggedin", "login":
		if !strings.ContainsAny(name, "_") {
			return "login"
		}
	case "signedin", "signin":
		if !strings.ContainsAny(name, "_") {
			return "signin"
		}
	case "authenticated", "authentication", "authorise", "authorize", "authorization":
		return "authenticate"
	case "connected", "connection":
		return "connect"
	case "initialized", "initialised", "initialise", "initialize":
		return "initialize"
	case "started", "running", "begun", "active":
		return "start"
	case "opened":
		return "open"
	case "loaded":
		return "load"
	case "selected":
		return "select"
	case "created", "established":
		return "create"
	case "unlocked":
		return "unlock"
	case "activated":
		return "activate"
	case "configured":
		return "configure"
	case "chosen":
		return "choose"
	case "joined":
		return "join"
	}
	if strings.ToLower(name[min(1, len(name)):]) == name[min(1, len(name)):] && !strings.ContainsAny(name, "_-.") {
		return strings.ToLower(name)
	}
	return name
}

// stopped reports whether a word is the name of no tool.
func stopped(name string) bool {
	switch strings.ToLower(name) {
	case "the", "this", "that", "it", "one", "tool", "a", "an", "your", "them", "again", "above", "following", "command", "function", "method", "value", "values",
		"server", "api", "user", "caller", "client", "you", "another", "other", "previous", "earlier", "json", "model", "text", "be", "to", "is", "not", "was", "were", "been", "has", "have", "are", "and", "first", "called":
		return true
	}
	return false
}
