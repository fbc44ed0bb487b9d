package canary

import (
	"bytes"
	"unicode/utf8"
)

const (
	escapeCount = 3
	// around is how much text before and after an escape is decoded with it.
	around = 96
	// dense is how close escapes such as \n must be before they are decoded:
	// farther apart, the text between them is enough to recognise.
	dense = 16
	// longestEscape is the length of "&#x10ffff;" with some zeros.
	longestEscape = 12
)

// The kinds of escapes, by their first character.
const (
	percent = iota
	backslash
	ampersand
)

// escaper decodes the text around escapes of one kind.
type escaper struct {
	at      int64 // searched up to here
	child   *node
	from    int64 // where the current escape begins
	escape  []byte
	quiet   int   // literal bytes since the last one
	stopped int64 // where the last decoded text ended
	simple  int64 // position of the last escape that alone does not justify decoding
	written int64
	realign bool
	out     [outSize]byte
	size    int
}

func escapeKind(kind int) (name string, begins byte) {
	switch kind {
	case percent:
		return nameURL, '%'
	case backslash:
		return nameEscape, '\\'
	default:
		return nameHTML, '&'
	}
}

func (n *node) findEscapes(final bool) {
	for kind := range n.escapes {
		e := &n.escapes[kind]
		for e.at < n.end() {
			if e.child != nil {
				e.feed(n, kind)
			} else if !e.find(n, kind, final) {
				break
			}
		}
		if e.child != nil {
			e.flush()
		}
	}
}

// find goes to the next escape and begins there. It reports whether there is
// more to do.
func (e *escaper) find(n *node, kind int, final bool) bool {
	name, begins := escapeKind(kind)
	i := bytes.IndexByte(n.buf[e.at-n.base:], begins)
	if i < 0 {
		e.at = n.end()
		return false
	}
	e.at += int64(i)
	rest := n.buf[e.at-n.base:]
	if len(rest) < 4 && !final {
		return false
	}
	certain, near := opens(kind, rest)
	if near {
		certain = e.simple > 0 && e.at-e.simple <= dense
		e.simple = e.at + 1
	}
	if !certain {
		if e.at++; near && e.at < n.end() {
			e.at++ // the second half of \\ is no escape
		}
		return true
	}
	e.at = max(e.at-around, e.stopped, 0)
	e.child = n.child(name, e.at, 1, 1)
	e.quiet, e.written, e.size, e.realign, e.simple = -2*around, 0, 0, false, 0
	return true
}

// opens reports whether b begins with an escape that alone justifies decoding,
// or with one of which two are needed.
func opens(kind int, b []byte) (certain, near bool) {
	if len(b) < 2 {
		return false, false
	}
	switch kind {
	case percent:
		return b[1] == 'u' || len(b) > 2 && hexValue(b[1]) >= 0 && hexValue(b[2]) >= 0, false
	case backslash:
		switch c := b[1]; {
		case c|0x20 == 'u' || c|0x20 == 'x':
			return len(b) > 3 && (b[2] == '{' || hexValue(b[2]) >= 0 && hexValue(b[3]) >= 0), false
		case c >= '0' && c <= '3':
			return len(b) > 3 && isDigit(b[2]) && isDigit(b[3]), false
		default:
			return false, true
		}
	default:
		return b[1] == '#', b[1] == 'a' || b[1] == 'l' || b[1] == 'g' || b[1] == 'q'
	}
}

// feed decodes the available bytes until there was no escape for a while.
func (e *escaper) feed(n *node, kind int) {
	_, begins := escapeKind(kind)
	for e.at < n.end() {
		c := n.buf[e.at-n.base]
		e.at++
		switch {
		case len(e.escape) > 0:
			e.escape = append(e.escape, c)
			e.decode(kind)
		case c == begins:
			e.from = e.at - 1
			e.escape = append(e.escape, c)
		default:
			e.literal(c)
			if e.quiet++; e.quiet > around {
				e.stop()
				return
			}
		}
	}
}

func (e *escaper) literal(c byte) {
	if e.realign {
		e.child.anchor(e.written, e.at-1)
		e.realign = false
	}
	e.put(c)
}

// decode tries to decode the escape so far.
func (e *escaper) decode(kind int) {
	var out [utf8.UTFMax]byte
	size, state := unescape(kind, e.escape, &out)
	switch state {
	case unfinished:
		return
	case noEscape:
		// Its first byte is literal; the rest is tried again.
		c := e.escape[0]
		e.escape, e.at = e.escape[:0], e.from+1
		e.literal(c)
		e.quiet++
	default:
		e.child.anchor(e.written, e.from)
		for _, c := range out[:size] {
			e.put(c)
		}
		e.escape, e.quiet, e.realign = e.escape[:0], 0, true
	}
}

func (e *escaper) put(c byte) {
	e.out[e.size] = c
	e.written++
	if e.size++; e.size == outSize {
		e.flush()
	}
}

func (e *escaper) flush() {
	e.child.write(e.out[:e.size])
	e.size = 0
}

func (e *escaper) stop() {
	if e.child == nil {
		return
	}
	e.flush()
	e.child.finish()
	e.child, e.escape, e.stopped = nil, e.escape[:0], e.at
}
