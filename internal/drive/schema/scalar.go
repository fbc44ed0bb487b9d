package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// maxText bounds the length of a generated string.
// gap: inputs-too-large
const maxText = 64 << 10

// number makes an integer or a number within its bounds.
func (g *generator) number(p place) any {
	s := p.schema
	whole := g.kind(s) == "integer"
	low, high := bounds(s, whole)
	want := meaning.Number(p.name, p.about)
	if want >= 100 && want < 1000 {
		want /= float64(int(1) << min(g.turn, 8)) // a size: each turn asks for less, in case the first was too much
	}
	if whole {
		want = math.Round(want)
	}
	turn := g.turn
	if words := meaning.Words(p.name); want == 1 && meaning.HasWord(words, "page") {
		turn %= 2 // the second page is where more begins, and few things have a fourth
	}
	n := max(min(want+float64(g.salt+turn), high), low)
	step, ok := number(s["multipleOf"])
	switch {
	case !ok || step <= 0:
	default:
		if n = math.Ceil(n/step) * step; n > high {
			n = math.Floor(high/step) * step
		}
		if step != math.Trunc(step) && n != math.Trunc(n) { // a float product is not exact, a decimal string is
			return json.Number(strconv.FormatFloat(n, 'f', decimals(s["multipleOf"]), 64))
		}
	}
	if whole {
		n = math.Trunc(n)
	}
	return format(n)
}

// decimals counts the digits after the point.
func decimals(v any) int {
	n, _ := v.(json.Number)
	digits, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	_, fraction, _ := strings.Cut(digits, ".")
	shift, _ := strconv.Atoi(exponent)
	return max(0, min(len(fraction)-shift, maxDigits))
}

// bounds returns the smallest and the largest number allowed. An exclusive
// bound is a number, or in draft-04 a flag beside the inclusive bound.
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

// bound returns the tighter of the inclusive and the exclusive bound; sign is 1
// for a lower bound and -1 for an upper one.
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

// format writes a number as JSON, integers without an exponent.
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

// lasts reports whether the number that the schema proposes would only make the
// call last longer than the generator's own number: a short duration saves time
// and does not change what the tool does.
func (g *generator) lasts(p place) bool {
	kind := g.kind(p.schema)
	if kind != "number" && kind != "integer" || !meaning.HasWord(meaning.Words(p.name), "delay", "wait", "sleep", "duration") {
		return false
	}
	proposed, ok := number(p.schema["default"])
	return ok && proposed > meaning.Number(p.name, p.about)
}

// shortened names the optional durations that are sent to make a tool finish
// quickly.
func (g *generator) shortened(properties map[string]any) []string {
	if g.extras[g.variant] == none {
		return nil
	}
	var names []string
	for _, name := range sortedKeys(properties) {
		if g.lasts(newPlace(g.flatten(properties[name], 0), name, properties)) {
			names = append(names, name)
		}
	}
	return names
}

// count reads a length, or returns fallback.
func count(v any, fallback int) int {
	f, ok := number(v)
	if !ok || f < 0 {
		return fallback
	}
	return int(min(f, maxSize))
}

// text makes a string by its format, its pattern or its name.
func (g *generator) text(p place) any {
	s := p.schema
	low := count(s["minLength"], 0)
	high := count(s["maxLength"], maxText)
	g.tooLarge = g.tooLarge || low > maxText
	kind, value := g.meaning(p)
	if kind == meaning.KindCommand && g.element() {
		value = "echo" // a command as a list: the program, then its arguments
	}
	name, _ := s["format"].(string)
	formatted, known := g.format(name)
	if known && kind == meaning.KindURL && g.salt == 0 && value != g.values.URL {
		formatted = value // the address of a database, a feed, a page of a service
	}
	if known {
		value = formatted
	}
	if pattern, ok := s["pattern"].(string); ok {
		if matched, byPattern, ok := g.matching(pattern, value, low, high); ok {
			if byPattern {
				g.byServer(mcpsf.OriginPattern)
			}
			return matched
		}
	}
	if known && len(value) <= high {
		return value
	}
	if s["contentEncoding"] == "base64" {
		return "aGVsbG8="
	}
	if s[contentType] == jsonContent {
		if text, ok := writeDocument(g, s, p.name); ok {
			return text
		}
	}
	value += g.salted()
	fitted := fit(value, low, high)
	if len(fitted) < len(value) {
		g.byServer(mcpsf.OriginPattern) // a path of ours that is cut names another place
	}
	return fitted
}

// fit cuts or pads a string to the length bounds, counted in runes as JSON
// Schema does.
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
