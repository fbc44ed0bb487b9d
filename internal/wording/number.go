package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count words n of something: "1 file", "2 files".
func Count(n int, noun string) string { return Plural(int64(n), noun) }

// Plural is [Count] for large numbers.
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Counted words n of something; {s} stands where the plural goes.
func Counted(n int64, what string) string {
	s := "s"
	if n == 1 {
		s = ""
	}
	return fmt.Sprintf("%d %s", n, strings.ReplaceAll(what, "{s}", s))
}

// Amount words a limit in its unit.
func Amount(n int64, unit string) string {
	word, rest, _ := strings.Cut(unit, " ") // "bytes per stream"
	switch word {
	case "bytes", "byte", "B":
		return Joined(Size(n), rest)
	case "seconds", "s":
		return Joined(Seconds(float64(n)), rest)
	}
	return Joined(fmt.Sprint(n), unit)
}

// Size words a number of bytes.
func Size(n int64) string {
	const step = 1024
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	if n < step {
		return Plural(n, "byte")
	}
	v, unit := float64(n)/step, 0
	for v >= step && unit < len(units)-1 {
		v /= step
		unit++
	}
	if v == float64(int64(v)) || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[unit])
	}
	return fmt.Sprintf("%.1f %s", v, units[unit])
}

// Seconds words a duration the way a person would say it.
func Seconds(s float64) string {
	switch {
	case s < 0.0995:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	default:
		if int(s)%60 == 0 {
			return fmt.Sprintf("%d min", int(s)/60)
		}
		return fmt.Sprintf("%d min %02d s", int(s)/60, int(s)%60)
	}
}

// Joined puts a space between two words that are there.
func Joined(a, b string) string {
	return strings.TrimSpace(a + " " + b)
}

// Were words how many there were of something.
func Were(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " was"
	}
	return Count(n, noun) + " were"
}

// Clause makes a sentence fit behind a colon.
func Clause(s string) string { return strings.TrimRight(LowerFirst(s), ".") }

// UpperFirst begins a sentence.
func UpperFirst(s string) string { return first(s, unicode.ToUpper) }

// LowerFirst is for joining a sentence to another. It leaves abbreviations
// alone: "MCP ..." stays.
func LowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return first(s, unicode.ToLower)
}

func first(s string, change func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(change(r)) + s[size:]
}
