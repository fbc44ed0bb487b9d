package lex

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

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
	return withoutVarying(name)
}

// withoutVarying replaces random parts and times by "#": eight or more
// hexadecimal digits after the first decimal one, or at least four digits with
// the groups of digits that follow. It is a pattern written out: a server can
// give every file a new name, and each is looked at once.
//
//	[0-9a-fA-F]*[0-9][0-9a-fA-F]{7,}|[0-9]{4,}(?:[-_.T][0-9]{2,})*
func withoutVarying(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	none := 0 // there is no random part before this position
	for i := 0; i < len(s); {
		end := i
		if i >= none {
			end, none = randomPart(s, i)
		}
		if end == i {
			end = timePart(s, i)
		}
		if end > i {
			out.WriteByte('#')
			i = end
			continue
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String()
}

// randomPart returns the end of the random part that begins at i, i if there is
// none, and before which position no other begins.
func randomPart(s string, i int) (end, none int) {
	run, digit := i, -1
	for ; run < len(s) && isHex(s[run]); run++ {
		if digit < 0 && isDigit(s[run]) {
			digit = run
		}
	}
	if digit < 0 || run-digit < 8 {
		return i, run
	}
	return run, run
}

// timePart returns the end of the digits that begin at i with the groups that
// follow, i if there are too few.
func timePart(s string, i int) int {
	end := digits(s, i)
	if end-i < 4 {
		return i
	}
	for end < len(s) && strings.IndexByte("-_.T", s[end]) >= 0 {
		next := digits(s, end+1)
		if next-end-1 < 2 {
			break
		}
		end = next
	}
	return end
}

// digits returns the end of the digits that begin at i.
func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// varies tells quickly whether there can be anything to remove: four digits, or
// eight hexadecimal digits.
func varies(s string) bool {
	run, hex := 0, 0
	for i := range len(s) {
		if run++; !isDigit(s[i]) {
			run = 0
		}
		if hex++; !isHex(s[i]) {
			hex = 0
		}
		if run == 4 || hex == 8 {
			return true
		}
	}
	return false
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
