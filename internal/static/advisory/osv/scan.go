package osv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds the nesting of values. Real records need six.
// gap: advisories
const maxDepth = 64

var (
	errTruncated = errors.New("the JSON ends too early")
	errDeep      = errors.New("the JSON is nested too deep")
)

// scanner reads JSON once and builds only the requested values. An export has
// hundreds of megabytes, of which a tenth is needed; encoding/json takes
// several times as long. Skipped values are checked only as far as needed to
// find their end.
type scanner struct {
	data []byte
	pos  int
}

// object calls field for each key of the next object. field must consume the
// value. null is an object without keys.
func (s *scanner) object(field func(key []byte) error) error {
	if s.null() {
		return nil
	}
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		key, err := s.raw()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := field(key); err != nil {
			return err
		}
		if more, err := s.more('}'); err != nil || !more {
			return err
		}
	}
}

// array calls item for each element, at most limit times. item must consume
// the element. null is an array without elements.
func (s *scanner) array(limit int, item func() error) error {
	if s.null() {
		return nil
	}
	if err := s.expect('['); err != nil {
		return err
	}
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for n := 0; ; n++ {
		if n == limit {
			return fmt.Errorf("a list has more than %d elements", limit)
		}
		if err := item(); err != nil {
			return err
		}
		if more, err := s.more(']'); err != nil || !more {
			return err
		}
	}
}

// more reports whether another element follows before the end of the list.
func (s *scanner) more(end byte) (bool, error) {
	switch c := s.peek(); c {
	case ',':
		s.pos++
		return true, nil
	case end:
		s.pos++
		return false, nil
	default:
		return false, s.unexpected(c)
	}
}

// text reads a string; null is "".
func (s *scanner) text() (string, error) {
	if s.null() {
		return "", nil
	}
	raw, err := s.raw()
	if err != nil {
		return "", err
	}
	return decodeText(raw)
}

// decodeText decodes the text between the quotes.
func decodeText(raw []byte) (string, error) {
	plain := utf8.Valid(raw)
	for _, c := range raw {
		if c == '\\' || c < ' ' {
			plain = false
			break
		}
	}
	if plain {
		return string(raw), nil
	}
	var out string
	if err := json.Unmarshal(inQuotes(raw), &out); err != nil {
		return "", errors.New("a string is broken")
	}
	return out, nil
}

func inQuotes(raw []byte) []byte {
	quoted := make([]byte, 0, len(raw)+2)
	quoted = append(quoted, '"')
	quoted = append(quoted, raw...)
	return append(quoted, '"')
}

// raw returns the text between the quotes of the next string.
func (s *scanner) raw() ([]byte, error) {
	if err := s.expect('"'); err != nil {
		return nil, err
	}
	start := s.pos
	for {
		i := bytes.IndexByte(s.data[s.pos:], '"')
		if i < 0 {
			return nil, errTruncated
		}
		end := s.pos + i
		s.pos = end + 1
		slashes := 0
		for end-slashes > start && s.data[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return s.data[start:end], nil
		}
	}
}

// skip skips the next value, whatever it is.
func (s *scanner) skip() error {
	var room [maxDepth]byte
	open := room[:0] // closing brackets still expected
	for {
		switch c := s.peek(); c {
		case 0:
			return errTruncated
		case '"':
			if _, err := s.raw(); err != nil {
				return err
			}
		case '{', '[':
			if len(open) == maxDepth {
				return errDeep
			}
			open = append(open, c+2) // the closing bracket in ASCII
			s.pos++
			continue
		case '}', ']':
			last := len(open) - 1
			if last < 0 || open[last] != c {
				return s.unexpected(c)
			}
			open = open[:last]
			s.pos++
		case ',', ':':
			if len(open) == 0 {
				return s.unexpected(c)
			}
			s.pos++
			continue
		default:
			if err := s.word(); err != nil {
				return err
			}
		}
		if len(open) == 0 {
			return nil
		}
	}
}

// word skips a number or one of true, false and null.
func (s *scanner) word() error {
	start := s.pos
	for s.pos < len(s.data) && isWord(s.data[s.pos]) {
		s.pos++
	}
	if s.pos == start {
		return s.unexpected(s.data[start])
	}
	return nil
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E' || c == '+' || c == '-' || c == '.'
}

// null consumes a null, if there is one.
func (s *scanner) null() bool {
	if s.peek() == 'n' && bytes.HasPrefix(s.data[s.pos:], []byte("null")) {
		s.pos += len("null")
		return true
	}
	return false
}

// end requires that only white space follows.
func (s *scanner) end() error {
	if c := s.peek(); s.pos < len(s.data) {
		return s.unexpected(c)
	}
	return nil
}

// peek returns the next byte that is no white space, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) expect(want byte) error {
	if c := s.peek(); c != want {
		return s.unexpected(c)
	}
	s.pos++
	return nil
}

func (s *scanner) unexpected(c byte) error {
	if s.pos >= len(s.data) {
		return errTruncated
	}
	return fmt.Errorf("unexpected %s at byte %d", strconv.QuoteRune(rune(c)), s.pos)
}
