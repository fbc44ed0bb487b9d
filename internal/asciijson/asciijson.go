// Package asciijson writes JSON that is safe to look at.
//
// In: a value, with strings that a target may have chosen. Out: indented JSON in
// which everything beyond ASCII is escaped, so that a terminal or an editor
// shows what is there and nothing else.
package asciijson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
)

// Marshal writes v, with a newline at the end.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escape(buf.String()), nil
}

// escape can go over the text as a whole: what is beyond ASCII stands in
// strings only.
func escape(s string) []byte {
	var b bytes.Buffer
	for _, r := range s {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
