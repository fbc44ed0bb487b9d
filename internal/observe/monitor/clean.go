package monitor

import (
	"math"
	"path"
	"strings"
	"unicode/utf8"
)

// clean turns hostile bytes into a string of bounded length that JSON can hold.
func clean(s string) string {
	if len(s) > maxText {
		cut := maxText
		for cut > maxText-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// cleanPath is clean for file names. Failed look-ups may contain dots.
func cleanPath(s string) string {
	s = clean(s)
	if path.IsAbs(s) {
		return path.Clean(s)
	}
	return s
}

// offset brings a count of the kernel into the range of [mcpsf.Message].
func offset(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// size brings a hostile byte count into range.
func size(n int64) int64 { return max(n, 0) }

// sum adds two sizes and saturates instead of overflowing.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
