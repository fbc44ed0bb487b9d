package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxIndent is the depth below which JSON is written on one line. The report
// itself is shallower. A target's schema that is nested ten thousand deep would
// become gigabytes of indentation.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const maxIndent = 6

// Report writes r as indented JSON in ASCII: encoding/json does not escape DEL, C1
// and bidirectional controls.
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

// Indent indents compact JSON for a file and escapes everything beyond ASCII. It
// can occur only inside strings, where an escape means the same.
func Indent(buf *bytes.Buffer, src []byte) { indent(buf, src, true) }

// IndentVisible indents compact JSON for people to read: it escapes hidden
// characters only.
func IndentVisible(buf *bytes.Buffer, src []byte) { indent(buf, src, false) }

func indent(buf *bytes.Buffer, src []byte, ascii bool) {
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
			i += safetext.Quoted(buf, src[i:], ascii)
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
