package unmarked

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of a text that refuses.
// no gap: a longer one is a result
const (
	// maxSaid bounds one that begins with an error, maxSentence one that is a sentence
	// about an argument or a thing, and maxStack one with the stack of a program.
	maxSaid     = 1200
	maxSentence = 300
	maxStack    = 8 << 10
	// maxHead bounds how much of its beginning is read.
	maxHead = 400
	// maxQuoted is how much of the beginning is looked for in the arguments.
	maxQuoted = 24
)

// text returns the words with which a text refuses: those of the JSON in it, or all of
// it if it begins with words of refusal.
func (o *decision) text(text string, depth int) string {
	whole := strings.TrimSpace(text)
	if inner := fence.FindStringSubmatch(whole); inner != nil {
		whole = strings.TrimSpace(inner[1])
		if !strings.HasPrefix(whole, "{") {
			return "" // code
		}
	}
	if strings.HasPrefix(whole, "{") || strings.HasPrefix(whole, "[") {
		var v any
		if json.Unmarshal([]byte(whole), &v) == nil {
			return o.value(v, depth)
		}
	}
	if !refuses(whole) || o.repeats(beginning(strings.TrimLeft(whole, ornaments))) {
		return ""
	}
	return whole
}

// fence is a text that is one block of code.
var fence = lazyregexp.New("(?s)^```(?:json)?\\n(.*)\\n```$")

// ornaments stand before the first word.
const ornaments = " \t\r\n*_#>•-`'\"❌⚠️🚫⛔✗✖❗‼🔴🛑💥:"

// crosses begin a text that refuses, or a line of a report.
const crosses = "❌🚫⛔✗✖🛑"

// refuses reports whether a text begins with words of refusal.
func refuses(text string) bool {
	bare := strings.TrimLeft(text, ornaments)
	before := text[:len(text)-len(bare)]
	bare = strings.ReplaceAll(bare, "**", "")
	if bracket, rest, ok := strings.Cut(bare, "]"); ok && label.MatchString(bracket) {
		bare = "Error: " + strings.TrimLeft(rest, " :-")
	}
	head := strings.ToValidUTF8(bare[:min(len(bare), maxHead)], "")
	first, _, _ := strings.Cut(head, "\n")
	switch {
	case bare == "" || len(text) > maxStack:
		return false
	case stack.MatchString(bare[:min(len(bare), maxHead)]) || named.MatchString(first) && frames.MatchString(bare):
		return true // a program that ended wrote it
	case len(text) > maxSaid || honest.MatchString(head) || mixed(text):
		return false
	case matches(beginnings, first):
		return true
	case len(text) > maxSentence || strings.Contains(text, "\n\n"):
		return false
	case strings.ContainsAny(before, crosses) && crossed.MatchString(first):
		return true
	}
	return !sought.MatchString(first) && matches(sentences, first)
}

func matches(rules []*lazyregexp.Regexp, text string) bool {
	return slices.ContainsFunc(rules, func(rule *lazyregexp.Regexp) bool { return rule.MatchString(text) })
}

// beginning returns the first words of a text.
func beginning(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxQuoted)], "")
}

// mixed reports whether a text tells of something that worked, too, or is a list of
// messages of a log.
func mixed(text string) bool {
	return strings.ContainsAny(text, "✅✓✔") || worked.MatchString(text) || len(levels.FindAllStringIndex(text, 2)) > 1
}

var (
	label  = lazyregexp.New(`(?i)^\[(?:error|err|failed|failure|fatal|exception)$`)
	worked = lazyregexp.New(`(?i)\n\W*(?:ok|success(?:ful(?:ly)?)?|succeeded|passed|pass|done|saved|wrote|written|created|results?|found|output|stdout|warnings?|total|summary)\b`)
	levels = lazyregexp.New(`(?im)^\W*(?:\d[\d:.,TZ /-]*\W*)?(?:error|warn(?:ing)?|info|debug|fatal|notice)\b`)
	stack  = lazyregexp.New(`^(?:Traceback \(most recent call last\)|panic: |goroutine \d+ \[|thread '[^']*' panicked|Exception in thread "|Uncaught |\d{1,3} validation errors? for [\w\[\]]+\n)`)
	frames = lazyregexp.New(`(?m)^\s+at \S[^\n]*(?:\(|:\d+)|^  File "[^"\n]+", line \d+`)
	named  = lazyregexp.New(`^(?:Uncaught )?(?:[A-Za-z_]\w*\.)*\w*(?:Error|Exception)\b`)
	// honest begins a text about errors, of one that there is not, or of a log or linter.
	honest = lazyregexp.New(`(?i)^(?:` + strings.Join([]string{
		`errors?[:=]?\s*(?:\d+\b\s*(?:$|\n|,|warnings?|errors?)|(?:none|null|no|nil)\W*(?:$|\n))`,
		`errors?[ -](?:handling|handlers?|logging|reporting|monitoring|tracking|tracker|codes|logs?|messages?|rates?|budgets?|correction|analysis|summary|report|counts?|types|classes|boundar|prone|free|bars?|margin|recovery|pages?|distribution|statistics|trends?)\b`,
		`error(?: code)? \S{1,40} (?:means|indicates|is an?|occurs|stands)\b`,
		`\[?(?:error|fatal)\]?[\s:-]*\[?\d{4}[-/]\d\d`,
		`error\[\w+\]|error:[^\n]*\n\s*-->|errors?:? (?:in )?\S+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|cc|cpp|h|rb|php|cs|css|html|md|ya?ml|json|toml|sh|sql|swift|vue):\d+`,
		`no (?:\w+ )?(?:data|information|info|results?|content|output|text|match(?:es)?|changes?|differences?|news|errors?|warnings?|issues?|problems?|updates?|history|vulnerabilit\w+)\b`,
		`(?:failed|invalid|missing|unknown|unsupported|unexpected) \w+s:?\s*(?:\d|none\b|\[|$)`,
		`(?:failed|invalid|missing|not found|unauthorized|forbidden):\s*(?:\d+\b|none\b|$)`,
		`(?:it|this|that|there|which|what|he|she|they|we) (?:(?:is|are|was|were) (?:required|needed|mandatory|not)|must|has to|have to|needs to)\b`,
		`(?:the )?(?:\w+ )?(?:tests?|checks?|builds?|lint(?:ing)?|jobs?|pipelines?|deployments?|workflows?|steps?|assertions?|suites?|specs?)(?: [\w'-]+){0,3} failed\b`,
	}, "|") + `)`)
	// crossed is what stands behind a cross in a refusal and not in a report.
	crossed = lazyregexp.New(`(?i)^(?:\W*\pL)[^\n]*\b(?:error:|not found|required|missing|invalid|failed to|cannot|can't|could ?n[o']t|unable|denied|not (?:configured|connected|available|set|installed|supported|allowed|authenticated|authori[sz]ed|exist|initiali[sz]ed|running|enabled|logged in)|does ?n[o']t exist|must (?:be|provide|have)|please|unknown|expired|no \w+ (?:found|configured|selected|provided|loaded|open)|timed out|refused)\b|^[^\n]{1,60}\b(?:failed|error)(?::\s*[^\d\s]|[.!]?$)`)
	// advice is what servers add to a refusal in a text of its own.
	advice = lazyregexp.New(`(?i)^\W*(?:hint|tip|note|suggestions?|usage|try|use|please|available|valid|supported|allowed|expected|example|see|details?|make sure|check|error|stack|request id)\b`)
	// sought is what a tool looks for in what it is given: that it is not there is a result.
	sought = lazyregexp.New(`(?i)^(?:the |an? )?(?:text|word|pattern|string|match|term|phrase|substring|occurrence|result|keyword|needle|letter|char(?:acter)?|tests?|checks?|builds?|lint|job|pipeline|deployment|workflow|step|assertion|suite|spec|\d+)\b`)
)
