package terminal

import (
	"bytes"

	"github.com/mcpsf/mcpsf/internal/report/digest"
)

// Summary writes the default output of a run: the verdict, the findings, the
// coverage and what to do, on one screen.
func Summary(buf *bytes.Buffer, data digest.Data, style Style) error {
	var top, bottom bytes.Buffer
	head, foot := newScreen(&top, data, style), newScreen(&bottom, data, style)
	head.verdict()
	head.reasons()
	foot.coverage()
	foot.advice()
	foot.closing()
	room := ScreenLines - bytes.Count(top.Bytes(), []byte("\n")) - bytes.Count(bottom.Bytes(), []byte("\n"))
	head.findings(room)
	buf.Write(top.Bytes())
	buf.Write(bottom.Bytes())
	return nil
}
