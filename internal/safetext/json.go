package safetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes v indented, with everything beyond ASCII escaped and a newline at
// the end.
func JSON(v any) ([]byte, error) { return encoded(v, "  ") }

// JSONLine writes v on one line, with everything beyond ASCII escaped and a
// newline at the end.
func JSONLine(v any) ([]byte, error) { return encoded(v, "") }

func encoded(v any, indent string) ([]byte, error) {
	var raw, buf bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	EscapeJSON(&buf, raw.Bytes())
	return buf.Bytes(), nil
}

// EscapeJSON writes JSON text so that it means the same and is ASCII. What a
// target sent stands in it as it came, beyond ASCII, and with escapes of its own
// choice: half a surrogate pair becomes U+FFFD, as every reader that accepts it
// makes of it.
func EscapeJSON(buf *bytes.Buffer, src []byte) {
	for i := 0; i < len(src); {
		if src[i] == '"' {
			i += Quoted(buf, src[i:], true)
			continue
		}
		buf.WriteByte(src[i])
		i++
	}
}

// Quoted copies the JSON string at the start of src and returns its length in
// src. Beyond ASCII it escapes everything, or only what is hidden.
func Quoted(buf *bytes.Buffer, src []byte, ascii bool) int {
	buf.WriteByte('"')
	for i := 1; i < len(src); {
		if n := ordinary(src[i:]); n > 0 { // nearly always the whole string
			buf.Write(src[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		switch {
		case r == '"':
			buf.WriteByte('"')
			return i + 1
		case r == '\\' && i+1 < len(src):
			var kept []byte
			kept, size = escaped(src[i:])
			buf.Write(kept)
		case r == utf8.RuneError && size == 1:
			buf.WriteString(`\ufffd`)
		case Hidden(r), ascii && r >= utf8.RuneSelf, secondHash(src, i):
			writeUnits(buf, r)
		default:
			buf.Write(src[i : i+size])
		}
		i += size
	}
	return len(src)
}

// ordinary counts the bytes at the start of src that need no escape.
func ordinary(src []byte) int {
	n := 0
	for n < len(src) && src[n] >= ' ' && src[n] <= '~' && src[n] != '"' && src[n] != '\\' && src[n] != '#' {
		n++
	}
	return n
}

// writeUnits writes a character as one or two \uXXXX.
func writeUnits(buf *bytes.Buffer, r rune) {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		fmt.Fprintf(buf, `\u%04x\u%04x`, high, low)
		return
	}
	fmt.Fprintf(buf, `\u%04x`, r)
}

// escaped returns the escape at the start of src as it is to be written, and its
// length in src. Half of a surrogate pair is invalid, and many readers reject a
// whole document for it. A server must not be able to make a report unreadable.
func escaped(src []byte) (kept []byte, size int) {
	half, ok := unit(src)
	if !ok || !utf16.IsSurrogate(half) {
		return src[:2], 2 // the next character is not part of the escape
	}
	if other, ok := unit(src[6:]); ok && utf16.DecodeRune(half, other) != utf8.RuneError {
		return src[:12], 12
	}
	return []byte(`\ufffd`), 6
}

// unit reads \uXXXX.
func unit(src []byte) (rune, bool) {
	if len(src) < 6 || src[0] != '\\' || src[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(src[2:6]), 16, 16)
	return rune(n), err == nil
}
