package jsonrpc

import "bytes"

// maxDepth is the deepest nesting that is accepted as a message.
// no gap: a deeper message is malformed output, which is an event
const maxDepth = 256

// verdict is the state of a [scanner] after the bytes so far.
type verdict uint8

const (
	scanMore verdict = iota // a prefix of a JSON object or array
	scanDone                // complete with this byte
	scanBad                 // not JSON
	scanDeep                // nested deeper than maxDepth
)

type scanState uint8

const (
	wantValue scanState = iota
	wantValueOrEnd
	wantKey
	wantKeyOrEnd
	wantColon
	wantCommaOrEnd
	inString
	inEscape
	inHex
	inLiteral
	// The states of a number, all above inLiteral.
	numMinus
	numZero
	numInt
	numPoint
	numFraction
	numE
	numSign
	numExponent
)

// scanner recognises one JSON object or array byte by byte. encoding/json
// cannot continue an incomplete value without reading it from the start, and a
// message in a million lines must not be read a million times.
type scanner struct {
	state   scanState
	stack   []byte // '{' and '['
	key     bool   // the string being read is a key
	hex     int    // hex digits still to come
	literal string // rest of true, false or null
}

// Single returns the one JSON object or array that data consists of, without a
// byte order mark and white space around it. Otherwise it returns data
// unchanged; deep says that it is nested too deeply.
func Single(data []byte) (value []byte, ok, deep bool) {
	trimmed := bytes.Trim(bytes.TrimPrefix(data, []byte("\ufeff")), Blanks)
	var scan scanner
	n, v := scan.run(trimmed)
	if v != scanDone || n != len(trimmed) {
		return data, false, v == scanDeep
	}
	return trimmed, true, false
}

func (s *scanner) reset() { *s = scanner{stack: s.stack[:0]} }

// run reads data until the value is complete or invalid and returns how many
// bytes it read.
func (s *scanner) run(data []byte) (int, verdict) {
	for i, c := range data {
		if v := s.step(c); v != scanMore {
			return i + 1, v
		}
	}
	return len(data), scanMore
}

func (s *scanner) step(c byte) verdict {
	switch {
	case s.state >= numMinus:
		return s.number(c)
	case s.state >= inString:
		return s.text(c)
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return scanMore
	}
	return s.structure(c)
}

func (s *scanner) structure(c byte) verdict {
	switch s.state {
	case wantCommaOrEnd:
		return s.separator(c)
	case wantColon:
		if c != ':' {
			return scanBad
		}
		s.state = wantValue
		return scanMore
	case wantKey, wantKeyOrEnd:
		if c == '}' && s.state == wantKeyOrEnd {
			return s.pop(c)
		}
		if c != '"' {
			return scanBad
		}
		s.state, s.key = inString, true
		return scanMore
	}
	if c == ']' && s.state == wantValueOrEnd {
		return s.pop(c)
	}
	return s.value(c)
}

func (s *scanner) value(c byte) verdict {
	switch {
	case c == '{' || c == '[':
		return s.push(c)
	case len(s.stack) == 0:
		return scanBad // a bare string or number is not a message
	case c == '"':
		s.state, s.key = inString, false
	case c == '-':
		s.state = numMinus
	case c == '0':
		s.state = numZero
	case isDigit(c):
		s.state = numInt
	case c == 't':
		s.state, s.literal = inLiteral, "rue"
	case c == 'f':
		s.state, s.literal = inLiteral, "alse"
	case c == 'n':
		s.state, s.literal = inLiteral, "ull"
	default:
		return scanBad
	}
	return scanMore
}

func (s *scanner) push(c byte) verdict {
	if len(s.stack) == maxDepth {
		return scanDeep
	}
	s.stack = append(s.stack, c)
	s.state = wantValueOrEnd
	if c == '{' {
		s.state = wantKeyOrEnd
	}
	return scanMore
}

func (s *scanner) separator(c byte) verdict {
	switch {
	case c == '}' || c == ']':
		return s.pop(c)
	case c != ',':
		return scanBad
	case s.top() == '{':
		s.state = wantKey
	default:
		s.state = wantValue
	}
	return scanMore
}

func (s *scanner) pop(c byte) verdict {
	if (c == '}') != (s.top() == '{') {
		return scanBad
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.state = wantCommaOrEnd
	if len(s.stack) == 0 {
		return scanDone
	}
	return scanMore
}

// top returns the innermost bracket; the stack must not be empty.
func (s *scanner) top() byte { return s.stack[len(s.stack)-1] }

func (s *scanner) text(c byte) verdict {
	switch s.state {
	case inEscape:
		return s.escape(c)
	case inHex:
		if !isHex(c) {
			return scanBad
		}
		if s.hex--; s.hex == 0 {
			s.state = inString
		}
		return scanMore
	case inLiteral:
		if c != s.literal[0] {
			return scanBad
		}
		if s.literal = s.literal[1:]; s.literal == "" {
			s.state = wantCommaOrEnd
		}
		return scanMore
	}
	switch {
	case c == '\\':
		s.state = inEscape
	case c < ' ':
		return scanBad
	case c == '"' && s.key:
		s.state = wantColon
	case c == '"':
		s.state = wantCommaOrEnd
	}
	return scanMore
}

func (s *scanner) escape(c byte) verdict {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.state = inString
	case 'u':
		s.state, s.hex = inHex, 4
	default:
		return scanBad
	}
	return scanMore
}

func (s *scanner) number(c byte) verdict {
	next, ends := numberState(s.state, c)
	switch {
	case next != 0:
		s.state = next
		return scanMore
	case !ends:
		return scanBad
	}
	s.state = wantCommaOrEnd
	return s.step(c)
}

// numberState returns the state that c leads to, 0 for none, and whether a
// number may end in the present state.
func numberState(state scanState, c byte) (next scanState, ends bool) {
	switch state {
	case numMinus:
		if c == '0' {
			return numZero, false
		}
		return digitState(c, numInt), false
	case numZero:
		return fractionState(c), true
	case numInt:
		if isDigit(c) {
			return numInt, true
		}
		return fractionState(c), true
	case numPoint:
		return digitState(c, numFraction), false
	case numFraction:
		if c == 'e' || c == 'E' {
			return numE, true
		}
		return digitState(c, numFraction), true
	case numE:
		if c == '+' || c == '-' {
			return numSign, false
		}
		return digitState(c, numExponent), false
	case numSign:
		return digitState(c, numExponent), false
	}
	return digitState(c, numExponent), true
}

func fractionState(c byte) scanState {
	switch c {
	case '.':
		return numPoint
	case 'e', 'E':
		return numE
	}
	return 0
}

func digitState(c byte, state scanState) scanState {
	if isDigit(c) {
		return state
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
