package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxIndent is the depth below which JSON is written on one line. The report
// itself is shallower. A target's schema that is nested ten thousand deep would
// become gigabytes of indentation.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxIndent = 6

// Report writes r as indented JSON without any character that a terminal would
// interpret: encoding/json does not escape DEL, C1 and bidirectional controls.
func Report(buf *bytes.Buffer, r *mcpsf.Report) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Complete(r)); err != nil {
		return fmt.Errorf("encoding the report: %w", err)
	}
	Indent(buf, bytes.TrimSpace(raw.Bytes()))
	buf.WriteByte('\n')
	return nil
}

// Indent indents compact JSON and escapes hidden characters. They can occur only
// inside strings, where an escape means the same.
func Indent(buf *bytes.Buffer, src []byte) {
	depth := 0
	newline := func() {
		if depth <= maxIndent {
			buf.WriteByte('\n')
			buf.WriteString(strings.Repeat("  ", depth))
		}
	}
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '"':
			i += quoted(buf, src[i:])
			continue
		case '{', '[':
			buf.WriteByte(c)
			if i+1 < len(src) && src[i+1] == c+2 { // '}' or ']': empty
				buf.WriteByte(c + 2)
				i += 2
				continue
			}
			depth++
			newline()
		case '}', ']':
			// A line break before the closing bracket, if there is one after the opening one.
			shallow := depth <= maxIndent
			depth--
			if shallow {
				newline()
			}
			buf.WriteByte(c)
		case ',':
			buf.WriteByte(c)
			newline()
		case ':':
			buf.WriteString(": ")
		default:
			buf.WriteByte(c)
		}
		i++
	}
}

// quoted copies the string literal at the start of src and returns its length.
func quoted(buf *bytes.Buffer, src []byte) int {
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
		case safetext.Hidden(r) && r > 0xffff:
			v := r - 0x10000
			fmt.Fprintf(buf, `\u%04x\u%04x`, 0xd800+v>>10, 0xdc00+v&0x3ff)
		case safetext.Hidden(r):
			fmt.Fprintf(buf, `\u%04x`, r)
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
	for n < len(src) && src[n] >= ' ' && src[n] <= '~' && src[n] != '"' && src[n] != '\\' {
		n++
	}
	return n
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
