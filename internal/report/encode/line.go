package encode

import (
	"bytes"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Line writes v on one line. Everything beyond ASCII is escaped, as in
// report.json.
func Line(buf *bytes.Buffer, v any) error {
	line, err := safetext.JSONLine(v)
	if err != nil {
		return err
	}
	buf.Write(line)
	return nil
}
