package refusal

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of the examples in a text.
// gap: tools-failed
const (
	maxExamples = 4
	// maxTries bounds the words before examples that are looked behind.
	maxTries = 8
	// maxDocument bounds an example that is a JSON document.
	maxDocument = 512
)

var (
	// introduced are the words before an example. Those of the second group are also
	// followed by mere prose, those of the third by
	// anything.
	introduced = lazyregexp.New(`(?i)(?:(\be\.g\.|\beg[.:]|(?:^|[\s(])examples?(?: values?| input| format)?(?: is| are|:)|\b(?:something|anything|looks?|looking|formatted|written|values?) like|\blike so:|` +
		`\b(?:for|as an) example:|\bformat:)|(\bfor example|\bfor instance|\bsuch as|(?:^|[\s(])example\s|\blike|\bi\.e\.|\b(?:of|in|use|has|have) the (?:form(?:at)?|shape|syntax|notation|pattern)(?: of)?|\bone like|\bin format|\b(?:form(?:at)?|syntax|shape) is|\b(?:syntax|shape):|\bdoes not match format)|(\bexpected|\buse|\btry))[,:]?\s*`)
	quotedFirst = lazyregexp.New(`^` + words.Replace(`{quoted}`))
	// hint is in every text with examples. It is found faster than they are.
	hint = lazyregexp.New(`(?i)e\.?g[.:]|exampl|like|instance|such|i\.e|form|syntax|shape|expected|use|try`)
	// token is a value without quotes, which a text may put between brackets.
	token = lazyregexp.New(`^(?:-?\d+\.\d+,-?\d+\.\d+|[^\s,;"'` + "`" + `()<>\[\]{}“”‘’|]+)`)
	// aside is an example in brackets behind the description of a format.
	aside = lazyregexp.New(`^[^()\n.]{0,40}\((?:e\.g\.,? |eg |for example,? |such as |like )?([^()\s]{2,64})\)`)
	// measured is a value with a digit inside, and standard the name of a format.
	measured = lazyregexp.New(`^[\w:/.+,-]*\D\d[\w:/.+,-]*$|^\d+[^\d\s%][\w:/.+,-]*$`)
	standard = lazyregexp.New(`(?i)^[a-z]+\d+$|iso|utf|sha-|rfc|http|^e\.164`)
	// leadIn are words between a name and its example.
	leadIn = lazyregexp.New(`(?i)(?:[ ,.:;(–—-]|\b(?:expected|expects?|want(?:ed)?|use|try|provide|give|pass|please|unknown|invalid|malformed|unrecogni[sz]ed|valid|correct|right|one|some|like|written|must|should|be|is|are|as|in|an?|the|it|that|values?|format|formatted)\b)*$`)
	// puzzled is a clause that says what could not be read.
	puzzled = lazyregexp.New(words.Replace(`(?i)\b(?:could not|couldn't|cannot|can't|failed to|unable to|did not|do not|don't) (?:parse|read|decode|find|interpret|understand|recogni[sz]e|resolve|make sense of)(?: the| your| this)? ({quoted}|[A-Za-z_][\w.-]*)`))
	// hyphenated is a name such as acme-support: at the end of a sentence it is no prose.
	hyphenated = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)+$`)
	// another follows an example and precedes the next.
	another = lazyregexp.New(`^(?:,? (?:or|and) |, )`)
	// mask is a date or time in letters.
	mask = lazyregexp.New(`^(?:Y{2,4}|M{2}|D{2}|H{2}|S{2}|y{4}|d{2}|h{2}|m{2}|s{2}|w{2}|W{1,3}w{0,2}|Qq?|\[?Q\]?|[-/:. TZ_])+$`)
)

// Examples returns the values that a text gives as examples, in its order:
// such as theme/dark.css, e.g. 2024-Q3, Format: YYYY-Www (2024-W05), Example: {...}
// They are the author's of the text.
func Examples(text string) []string {
	text = text[:min(len(text), maxProse)]
	if !hint.MatchString(text) {
		return nil
	}
	var out []string
	for tries := 0; tries < maxTries && len(out) < maxExamples; tries++ {
		at := introduced.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		single := oneForm.MatchString(text[at[0]:at[1]])
		text = text[at[1]:]
		list, rest := examplesAt(text, at[2] >= 0)
		if whole := phraseAt(text, single); whole != "" && !slices.Contains(list, whole) {
			list = append([]string{whole}, list...)
		}
		if at[6] >= 0 && (len(list) == 0 || !isDocument(list[0]) && (!measured.MatchString(list[0]) || standard.MatchString(list[0]))) {
			continue
		}
		list = slices.DeleteFunc(list, func(e string) bool { return slices.Contains(out, e) })
		out, text = append(out, list...), rest
	}
	return out[:min(len(out), maxExamples)]
}

// examplesAt reads the examples at the beginning of a text, and returns the rest. A
// plain word counts only behind words that nothing but an example follows.
func examplesAt(text string, certain bool) (list []string, rest string) {
	if m := aside.FindStringSubmatchIndex(text); m != nil && !strings.HasPrefix(text, "(") {
		if value := strings.Trim(text[m[2]:m[3]], "\"'`.,:;"); telling(value) && certain {
			return []string{value}, text[m[1]:]
		}
	}
	if _, length := valueAt(text); !strings.HasPrefix(text, "[") || length == 0 {
		text = strings.TrimLeft(text, "([<")
	}
	for len(list) < maxExamples {
		value, length := valueAt(text)
		plainWord := length > 0 && !telling(value) && !strings.ContainsAny(text[:1], "\"'`“‘{[")
		if length == 0 || plainWord && !((certain || hyphenated.MatchString(value)) && ends(text[length:]) && !articles(value)) {
			break
		}
		if strings.Contains(value, "%Y") || mask.MatchString(value) && strings.ContainsAny(value, "YyDdHh") {
			value = unmasked(value)
		}
		list, text = append(list, value), text[length:]
		more := another.FindString(text)
		if more == "" {
			break
		}
		text = text[len(more):]
	}
	return list, text
}

// valueAt reads one value at the beginning of a text: a JSON document, a quoted text
// or a token.
func valueAt(text string) (value string, length int) {
	if isDocument(text) {
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(text[:min(len(text), maxDocument)]))
		if d.Decode(&raw) == nil {
			return string(raw), int(d.InputOffset())
		}
		return sketchAt(text)
	}
	if quotes := quotedFirst.FindString(text); quotes != "" {
		return unquoted(quotes), len(quotes)
	}
	word := strings.TrimRight(token.FindString(text), ".:!?")
	if len(word) > maxName || strings.HasSuffix(word, "…") || word == "e.g" || word == "i.e" {
		return "", 0
	}
	return word, len(word)
}

func isDocument(value string) bool {
	return strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")
}

// ends reports whether nothing of the sentence follows that would make a word before
// it prose.
func ends(rest string) bool {
	rest = strings.TrimLeft(rest, ".")
	return rest == "" || strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, " or ") || strings.HasPrefix(rest, "\n")
}

// telling reports whether a token is no word of prose: it has a digit, a sign inside,
// or capitals behind the first letter.
func telling(value string) bool {
	for i, r := range value {
		if unicode.IsDigit(r) || i > 0 && (unicode.IsUpper(r) || strings.ContainsRune("/_:.#+=", r)) {
			return len(value) > 1 || unicode.IsDigit(r)
		}
	}
	return false
}

// unmasked makes a date of its mask: YYYY-Www is 2024-W20, and %Y/%m 2024/05.
func unmasked(value string) string {
	if strings.Contains(value, "%") {
		return strings.NewReplacer("%Y", "2024", "%y", "24", "%m", "05", "%d", "17", "%H", "09", "%M", "30", "%S", "00", "%V", "20", "%z", "+0000").Replace(value)
	}
	hours := strings.ContainsAny(value, "Hh")
	value = strings.NewReplacer("[Q]", "Q", "Qq", "Q2").Replace(value)
	if !strings.Contains(value, "Q2") {
		value = strings.Replace(value, "Q", "Q2", 1)
	}
	minutes := "05"
	if hours && !strings.Contains(value, "MM:") {
		minutes = "30"
	}
	return strings.NewReplacer("YYYY", "2024", "yyyy", "2024", "YY", "24", "WWW", "W20", "Www", "W20", "WW", "20", "ww", "20", "Wn", "W20",
		"HH:MM", "09:30", "MM", "05", "DD", "17", "dd", "17", "HH", "09", "hh", "09", "mm", minutes, "SS", "00", "ss", "00").Replace(value)
}

// examples adds what a clause gives as examples to its wishes for a value, else as a
// wish for one like them.
func (r *reader) examples(c clause, before int) {
	found := Examples(c.text)
	if len(found) == 0 || len(r.wishes) >= maxWishes {
		return
	}
	taken := false
	for i := before; i < len(r.wishes); i++ {
		switch w := &r.wishes[i]; w.Kind {
		case mcpsf.WishMissing, mcpsf.WishFormat:
			if taken = true; len(w.Accepted) == 0 {
				w.Accepted = found
			}
		case mcpsf.WishExisting, mcpsf.WishType, mcpsf.WishMore, mcpsf.WishLess:
		default:
			return // what is wished is said better
		}
	}
	if taken {
		return
	}
	if about := r.aboutExample(c, before); !r.said(about.path) {
		r.add(mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatExample, Path: about.path, Value: about.value, Accepted: found})
	}
}

// aboutExample returns what the examples of a clause are for: what its wishes are
// about, else what stands before, else what the last clause was about.
func (r *reader) aboutExample(c clause, before int) subject {
	about, text := r.about, c.text[:introduced.FindStringIndex(c.text)[0]]
	if before < len(r.wishes) {
		last := r.wishes[len(r.wishes)-1]
		about = subject{path: last.Path, value: last.Value}
	} else if c.path != nil {
		about = subject{path: c.path}
	} else if s, ok := complaint(strings.TrimRight(text, " .,:;(-–—")); ok {
		about = s
	} else if m := puzzled.FindStringSubmatch(c.text); m != nil && !vague(unquoted(m[1])) {
		about = subject{path: splitPath(m[1])}
	} else if s := nounBefore(leadIn.ReplaceAllString(text, "")); len(s) > 0 {
		about = s[0]
	}
	if m := quotedText.FindString(text); about.value == "" && m != "" && !slices.Contains(about.path, unquoted(m)) {
		about.value = unquoted(m)
	} else if about.value == "" {
		about.value = r.about.value
	}
	return about
}

// nounBefore returns the noun that stands before an example. Quotes behind a noun hold
// its value, others a name.
func nounBefore(text string) []subject {
	if s := spoken(text, true); len(s) > 0 {
		return s
	}
	return spoken(text, false)
}

// said reports whether an earlier wish about a path says which values are right.
func (r *reader) said(path []string) bool {
	for i := range r.wishes {
		w := &r.wishes[i]
		if strings.Join(w.Path, "\x00") != strings.Join(path, "\x00") {
			continue
		}
		switch w.Kind {
		case mcpsf.WishOneOf, mcpsf.WishRelative, mcpsf.WishAbsolute, mcpsf.WishUnexpected, mcpsf.WishOneMember, mcpsf.WishProject:
			return true
		}
	}
	return false
}
