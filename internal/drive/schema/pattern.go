package schema

import (
	"errors"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// matching makes a string that matches a regular expression. It keeps the given
// value if that matches, else it tries the usual values first.
func (g *generator) matching(pattern, value string, low, high int) (text string, byPattern, ok bool) {
	e, err := g.expression(pattern)
	if err != nil {
		return "", false, false
	}
	fits := func(s string) bool {
		n := utf8.RuneCountInString(s)
		return n >= low && n <= high && e.MatchString(s)
	}
	if g.salt == 0 {
		for _, candidate := range []string{
			value, g.values.Name, g.values.ID, "2024-05-17", "2024-05-17T09:30:00Z", "09:30", g.values.Host, g.values.Email, g.values.URL,
			g.values.Repo, "192.0.2.10", "#336699", "+12025550143", "1.0.0", "en", "en-US", "US", "USD", "1h",
			"3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d", "sha256:" + strings.Repeat("0", 64), strings.Repeat("0", 40),
		} {
			if fits(candidate) {
				return candidate, false, true
			}
		}
	}
	tree, err := syntax.Parse(e.main, syntax.Perl)
	if err != nil {
		return "", false, false
	}
	for _, repeat := range repetitions(min(low, maxText)) {
		w := &patternWriter{generator: g, repeat: repeat}
		w.write(tree)
		if s := w.String(); fits(s) {
			return s, true, true
		}
		if g.steps -= 1 + w.Len()/16; g.steps < 0 || w.Len() > maxText {
			break
		}
	}
	return "", false, false
}

// repetitions are how often a part of a pattern is repeated: once, then more
// until the string is long enough, finally not at all.
func repetitions(low int) []int {
	var list []int
	for n := 1; n < 2*max(min(low, many), many/8); n++ {
		list = append(list, n)
	}
	if low > many {
		list = append(list, low, (low+1)/2)
	}
	return append(list, 0)
}

// expression compiles a pattern and charges the budget for it.
func (g *generator) expression(pattern string) (*expression, error) {
	if e, ok := g.compiled[pattern]; ok {
		g.steps--
		return e, nil
	}
	e, cost, err := compilePattern(pattern)
	if err == nil {
		g.compiled[pattern] = e
	}
	if g.steps -= 1 + cost/8; g.steps < 0 {
		return nil, errors.New("the patterns are too expensive")
	}
	return e, err
}

// patternWriter writes a string that a regular expression describes. It ignores
// anchors and boundaries; the check afterwards covers them.
type patternWriter struct {
	*generator
	strings.Builder
	repeat int
}

func (w *patternWriter) write(re *syntax.Regexp) {
	if w.Len() > maxText {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.WriteRune(w.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.WriteRune(rune('a' + w.salt%26))
	case syntax.OpStar:
		w.times(re.Sub[0], w.repeat)
	case syntax.OpPlus:
		w.times(re.Sub[0], max(1, w.repeat))
	case syntax.OpQuest:
		w.times(re.Sub[0], min(1, w.repeat))
	case syntax.OpRepeat:
		n := max(re.Min, w.repeat)
		if re.Max >= 0 {
			n = min(n, re.Max)
		}
		w.times(re.Sub[0], n)
	case syntax.OpAlternate:
		w.write(re.Sub[w.pick(len(re.Sub))])
	default:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	}
}

func (w *patternWriter) times(re *syntax.Regexp, n int) {
	for range n {
		if w.Len() > maxText {
			return
		}
		w.write(re)
	}
}

// member chooses an ordinary character of a character class, given as pairs of
// bounds.
func (w *patternWriter) member(ranges []rune) rune {
	for i := range 26 {
		for _, first := range "a1A" {
			r := first + rune((i+w.salt)%26)
			if first == '1' {
				r = first + rune((i+w.salt)%9)
			}
			if contains(ranges, r) {
				return r
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}

func contains(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// patternCost estimates the size of a compiled expression: a short one such as
// (.{900}){900} can be huge.
func patternCost(pattern string) (int, error) {
	if len(pattern) > maxPattern {
		return 0, errors.New("the pattern is too long")
	}
	p, err := translate(pattern)
	if err != nil {
		return 0, err
	}
	cost := 0
	for _, source := range append([]string{p.main}, p.ahead()...) {
		tree, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			return 0, errors.New("the pattern is not supported")
		}
		cost += treeCost(tree)
	}
	if cost > maxPatternCost {
		return 0, errors.New("the pattern is too expensive")
	}
	return cost, nil
}

func treeCost(re *syntax.Regexp) int {
	cost := 1 + len(re.Rune)/64
	for _, sub := range re.Sub {
		cost += treeCost(sub)
	}
	if re.Op == syntax.OpRepeat {
		cost *= max(re.Min, re.Max, 1)
	}
	return min(cost, maxPatternCost+1)
}
