package canary

import (
	"bytes"
	"unicode/utf8"
)

const (
	escapeCount = 3
	// around is how much text before and after an escape is decoded with it.
	around = 96
	// dense is how near each other escapes such as \n have to be before they
	// are taken out: farther apart they leave enough to recognise.
	dense = 16
	// longestEscape is that of "&#x10ffff;" with some zeros.
	longestEscape = 12
)

// The kinds of escapes, by what they begin with.
const (
	percent = iota
	backslash
	ampersand
)

// escaper decodes the text around escapes of one kind.
type escaper struct {
	at      int64 // looked at before
	child   *node
	from    int64 // where the present escape begins
	escape  []byte
	quiet   int   // literal bytes since the last one
	stopped int64 // where the last text ended
	simple  int64 // where the last escape was that alone is no reason to begin
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
			e.at++ // the second half of \\ begins nothing
		}
		return true
	}
	e.at = max(e.at-around, e.stopped, 0)
	e.child = n.child(name, e.at, 1, 1)
	e.quiet, e.written, e.size, e.realign, e.simple = -2*around, 0, 0, false, 0
	return true
}

// opens reports whether b begins with an escape of which one is a reason to
// decode, or with one of which it takes two.
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

// feed takes what there is, until there was nothing to decode for a while.
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

// decode looks at the escape so far.
func (e *escaper) decode(kind int) {
	var out [utf8.UTFMax]byte
	size, state := unescape(kind, e.escape, &out)
	switch state {
	case unfinished:
		return
	case noEscape:
		// Its first byte stands for itself; what follows is looked at again.
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
