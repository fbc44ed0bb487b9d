package refusal

import (
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// letterWords are the abbreviations in the expressions about the characters of a value.
//
//nolint:gochecknoglobals // as constant as the expressions
var letterWords = strings.NewReplacer(
	"{class}", `(?:(?:ascii|latin|english|plain|simple) )?(?:(?:lower|upper)(?:-| )?case (?:ascii |latin )?(?:letters|characters|alphanumerics)|(?:small|capital) letters|alphanumerics?(?: characters)?|letters|digits|numbers|numerals|blanks|spaces|whitespace|dashes|hyphens|minus signs|underscores|dots|full stops|periods|a-z|A-Z|0-9)`,
	"{joint}", `(?:,? and |,? or |, | & |/| )`,
)

var (
	// lettersIn is a list of kinds of characters, and what says that a value has them.
	lettersIn = lazyregexp.New(`(?i)` + letterWords.Replace(`(?:\b(?:has|have|having|holds?|contains?|containing|consists? of|made (?:up )?of|composed of|allows?|accepts?|takes?|includes?|include|contain|use|uses|be|is|are|only|just)(?: only| just| of)? |: )({class}(?:{joint}{class})*)(?: only)?(?:$|[,.;:)(]| (?:only|and nothing|are|is|characters|of|with|up|at|\())`))
	// lettersFirst is such a list at the beginning of a text.
	lettersFirst = lazyregexp.New(`(?i)` + letterWords.Replace(`^(?:only |just )?({class}(?:{joint}{class})*)(?: only)?(?:$|[,.;:)(]| (?:only|are|please|\())`))
	letterClass  = lazyregexp.New(`(?i)` + letterWords.Replace(`{class}`))
	lettersMost  = lazyregexp.New(`(?i)(?:at most|up to|no more than|maximum(?: of)?|max\.?|not longer than) (\d{1,4})\b`)
)

// letters reads whether a clause says of which characters a value is made, and reports
// whether it does.
func (r *reader) letters(c clause) bool {
	at := lettersIn.FindStringSubmatchIndex(c.text)
	before := ""
	if at != nil {
		before = c.text[:at[0]]
	} else if at = lettersFirst.FindStringSubmatchIndex(c.text); at == nil {
		return false
	}
	classes := letterClass.FindAllString(c.text[at[2]:at[3]], maxTries)
	if len(classes) == 1 && !strings.Contains(strings.ToLower(c.text), "only") {
		return false // it needs them among others
	}
	about := r.about
	if c.path != nil {
		about = subject{path: c.path}
	} else if s := nounBefore(strings.TrimRight(lettersVerb.ReplaceAllString(before, ""), " ,:")); len(s) > 0 {
		about = s[0]
	}
	r.add(mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatPattern, Path: about.path, Accepted: []string{patternOf(classes, lettersMost.FindStringSubmatch(c.text))}})
	return true
}

// lettersVerb is what stands between a name and the verb of such a clause.
var lettersVerb = lazyregexp.New(`(?i)(?:\s*\b(?:must|may|can|should|has to|have to|needs? to|only|be|is|are))+\s*$`)

// patternOf returns a regular expression for texts of some kinds of characters. The
// sign that would be a range comes last.
func patternOf(classes, most []string) string {
	set, dash := "", ""
	for _, class := range classes {
		switch low := strings.ToLower(class); {
		case strings.Contains(low, "dash"), strings.Contains(low, "hyphen"), strings.Contains(low, "minus"):
			dash = "-"
		case strings.Contains(low, "alphanumeric") && !strings.Contains(low, "case"):
			set += "A-Za-z0-9"
		case strings.Contains(low, "lower"), strings.Contains(low, "small"):
			set += "a-z" + digitsOf(low)
		case strings.Contains(low, "upper"), strings.Contains(low, "capital"):
			set += "A-Z" + digitsOf(low)
		case strings.Contains(low, "letter"):
			set += "A-Za-z"
		case strings.Contains(low, "digit"), strings.Contains(low, "num"), low == "0-9":
			set += "0-9"
		case strings.Contains(low, "blank"), strings.Contains(low, "space"):
			set += " "
		case strings.Contains(low, "underscore"):
			set += "_"
		case strings.Contains(low, "dot"), strings.Contains(low, "stop"), strings.Contains(low, "period"):
			set += "."
		case low == "a-z":
			set += class
		}
	}
	bound := "+"
	if most != nil {
		if n, err := strconv.Atoi(most[1]); err == nil && n > 0 {
			bound = "{1," + strconv.Itoa(n) + "}"
		}
	}
	return "^[" + set + dash + "]" + bound + "$"
}

func digitsOf(class string) string {
	if strings.Contains(class, "alphanumeric") {
		return "0-9"
	}
	return ""
}
