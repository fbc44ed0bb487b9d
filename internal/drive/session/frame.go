package session

import (
	"bytes"
	"encoding/json"
)

// What can be wrong with a frame, in the words of the report.
const (
	noteBOM       = "wrote a byte order mark to stdout"
	noteJunk      = "wrote a line that is not JSON to stdout"
	noteDeep      = "sent JSON nested too deeply to be a message"
	noteSeveral   = "wrote several messages on one line"
	noteMultiline = "spread one message over several lines"
	noteCut       = "sent a message longer than the limit"
)

// blanks is the white space of JSON.
const blanks = " \t\r\n"

// frame is one unit of the server's standard output: the text of one JSON
// object or array, or something that is neither.
type frame struct {
	// end is the offset in the stream after the frame's last byte; the line
	// end belongs to the frame it ends. size is its length on the wire.
	end, size int64
	// data is the text. It is valid until the next call to the framer.
	data []byte
	// message is set when data is one whole JSON object or array.
	message bool
	// cut is set when the frame was too long and data is only its beginning.
	cut bool
}

// framer cuts a byte stream into frames. A message should be one line; what
// else can be understood without guessing is understood too. It keeps at most
// max bytes and reads every byte a bounded number of times.
type framer struct {
	max, head int // longest frame, and what is kept of a longer one
	emit      func(frame)
	note      func(string) // told of what was irregular

	buf   []byte // the lines of an unfinished message, then the current line
	start int64  // offset in the stream of buf[0]
	line  int    // where in buf the current line begins
	cut   bool   // the current line is too long; buf is its beginning,
	lost  int64  // and this much of it was not kept
	scan  scanner
}

// feed takes the next bytes of the stream.
func (f *framer) feed(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n') + 1
		ended := n > 0
		if !ended {
			n = len(p)
		}
		f.add(p[:n])
		if ended {
			f.endLine()
		}
		p = p[n:]
	}
}

// finish takes the end of the stream.
func (f *framer) finish() {
	if f.cut || len(f.buf) > f.line {
		f.endLine()
	}
	if f.line > 0 {
		f.flush()
	}
}

func (f *framer) add(p []byte) {
	if f.cut {
		f.lost += int64(len(p))
		return
	}
	if len(f.buf)+len(p) > f.max && f.line > 0 {
		f.flush()
	}
	if len(f.buf)+len(p) <= f.max {
		f.buf = append(f.buf, p...)
		return
	}
	// A new small buffer, so that the large one is not held for the rest.
	all := int64(len(f.buf) + len(p))
	head := append(make([]byte, 0, f.head), f.buf[:min(len(f.buf), f.head)]...)
	head = append(head, p[:min(len(p), f.head-len(head))]...)
	f.buf, f.cut, f.lost = head, true, all-int64(len(head))
}

func (f *framer) endLine() {
	if f.cut {
		end := f.start + int64(len(f.buf)) + f.lost
		f.note(noteCut)
		f.emit(frame{end: end, size: end - f.start, data: f.buf, cut: true})
		f.restart(end)
		return
	}
	if f.line > 0 && f.extend() {
		return
	}
	f.fresh(0)
}

// extend tries the current line as the next line of an unfinished message. If
// it is none, the unfinished message was none either, and the line stands
// alone.
func (f *framer) extend() bool {
	if !f.standsAlone(f.buf[f.line:]) {
		n, v := f.scan.run(f.buf[f.line:])
		switch v {
		case scanMore:
			f.line = len(f.buf)
			return true
		case scanDone:
			f.note(noteMultiline)
			f.message(0, f.line+n)
			f.fresh(f.line + n)
			return true
		}
	}
	f.flush()
	return false
}

// standsAlone reports whether the line is a message by itself. After half a
// message such a line is the next message and not the other half: otherwise
// one cut line would swallow the answer that follows it. Between the commas
// of a batch it is an element.
func (f *framer) standsAlone(line []byte) bool {
	inBatch := f.scan.state == wantValue && len(f.scan.stack) == 1 && f.scan.stack[0] == '['
	if line[0] != '{' || inBatch {
		return false
	}
	var own scanner
	n, v := own.run(line)
	if v != scanDone || len(bytes.TrimLeft(line[n:], blanks)) > 0 {
		return false
	}
	var e envelope
	return json.Unmarshal(line[:n], &e) == nil && e.plausible()
}

// fresh reads what the current line holds from pos on.
func (f *framer) fresh(pos int) {
	for found := 0; ; found++ {
		pos += f.blank(pos)
		if pos == len(f.buf) {
			break
		}
		if c := f.buf[pos]; c != '{' && c != '[' {
			f.junk(pos, len(f.buf), noteJunk)
			break
		}
		f.scan.reset()
		n, v := f.scan.run(f.buf[pos:])
		if v == scanMore {
			f.shift(pos)
			f.line = len(f.buf)
			return
		}
		if v != scanDone {
			f.junk(pos, len(f.buf), junkNote(v))
			break
		}
		if found > 0 {
			f.note(noteSeveral)
		}
		f.message(pos, pos+n)
		pos += n
	}
	f.restart(f.start + int64(len(f.buf)))
}

// blank returns how much white space there is at pos.
func (f *framer) blank(pos int) int {
	bom := []byte("\ufeff")
	rest := f.buf[pos:]
	for {
		rest = bytes.TrimLeft(rest, blanks)
		if !bytes.HasPrefix(rest, bom) {
			return len(f.buf) - pos - len(rest)
		}
		f.note(noteBOM)
		rest = rest[len(bom):]
	}
}

func (f *framer) message(from, to int) {
	end := to
	// Not TrimSpace: looking at the end of the line too, for each of a million
	// messages on it, takes for ever.
	if len(bytes.TrimLeft(f.buf[to:], blanks)) == 0 {
		end = len(f.buf)
	}
	f.emit(frame{
		end: f.start + int64(end), size: int64(end - from),
		data: f.buf[from:to], message: true,
	})
}

func (f *framer) junk(from, to int, note string) {
	f.note(note)
	f.emit(frame{end: f.start + int64(to), size: int64(to - from), data: f.buf[from:to]})
}

func junkNote(v verdict) string {
	if v == scanDeep {
		return noteDeep
	}
	return noteJunk
}

// flush gives up the unfinished message before the current line.
func (f *framer) flush() {
	f.junk(0, f.line, noteJunk)
	f.shift(f.line)
}

// shift drops the first n bytes of the buffer.
func (f *framer) shift(n int) {
	f.buf = f.buf[:copy(f.buf, f.buf[n:])]
	f.start += int64(n)
	f.line = 0
}

// keepBuffer is how large a buffer may stay between lines.
const keepBuffer = 1 << 20

func (f *framer) restart(offset int64) {
	f.buf = f.buf[:0]
	if cap(f.buf) > keepBuffer {
		f.buf = nil
	}
	f.start, f.line, f.cut, f.lost = offset, 0, false, 0
}
