package expect

import (
	"regexp/syntax"
	"strings"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxPattern bounds a regular expression that a text is made for, maxForm the
	// depth of its parts.
	maxPattern = 200
	maxForm    = 40
)

// filler is between the beginning and the end that the code wants of a text.
const filler = "5a1f"

// formed makes a text that begins, ends or looks as the code wants it; "" if
// nothing is wanted, or what is wanted must not be sent.
func (c *checks) formed() string {
	before, after, inside := "", "", ""
	for _, t := range c.forms {
		switch {
		case !t.Must:
		case t.Op == "~":
			return matching(t.Value)
		case t.Op == "^" && len(t.Value) > len(before):
			before = t.Value
		case t.Op == "$" && len(t.Value) > len(after):
			after = t.Value
		case t.Op == "has":
			inside = t.Value
		}
	}
	if before+after == "" {
		return inside
	}
	if inside != "" && !strings.Contains(before+after, inside) {
		before += inside
	}
	return before + filler + after
}

// matching makes a text that a regular expression matches: of alternatives the
// first, of repetitions the fewest.
func matching(pattern string) string {
	if strings.HasPrefix(pattern, "/") { // as JavaScript writes it
		if end := strings.LastIndexByte(pattern, '/'); end > 0 {
			pattern = pattern[1:end]
		}
	}
	if len(pattern) > maxPattern {
		return ""
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	if !sample(re, &b, 0) || b.Len() > maxWord {
		return ""
	}
	return b.String()
}

// sample writes a text that matches; false if there is none that is short.
func sample(re *syntax.Regexp, b *strings.Builder, depth int) bool {
	if depth > maxForm || b.Len() > maxWord {
		return false
	}
	times := 1
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return true
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune))
		return true
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
		return true
	case syntax.OpAlternate:
		return sample(re.Sub[0], b, depth+1)
	case syntax.OpStar, syntax.OpQuest:
		times = 0
	case syntax.OpRepeat:
		times = re.Min
	}
	for range times {
		for _, sub := range re.Sub {
			if !sample(sub, b, depth+1) {
				return false
			}
		}
	}
	return true
}

// oneOf is a letter or digit of a class, if it has one.
func oneOf(ranges []rune) rune {
	for _, r := range "1aA_-. " {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return r
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
