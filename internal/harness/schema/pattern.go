package schema

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// matching makes a string for a regular expression. The value at hand is
// taken if it matches already.
func (g *generator) matching(pattern, value string, low, high int) (string, bool) {
	cost, err := patternCost(pattern)
	if g.steps -= cost / 8; err != nil || g.steps < 0 {
		return "", false
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	fits := func(s string) bool {
		n := utf8.RuneCountInString(s)
		return n >= low && n <= high && re.MatchString(s)
	}
	if fits(value) && g.salt == 0 {
		return value, true
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	// One repetition, then more until it is long enough, at last none.
	for repeat := range 2 * max(low, 8) {
		w := &patternWriter{generator: g, repeat: (repeat + 1) % (2 * max(low, 8))}
		w.write(tree)
		if s := w.String(); fits(s) {
			return s, true
		}
		if g.steps -= 1 + w.Len()/16; g.steps < 0 || w.Len() > maxText {
			break
		}
	}
	return "", false
}

// patternWriter writes a string that a regular expression describes. Anchors
// and boundaries are left to the check that follows.
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

// member chooses an ordinary character of a class, given as pairs of bounds.
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

// patternCost estimates how large a compiled expression is: a short one such
// as (.{900}){900} can be huge.
func patternCost(pattern string) (int, error) {
	if len(pattern) > maxPattern {
		return 0, errors.New("the pattern is too long")
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, errors.New("the pattern is not supported")
	}
	cost := treeCost(tree)
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
