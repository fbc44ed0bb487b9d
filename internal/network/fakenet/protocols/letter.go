package protocols

import (
	"bytes"
	"slices"
	"strings"
)

const (
	headMax     = 64 << 10 // bytes of a header that are parsed
	textMax     = 4 << 10  // bytes of a text that are kept
	pieceMax    = 4 << 10  // bytes of a line that are parsed
	boundaryMax = 16       // nesting depth of multipart bodies
)

// letter parses a mail while it arrives and reports all of it, with the
// transfer encodings of its parts decoded. It keeps only the beginning of the
// text, so that a mail may have any size.
type letter struct {
	tell func(part string, p []byte)
	size int64

	partial []byte // a line that is not complete yet
	fresh   bool   // the next piece is the beginning of a line

	head       []byte   // header lines of the current part, nil in its body
	boundaries []string // of the enclosing parts, the outermost first
	encoding   string   // of the current body
	latin      bool     // the charset has one byte per character
	rest       []byte   // bytes that are too few to decode yet
	keep       *[]byte  // where the current body is kept; nil if it is not text

	title       string
	titled      bool
	plain, html []byte
}

func newLetter(tell func(part string, p []byte)) *letter {
	return &letter{tell: tell, fresh: true, head: []byte{}}
}

// write parses the next bytes of the mail.
func (l *letter) write(p []byte) {
	l.size += int64(len(p))
	for len(p) > 0 {
		n := min(len(p), pieceMax-len(l.partial))
		end := bytes.IndexByte(p[:n], '\n')
		if end >= 0 {
			n = end + 1
		}
		l.partial = append(l.partial, p[:n]...)
		p = p[n:]
		if end >= 0 || len(l.partial) == pieceMax {
			l.piece(l.partial, end >= 0)
			l.partial = l.partial[:0]
		}
	}
}

// close handles the end of the mail.
func (l *letter) close() {
	l.piece(l.partial, false)
	l.partial = nil
	l.flush()
	if l.head != nil {
		l.headers()
	}
}

// subject is the decoded Subject header.
func (l *letter) subject() string { return text([]byte(l.title)) }

// body is the beginning of the text that a mail program would show.
func (l *letter) body() string {
	if len(l.plain) > 0 {
		return text(l.plain)
	}
	return text(l.html)
}

// text truncates twice, because replacing invalid bytes makes the text longer.
func text(p []byte) string {
	s := strings.ToValidUTF8(string(p[:min(len(p), textMax)]), "\uFFFD")
	return strings.ToValidUTF8(s[:min(len(s), textMax)], "")
}

// piece handles a line, or a part of a very long line.
func (l *letter) piece(p []byte, whole bool) {
	fresh := l.fresh
	l.fresh = whole
	switch {
	case len(p) == 0:
	case fresh && l.boundary(p):
		l.tell("mail", p)
	case l.head == nil:
		l.content(p, whole)
	default:
		l.tell("mail", p)
		if fresh && len(bytes.TrimRight(p, "\r\n")) == 0 {
			l.headers()
		} else if len(l.head)+len(p) <= headMax {
			l.head = append(l.head, p...)
		}
	}
}

// boundary recognises the line between two parts or after the last part.
func (l *letter) boundary(p []byte) bool {
	line, found := strings.CutPrefix(string(bytes.TrimRight(p, " \t\r\n")), "--")
	if !found {
		return false
	}
	for i, boundary := range slices.Backward(l.boundaries) {
		switch line {
		case boundary:
			l.flush()
			l.boundaries = l.boundaries[:i+1]
			l.head = []byte{}
			return true
		case boundary + "--":
			l.flush()
			l.boundaries = l.boundaries[:i]
			l.head, l.encoding, l.keep = nil, "", nil
			return true
		}
	}
	return false
}

// headers applies the headers of a part once they are complete.
func (l *letter) headers() {
	head := string(l.head)
	l.head = nil
	if decoded := words(head); decoded != head {
		l.tell("mail", []byte(decoded))
	}
	if !l.titled {
		l.titled = true
		l.title = words(field(head, "Subject"))
	}
	l.encoding = strings.ToLower(field(head, "Content-Transfer-Encoding"))
	kind, params := contentType(field(head, "Content-Type"))
	l.latin = singleByte(params["charset"])
	l.keep = nil
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		if params["boundary"] != "" && len(l.boundaries) < boundaryMax {
			l.boundaries = append(l.boundaries, params["boundary"])
		}
	case kind == "message/rfc822":
		l.head = []byte{}
	case strings.HasPrefix(strings.ToLower(field(head, "Content-Disposition")), "attachment"):
	case kind == "text/plain":
		l.keep = &l.plain
	case kind == "text/html":
		l.keep = &l.html
	}
}

// put reports a part's content, and keeps its beginning if it is text.
func (l *letter) put(p []byte) {
	l.tell("mail", p)
	if l.keep == nil || len(*l.keep) >= textMax {
		return
	}
	if l.latin {
		letters := make([]rune, len(p))
		for i, c := range p {
			letters[i] = rune(c)
		}
		p = []byte(string(letters))
	}
	*l.keep = append(*l.keep, p...)
}

// field finds a header and joins its folded lines.
func field(head, name string) string {
	var value strings.Builder
	found := false
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, "\r\n")
		if found {
			if line == "" || line[0] != ' ' && line[0] != '\t' {
				break
			}
			value.WriteString(" " + strings.TrimSpace(line))
			continue
		}
		if key, rest, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			value.WriteString(strings.TrimSpace(rest))
			found = true
		}
	}
	return value.String()
}
