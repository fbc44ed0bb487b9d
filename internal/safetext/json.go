package safetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
)

// JSON writes v indented, with everything beyond ASCII escaped and a newline at
// the end.
func JSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeJSON(buf.String()), nil
}

// escapeJSON can go over the text as a whole: what is beyond ASCII stands in
// strings only.
func escapeJSON(s string) []byte {
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
