package attack

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// Shown reports whether an answer holds the marker of an attack with
// [mcpsf.SignAnswer] or [mcpsf.SignEcho]. The answer is JSON with escaped text;
// the unescaped text is searched. For log injection the answer is one line of
// standard error.
func Shown(a *mcpsf.AttackDetail, answer []byte) bool {
	if a == nil || a.Marker == "" || a.Sign != mcpsf.SignAnswer && a.Sign != mcpsf.SignEcho {
		return false
	}
	if a.Class == ClassLog {
		return logged(a.Marker, answer)
	}
	text := unescape(answer)
	switch a.Class {
	case classPollution:
		return bytes.Contains(text, []byte(a.Marker)) && inherited(text)
	case classMarkup:
		return within(text, []byte(a.Marker))
	}
	return bytes.Contains(text, []byte(a.Marker))
}

// unescape decodes the escapes of JSON strings and leaves the rest unchanged.
// The text need not be valid JSON: an answer may be cut.
func unescape(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for {
		before, after, found := bytes.Cut(s, []byte(`\`))
		out = append(out, before...)
		if !found {
			return out
		}
		if r, n := escaped(after); n > 0 {
			out, s = utf8.AppendRune(out, r), after[n:]
			continue
		}
		out, s = append(out, '\\'), after
	}
}

// escaped decodes the escape after a backslash and returns its length.
func escaped(s []byte) (r rune, n int) {
	if len(s) == 0 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[0]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 1
	}
	r, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) && len(s) > 6 && s[5] == '\\' {
		if low, ok := unit(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 11
			}
		}
	}
	return r, 5
}

// unit reads u and four digits.
func unit(s []byte) (rune, bool) {
	if len(s) < 5 || s[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[1:5]), 16, 16)
	return rune(n), err == nil
}
