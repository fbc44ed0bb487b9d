package harness

import (
	"bytes"

	"github.com/mcpsf/mcpsf"
)

// maxLine is the longest piece of standard error told as one message. A
// longer line is told in several pieces, so that none of it is lost.
const maxLine = 8 << 10

// liner cuts what is no conversation into lines. Blank ones are left out.
type liner struct {
	stream mcpsf.Stream
	emit   func(mcpsf.Message)
	buf    []byte
	offset int64 // bytes taken so far
}

func (l *liner) feed(p []byte) {
	for len(p) > 0 {
		n := min(len(p), maxLine-len(l.buf))
		if i := bytes.IndexByte(p[:n], '\n'); i >= 0 {
			n = i + 1
		}
		l.buf = append(l.buf, p[:n]...)
		l.offset += int64(n)
		p = p[n:]
		if l.buf[len(l.buf)-1] == '\n' || len(l.buf) == maxLine {
			l.finish()
		}
	}
}

// finish tells of what there is of the current line.
func (l *liner) finish() {
	if line := bytes.TrimRight(l.buf, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
		out, cut := text(line, worstLine)
		l.emit(mcpsf.Message{
			Stream: l.stream, Offset: l.offset, Kind: mcpsf.MessageStderr,
			Body: out, Whole: line, Size: int64(len(l.buf)), Truncated: cut,
		})
	}
	l.buf = l.buf[:0]
}

// worstLine has room for a line in which every byte has to be escaped.
const worstLine = 6*maxLine + 2
