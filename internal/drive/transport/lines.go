package transport

import (
	"bytes"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// maxLine is the longest piece of standard error that is reported as one
// message. A longer line is reported in several pieces, so that none of it is
// lost.
// no gap: what is longer is malformed output or ends the connection, which is an event
const maxLine = 8 << 10

// maxKept is how much text of a stream is kept whole. Of later lines only the
// beginning and the length are kept: a server that writes so much may want to
// fill our disk. Searches still see the whole line.
// no gap: what is longer is malformed output or ends the connection, which is an event
const (
	maxKept   = 4 << 20
	beginning = 256
)

// liner cuts output outside the conversation into lines. It skips blank ones.
type liner struct {
	stream mcpsf.Stream
	emit   func(mcpsf.Message)
	buf    []byte
	offset int64 // bytes read so far
	kept   int   // how much text has been reported
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

// finish reports the rest of the current line.
func (l *liner) finish() {
	if line := bytes.TrimRight(l.buf, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
		room := worstLine
		if l.kept > maxKept {
			room = beginning
		}
		out, cut := jsonrpc.Text(line, room)
		l.kept += len(out)
		l.emit(mcpsf.Message{
			Stream: l.stream, Offset: l.offset, Kind: mcpsf.MessageStderr,
			Body: out, Whole: line, Size: int64(len(l.buf)), Truncated: cut,
		})
	}
	l.buf = l.buf[:0]
}

// worstLine has room for a line in which every byte has to be escaped.
const worstLine = 6*maxLine + 2
