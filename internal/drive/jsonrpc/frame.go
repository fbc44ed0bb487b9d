package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// Defects of a frame, worded for the report.
const (
	noteBOM       = "wrote a byte order mark to stdout"
	noteJunk      = "wrote a line that is not JSON to stdout"
	NoteDeep      = "sent JSON nested too deeply to be a message"
	noteSeveral   = "wrote several messages on one line"
	noteMultiline = "spread one message over several lines"
	NoteCut       = "sent a message longer than the limit"
)

// Blanks is the white space of JSON.
const Blanks = " \t\r\n"

// Frame is one unit of the server's standard output: the text of one JSON
// object or array, or something that is neither.
type Frame struct {
	// End is the offset in the stream after the frame's last byte; the line
	// end belongs to the frame it ends. Size is its length on the wire.
	End, Size int64
	// Data is the text. It is valid until the next call to the Framer.
	Data []byte
	// Message is set when Data is one whole JSON object or array.
	Message bool
	// Cut is set when the frame was too long and Data is only its beginning.
	Cut bool
}

// Framer cuts a byte stream into frames. A message should be one line; other
// layouts are accepted where they are unambiguous. It keeps at most Max bytes
// and reads every byte a bounded number of times.
type Framer struct {
	Max, Head int // longest frame, and how much of a longer one is kept
	Emit      func(Frame)
	Note      func(string) // called for irregularities

	buf   []byte // the lines of an unfinished message, then the current line
	start int64  // offset in the stream of buf[0]
	line  int    // where in buf the current line begins
	cut   bool   // the current line is too long; buf is its beginning
	lost  int64  // how much of it was not kept
	scan  scanner
}

// Feed takes the next bytes of the stream.
func (f *Framer) Feed(p []byte) {
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

// Finish handles the end of the stream.
func (f *Framer) Finish() {
	if f.cut || len(f.buf) > f.line {
		f.endLine()
	}
	if f.line > 0 {
		f.flush()
	}
}

func (f *Framer) add(p []byte) {
	if f.cut {
		f.lost += int64(len(p))
		return
	}
	if len(f.buf)+len(p) > f.Max && f.line > 0 {
		f.flush()
	}
	if len(f.buf)+len(p) <= f.Max {
		f.buf = append(f.buf, p...)
		return
	}
	// A new small buffer, so that the large one is not kept in memory.
	all := int64(len(f.buf) + len(p))
	head := append(make([]byte, 0, f.Head), f.buf[:min(len(f.buf), f.Head)]...)
	head = append(head, p[:min(len(p), f.Head-len(head))]...)
	f.buf, f.cut, f.lost = head, true, all-int64(len(head))
}

func (f *Framer) endLine() {
	if f.cut {
		end := f.start + int64(len(f.buf)) + f.lost
		f.Note(NoteCut)
		f.Emit(Frame{End: end, Size: end - f.start, Data: f.buf, Cut: true})
		f.restart(end)
		return
	}
	if f.line > 0 && f.extend() {
		return
	}
	f.fresh(0)
}

// extend tries the current line as the continuation of an unfinished message. If
// it does not fit, the unfinished message is malformed output and the line stands
// alone.
func (f *Framer) extend() bool {
	if !f.standsAlone(f.buf[f.line:]) {
		n, v := f.scan.run(f.buf[f.line:])
		switch v {
		case scanMore:
			f.line = len(f.buf)
			return true
		case scanDone:
			f.Note(noteMultiline)
			f.message(0, f.line+n)
			f.fresh(f.line + n)
			return true
		}
	}
	f.flush()
	return false
}

// standsAlone reports whether the line is a message by itself. After half a
// message such a line is the next message and not the other half; otherwise one
// cut line would swallow the answer behind it. Inside a batch it is an element of
// the batch.
func (f *Framer) standsAlone(line []byte) bool {
	inBatch := f.scan.state == wantValue && len(f.scan.stack) == 1 && f.scan.stack[0] == '['
	if line[0] != '{' || inBatch {
		return false
	}
	var own scanner
	n, v := own.run(line)
	if v != scanDone || len(bytes.TrimLeft(line[n:], Blanks)) > 0 {
		return false
	}
	var e Envelope
	return json.Unmarshal(line[:n], &e) == nil && e.Plausible()
}

// fresh reads the frames of the current line from pos on.
func (f *Framer) fresh(pos int) {
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
			f.Note(noteSeveral)
		}
		f.message(pos, pos+n)
		pos += n
	}
	f.restart(f.start + int64(len(f.buf)))
}

// blank returns the length of the white space at pos.
func (f *Framer) blank(pos int) int {
	bom := []byte("\ufeff")
	rest := f.buf[pos:]
	for {
		rest = bytes.TrimLeft(rest, Blanks)
		if !bytes.HasPrefix(rest, bom) {
			return len(f.buf) - pos - len(rest)
		}
		f.Note(noteBOM)
		rest = rest[len(bom):]
	}
}

func (f *Framer) message(from, to int) {
	end := to
	// Not TrimSpace: it would look at the end of the line for each of a million
	// messages on it, which is quadratic.
	if len(bytes.TrimLeft(f.buf[to:], Blanks)) == 0 {
		end = len(f.buf)
	}
	f.Emit(Frame{
		End: f.start + int64(end), Size: int64(end - from),
		Data: f.buf[from:to], Message: true,
	})
}

func (f *Framer) junk(from, to int, note string) {
	f.Note(note)
	f.Emit(Frame{End: f.start + int64(to), Size: int64(to - from), Data: f.buf[from:to]})
}

func junkNote(v verdict) string {
	if v == scanDeep {
		return NoteDeep
	}
	return noteJunk
}

// flush reports the unfinished message before the current line as malformed.
func (f *Framer) flush() {
	f.junk(0, f.line, noteJunk)
	f.shift(f.line)
}

// shift drops the first n bytes of the buffer.
func (f *Framer) shift(n int) {
	f.buf = f.buf[:copy(f.buf, f.buf[n:])]
	f.start += int64(n)
	f.line = 0
}

// keepBuffer is the largest buffer kept between lines.
// no gap: a deeper message is malformed output, which is an event
const keepBuffer = 1 << 20

func (f *Framer) restart(offset int64) {
	f.buf = f.buf[:0]
	if cap(f.buf) > keepBuffer {
		f.buf = nil
	}
	f.start, f.line, f.cut, f.lost = offset, 0, false, 0
}
