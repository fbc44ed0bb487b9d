package lex

import (
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

var varying = regexp.MustCompile(`[0-9a-fA-F]*[0-9][0-9a-fA-F]{7,}|[0-9]{4,}(?:[-_.T][0-9]{2,})*`)

// Stable removes the parts of a name that differ from run to run: process
// numbers, times, random parts. Names that are then equal mean the same thing.
func Stable(name string) string {
	if rest, ok := strings.CutPrefix(name, "/proc/"); ok {
		if who, what, _ := strings.Cut(rest, "/"); isNumber(who) {
			name = "/proc/#/" + what
		}
	}
	name = quote.Cut(name, MaxPath)
	if !varies(name) {
		return name
	}
	return varying.ReplaceAllString(name, "#")
}

// varies tells quickly whether there can be anything to remove: four digits, or
// eight hexadecimal digits.
func varies(s string) bool {
	digits, hex := 0, 0
	for i := range len(s) {
		c := s[i]
		digit := c >= '0' && c <= '9'
		if digits++; !digit {
			digits = 0
		}
		if hex++; !digit && (c|0x20 < 'a' || c|0x20 > 'f') {
			hex = 0
		}
		if digits == 4 || hex == 8 {
			return true
		}
	}
	return false
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
