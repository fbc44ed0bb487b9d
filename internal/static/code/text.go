package code

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
)

// decode converts a file to UTF-8; false if it is not text.
func decode(src []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}):
		return fromUTF16(src[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }), true
	case bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		return fromUTF16(src[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 }), true
	}
	if bytes.IndexByte(src[:min(len(src), 8192)], 0) >= 0 {
		return nil, false
	}
	if utf8.Valid(src) {
		return src, true
	}
	return fromLatin1(src), true
}

func fromUTF16(src []byte, unit func([]byte) uint16) []byte {
	units := make([]uint16, 0, len(src)/2)
	for i := 0; i+1 < len(src); i += 2 {
		units = append(units, unit(src[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// fromLatin1 keeps valid UTF-8 and reads each other byte as Latin-1.
func fromLatin1(src []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size <= 1 {
			r = rune(src[i])
			size = 1
		}
		b.WriteRune(r)
		i += size
	}
	return b.Bytes()
}

// tools returns the tool definitions in the report's form.
func tools(files []*ir.File) []mcpsf.SourceTool {
	var out []mcpsf.SourceTool
	for _, f := range files {
		for _, t := range f.Tools {
			if t.Name == resolve.Dispatcher || t.Name == "" {
				continue
			}
			tool := mcpsf.Tool{Name: t.Name, Description: t.Description}
			if json.Valid([]byte(t.Schema)) {
				tool.InputSchema = json.RawMessage(t.Schema)
			}
			if json.Valid([]byte(t.Annotations)) {
				tool.Annotations = json.RawMessage(t.Annotations)
			}
			out = append(out, mcpsf.SourceTool{Tool: tool, Path: f.Path, Line: t.Line})
		}
	}
	return out
}

// printable escapes unprintable characters in a name.
func printable(s string) string {
	s = s[:min(len(s), 300)]
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
