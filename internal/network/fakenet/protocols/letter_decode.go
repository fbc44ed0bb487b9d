package protocols

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// content handles a piece of a part's body. Bytes that cannot be decoded are
// reported undecoded.
func (l *letter) content(p []byte, whole bool) {
	switch l.encoding {
	case "base64":
		l.base64(p)
	case "quoted-printable":
		l.quoted(p, whole)
	default:
		l.put(p)
	}
}

// flush handles the end of a body.
func (l *letter) flush() {
	if len(l.rest) == 0 {
		return
	}
	rest := l.rest
	l.rest = nil
	if l.encoding == "base64" {
		if p, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(rest), "=")); err == nil {
			rest = p
		}
	}
	l.put(rest)
}

func (l *letter) base64(p []byte) {
	for _, c := range p {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			l.rest = append(l.rest, c)
		}
	}
	n := len(l.rest) / 4 * 4
	out := make([]byte, base64.StdEncoding.DecodedLen(n))
	got, err := base64.StdEncoding.Decode(out, l.rest[:n])
	if err != nil {
		l.put(append(l.rest, '\n'))
		l.rest = nil
		return
	}
	l.put(out[:got])
	l.rest = append(l.rest[:0], l.rest[n:]...)
}

func (l *letter) quoted(p []byte, whole bool) {
	p = append(l.rest, p...)
	l.rest = nil
	ending := ""
	if whole {
		p = bytes.TrimRight(p, " \t\r\n")
		ending = "\r\n"
	} else if i := bytes.LastIndexByte(p, '='); i >= 0 && i >= len(p)-2 {
		l.rest = bytes.Clone(p[i:])
		p = p[:i]
	}
	if whole && bytes.HasSuffix(p, []byte("=")) {
		p, ending = p[:len(p)-1], ""
	}
	out := make([]byte, 0, len(p)+2)
	for i := 0; i < len(p); i++ {
		if p[i] == '=' && i+2 < len(p) {
			var c [1]byte
			if _, err := hex.Decode(c[:], p[i+1:i+3]); err == nil {
				out = append(out, c[0])
				i += 2
				continue
			}
		}
		out = append(out, p[i])
	}
	l.put(append(out, ending...))
}

// The encoded words of a header, and the space between two of them.
var (
	encodedWord = lazyregexp.New(`=\?[^?\s]{1,64}\?[bBqQ]\?[^?\s]{0,1000}\?=`)
	wordGap     = lazyregexp.New(`\?=\s+=\?`)
)

// words decodes a header. Unlike the standard library, it takes time
// proportional to the header's length for any input.
func words(s string) string {
	decoder := mime.WordDecoder{CharsetReader: passCharset}
	return encodedWord.ReplaceAllStringFunc(wordGap.ReplaceAllString(s, "?==?"), func(word string) string {
		if decoded, err := decoder.Decode(word); err == nil {
			return decoded
		}
		return word
	})
}

// contentType parses a Content-Type header. Without one, the content is text.
func contentType(s string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(s[:min(len(s), 2<<10)])
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || kind == "" {
		return "text/plain", nil
	}
	return kind, params
}

// singleByte says whether a charset has one byte per character.
func singleByte(charset string) bool {
	charset = strings.ToLower(charset)
	return strings.HasPrefix(charset, "iso-8859-") || strings.HasPrefix(charset, "windows-125")
}

// passCharset returns the bytes of an unknown charset unchanged.
func passCharset(_ string, r io.Reader) (io.Reader, error) { return r, nil }
