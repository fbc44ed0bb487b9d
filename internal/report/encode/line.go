package encode

import (
	"bytes"
	"encoding/json"
)

// Line writes v on one line. Characters that a terminal would interpret are
// escaped, as in report.json.
func Line(buf *bytes.Buffer, v any) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	src := raw.Bytes() // ends with a newline
	for i := 0; i < len(src); {
		if src[i] == '"' {
			i += quoted(buf, src[i:])
			continue
		}
		buf.WriteByte(src[i])
		i++
	}
	return nil
}
