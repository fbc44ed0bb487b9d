package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// maxText bounds the length of a generated string.
const maxText = 4 << 10

// number makes an integer or a number within its bounds.
func (g *generator) number(p place) any {
	s := p.schema
	whole := g.kind(s) == "integer"
	low, high := bounds(s, whole)
	n := max(min(plausible(p.name)+float64(g.salt), high), low)
	step, ok := number(s["multipleOf"])
	switch {
	case !ok || step <= 0:
	case step != math.Trunc(step) && step >= low && step <= high && !whole:
		return s["multipleOf"] // exact as it stands, which a product is not
	default:
		if n = math.Ceil(n/step) * step; n > high {
			n = math.Floor(high/step) * step
		}
	}
	if whole {
		n = math.Trunc(n)
	}
	return format(n)
}

// bounds returns the smallest and the largest number allowed. An exclusive
// bound is a number, or in draft-04 a flag beside the other one.
func bounds(s map[string]any, whole bool) (low, high float64) {
	low, openLow := bound(s, "minimum", "exclusiveMinimum", 1)
	high, openHigh := bound(s, "maximum", "exclusiveMaximum", -1)
	gap := min(1, (high-low)/2)
	if whole {
		gap = 1
		if low != math.Trunc(low) {
			low, openLow = math.Ceil(low), false
		}
		if high != math.Trunc(high) {
			high, openHigh = math.Floor(high), false
		}
	}
	if openLow {
		low += gap
	}
	if openHigh {
		high -= gap
	}
	return low, high
}

// bound returns the tighter of a bound and its exclusive twin; sign is 1 for
// a lower bound and -1 for an upper one.
func bound(s map[string]any, key, exclusive string, sign float64) (value float64, open bool) {
	value = math.Inf(-int(sign))
	if v, ok := number(s[key]); ok {
		value, open = v, s[exclusive] == true
	}
	if v, ok := number(s[exclusive]); ok && v*sign >= value*sign {
		value, open = v, true
	}
	return value, open
}

// plausible is a number that goes with a name.
func plausible(name string) float64 {
	switch w := words(name); {
	case has(w, "port"):
		return 8080
	case has(w, "year"):
		return 2024
	case has(w, "limit", "count", "max", "top", "size", "length", "timeout", "depth"):
		return 10
	case has(w, "offset", "skip", "start"):
		return 0
	}
	return 1
}

// format writes a number as JSON. Integers are written out in full.
func format(n float64) json.Number {
	switch {
	case math.IsInf(n, 0) || math.IsNaN(n):
		return "0"
	case n == math.Trunc(n) && math.Abs(n) < 1e21:
		return json.Number(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return json.Number(strconv.FormatFloat(n, 'g', -1, 64))
}

func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// count reads a length, or returns fallback.
func count(v any, fallback int) int {
	f, ok := number(v)
	if !ok || f < 0 {
		return fallback
	}
	return int(min(f, maxSize))
}

// text makes a string: of its format, of its pattern, or by its name.
func (g *generator) text(p place) any {
	s := p.schema
	low := count(s["minLength"], 0)
	high := count(s["maxLength"], maxText)
	value := g.values.Pick(p.name, p.about)
	name, _ := s["format"].(string)
	if formatted, ok := g.format(name); ok {
		return formatted
	}
	if pattern, ok := s["pattern"].(string); ok {
		if matched, ok := g.matching(pattern, value, low, high); ok {
			return matched
		}
	}
	if g.salt > 0 {
		value += strconv.Itoa(g.salt)
	}
	return fit(value, low, high)
}

// fit cuts or lengthens a string, counting as JSON Schema does, in runes.
func fit(value string, low, high int) string {
	runes := []rune(value)
	if len(runes) > high {
		return strings.TrimSpace(string(runes[:high]))
	}
	if missing := min(low, maxText) - len(runes); missing > 0 {
		return value + strings.Repeat("a", missing)
	}
	return value
}
