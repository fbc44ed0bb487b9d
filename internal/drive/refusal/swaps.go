package refusal

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// swapRules are about a value of another type than a program wants, where its language
// says which type it found and nothing says which value it was.
func swapRules() []rule {
	const typ, form = mcpsf.WishType, mcpsf.WishFormat
	const object, text, number, list = "object", "string", "number", "array"
	rules := []rule{
		{kind: typ, typ: object, words: `'(?P<got>str|list|int|float|bool|tuple|nonetype)' object has no attribute '(?:get|items|keys|values|setdefault)'`},
		{kind: typ, typ: text, words: `'(?P<got>dict|list|int|float|bool|tuple)' object has no attribute '(?:split|strip|lstrip|rstrip|lower|upper|replace|startswith|endswith|encode|splitlines|removeprefix|removesuffix|title|capitalize)'`},
		{kind: typ, typ: list, words: `'(?P<got>dict|str|int|float)' object has no attribute '(?:append|extend|sort)'`},
		{kind: typ, typ: object, words: `(?P<got>string|list) indices must be integers`},
		{kind: typ, typ: list, words: `'(?P<got>int|float|bool)' object is not (?:iterable|subscriptable)|object of type '(?P<got2>int|float|bool)' has no len|argument of type '(?P<got3>int|float|bool)' is not iterable`},
		{kind: typ, typ: text, words: `sequence item \d+: expected str(?: instance)?, (?P<got>\w+) found|expected string or bytes-like object, got '(?P<got2>\w+)'|can only concatenate str \(not "(?P<got3>\w+)"\)|must be str, not (?P<got4>\w+)|unhashable type: '(?P<got5>dict|list)'`},
		{kind: typ, typ: text, words: `the json object must be str, bytes or bytearray, not (?P<got>\w+)|the (?:"[\w.]+"|first) argument must be (?:of type|one of type) string[^.]*\. received (?:an instance of (?P<got2>object|array)|type (?P<got3>\w+))`},
		{kind: typ, typ: number, words: `(?:float|int)\(\) argument must be [^.]*, not '(?P<got>\w+)'|must be real number, not (?P<got2>\w+)|unsupported format string passed to (?P<got3>\w+)\.__format__|unknown format code '\w' for object of type '(?P<got4>\w+)'|` +
			`type (?P<got5>\w+) doesn't define __round__|'(?P<got6>str|list|dict)' object cannot be interpreted as an integer|bad operand type for \w+(?:\(\)| [-+]): '(?P<got7>\w+)'`},
		{kind: typ, typ: number, words: `not supported between instances of '(?:int|float)' and '(?P<got>str|dict|list)'|not supported between instances of '(?P<got2>str|dict|list)' and '(?:int|float)'|` +
			`unsupported operand type\(s\) for \S+ '(?:int|float)' and '(?P<got3>str|dict|list)'|unsupported operand type\(s\) for \S+ '(?P<got4>str|dict|list)' and '(?:int|float|str)'`},
		{kind: form, typ: "xml", words: `not well-formed \(invalid token\)|start tag expected, '<' not found|syntax error: line 1, column 0|non-whitespace before first tag|no element found: line 1, column 0|document is empty, line 1|(?:invalid|malformed|not (?:a )?(?:valid|well-formed)) xml\b`},
		{kind: form, typ: "feed", words: `feed not recognized as rss|\b(?:not|no) (?:an? )?(?:valid )?(?:rss(?:/atom| or atom)?|atom|web)? ?feed\b|(?:could not|cannot|can't|failed to|unable to) parse (?:the |this )?(?:rss |atom )?feed\b|\bno (?:<(?:item|entry)>|(?:rss |feed )(?:items|entries))`},
		{kind: form, typ: "icalendar", words: `\b(?:not|no) (?:an? )?(?:valid )?i(?:cs|cal|calendar) (?:file|data|feed|document)|\bno (?:vcalendar|vevent)s?\b|(?:missing|expected) (?:a )?(?:begin:)?vcalendar|(?:could not|cannot|failed to|unable to) parse (?:the |this )?(?:ics|ical|icalendar)\b`},
		{kind: form, typ: "gpx", words: `\bnot (?:a )?(?:valid )?gpx\b|\bno <?trkpt>?\b|(?:could not|cannot|failed to|unable to) parse (?:the |this )?gpx\b`},
	}
	for i := range rules {
		rules[i].loose, rules[i].alone, rules[i].bare = true, true, true
	}
	return rules
}

// gotType translates the type that a language found.
func gotType(name string) string {
	switch name = strings.ToLower(name); name {
	case "":
		return ""
	case "nonetype", "null":
		return "null"
	}
	if t := TypeOf(name); t != "integer" {
		return t
	}
	return "number"
}
