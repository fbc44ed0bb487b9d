package schema

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// expression is a JSON Schema pattern (JavaScript syntax) compiled to Go
// regular expressions. Go has no lookahead; lookaheads at the beginning of a
// pattern become separate conditions.
type expression struct {
	pattern string
	translated

	re         *regexp.Regexp
	conditions []*regexp.Regexp
}

// MatchString reports whether the pattern occurs in s.
func (e *expression) MatchString(s string) bool {
	for i, c := range e.conditions {
		if c.MatchString(s) != e.looks[i].wanted {
			return false
		}
	}
	return e.re.MatchString(s)
}

// String returns the pattern as it was written.
func (e *expression) String() string { return e.pattern }

// compilePattern compiles a pattern within the bounds and returns its cost.
func compilePattern(pattern string) (*expression, int, error) {
	cost, err := patternCost(pattern)
	if err != nil {
		return nil, 0, err
	}
	e := &expression{pattern: pattern}
	if e.translated, err = translate(pattern); err != nil {
		return nil, cost, err
	}
	if e.re, err = regexp.Compile(e.main); err != nil {
		return nil, cost, errors.New("the pattern is not supported")
	}
	for _, source := range e.ahead() {
		c, err := regexp.Compile(source)
		if err != nil {
			return nil, cost, errors.New("the pattern is not supported")
		}
		e.conditions = append(e.conditions, c)
	}
	return e, cost, nil
}

// translated is a pattern in Go's syntax.
type translated struct {
	main  string
	looks []look
}

// look is a lookahead at the beginning of the pattern.
type look struct {
	source string
	wanted bool
}

// ahead returns the lookaheads as expressions.
func (t translated) ahead() []string {
	out := make([]string, len(t.looks))
	for i, l := range t.looks {
		out[i] = "^(?:" + l.source + ")"
	}
	return out
}

// translate rewrites a pattern. It fails on backreferences and on lookaround
// elsewhere than at the beginning.
func translate(pattern string) (translated, error) {
	var t translated
	rest := pattern
	anchored := strings.HasPrefix(rest, "^")
	rest = strings.TrimPrefix(rest, "^")
	for anchored && (strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!")) {
		end := closing(rest)
		if end < 0 {
			return t, errors.New("the pattern is not supported")
		}
		source, err := rewrite(rest[3:end])
		if err != nil || alternates(rest[end+1:]) {
			return t, errors.New("the pattern is not supported")
		}
		t.looks = append(t.looks, look{source: source, wanted: rest[2] == '='})
		rest = rest[end+1:]
	}
	main, err := rewrite(rest)
	if err != nil {
		return t, err
	}
	if anchored {
		main = "^" + main
	}
	t.main = main
	return t, nil
}

// closing returns the index of the parenthesis that closes the group at the
// beginning of s.
func closing(s string) int {
	depth, class := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// alternates reports whether s has an alternative at the outermost level: a
// lookahead before it would not apply to all alternatives.
func alternates(s string) bool {
	depth, class := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return true
		}
	}
	return false
}

// maxRepeat is the largest repeat count that Go allows. No generated value is
// longer than that.
// gap: tools-failed
const maxRepeat = 1000

var (
	unicodeEscape = lazyregexp.New(`^\\u(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{4}))`)
	largeRepeat   = lazyregexp.New(`^\{(\d{1,9}),(\d{1,9})\}`)
)

// rewrite replaces the syntax in which JavaScript and Go differ.
func rewrite(s string) (string, error) {
	var b strings.Builder
	class := false
	for i := 0; i < len(s); {
		old, replacement := 1, s[i:i+1]
		rest := s[i:]
		switch {
		case strings.HasPrefix(rest, "\\"):
			var err error
			if old, replacement, err = escape(rest, class); err != nil {
				return "", err
			}
		case class:
			class = rest[0] != ']'
			if rest[0] == '[' { // not the beginning of a named class
				replacement = "\\["
			}
		case strings.HasPrefix(rest, "[^]"):
			old, replacement = 3, `[\s\S]`
		case rest[0] == '[':
			class = true
			if strings.HasPrefix(rest, "[^") {
				old, replacement = 2, "[^"
			}
		case strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!") || strings.HasPrefix(rest, "(?<=") || strings.HasPrefix(rest, "(?<!"):
			return "", errors.New("the pattern looks around")
		case rest[0] == '{':
			old, replacement = repetition(rest)
		}
		b.WriteString(replacement)
		i += old
	}
	return b.String(), nil
}

// repetition drops an upper count that is larger than maxRepeat.
func repetition(s string) (length int, replacement string) {
	m := largeRepeat.FindStringSubmatch(s)
	if m == nil {
		return 1, "{"
	}
	if high, _ := strconv.Atoi(m[2]); high > maxRepeat {
		return len(m[0]), "{" + m[1] + ",}"
	}
	return len(m[0]), m[0]
}

// escape translates an escape at the beginning of s.
func escape(s string, class bool) (length int, replacement string, err error) {
	if m := unicodeEscape.FindStringSubmatch(s); m != nil {
		return len(m[0]), `\x{` + m[1] + m[2] + "}", nil
	}
	if len(s) < 2 {
		return 0, "", errors.New("the pattern ends in a backslash")
	}
	for long, short := range map[string]string{
		`\p{Letter}`: `\p{L}`, `\p{Number}`: `\p{N}`, `\p{Punctuation}`: `\p{P}`, `\p{Symbol}`: `\p{S}`,
		`\p{Script=`: `\p{`, `\p{sc=`: `\p{`, `\P{Letter}`: `\P{L}`,
	} {
		if strings.HasPrefix(s, long) {
			return len(long), short, nil
		}
	}
	switch c := s[1]; {
	case c == 'b' && class:
		return 2, `\x08`, nil
	case c == '0':
		return 2, `\x00`, nil
	case c >= '1' && c <= '9' || c == 'k':
		return 0, "", errors.New("the pattern refers to a group")
	}
	return 2, s[:2], nil
}
