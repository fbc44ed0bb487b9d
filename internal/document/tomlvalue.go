package document

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func (p *tomlParser) value(depth int) (Value, error) {
	p.blanks(false)
	if p.count++; p.count > MaxValues {
		return Value{}, errMany
	}
	if depth > MaxDepth {
		return Value{}, errDeep
	}
	if p.in == "" {
		return Value{}, errEnd
	}
	switch c := p.in[0]; c {
	case '[':
		return p.array(depth)
	case '{':
		return p.inline(depth)
	case '"', '\'':
		s, err := p.quoted(c)
		return Value{kind: text, text: s}, err
	}
	n := strings.IndexAny(p.in, ",]}#\r\n")
	if n < 0 {
		n = len(p.in)
	}
	w := strings.TrimRight(p.in[:n], " \t")
	if w == "" {
		return Value{}, errTOML
	}
	p.in = p.in[n:]
	return Value{kind: word, text: w}, nil
}

func (p *tomlParser) array(depth int) (Value, error) {
	v := Value{kind: list}
	p.in = p.in[1:]
	for {
		if p.closed(']') {
			return v, nil
		}
		item, err := p.value(depth + 1)
		if item.kind != none {
			v.add("", item)
		}
		if err != nil {
			return v, err
		}
		if err := p.comma(']'); err != nil {
			return v, err
		}
	}
}

func (p *tomlParser) inline(depth int) (Value, error) {
	v := Value{kind: object}
	p.in = p.in[1:]
	for {
		if p.closed('}') {
			return v, nil
		}
		if err := p.pair(&v, depth+1); err != nil {
			return v, err
		}
		if err := p.comma('}'); err != nil {
			return v, err
		}
	}
}

// closed steps over the bracket that ends a list.
func (p *tomlParser) closed(bracket byte) bool {
	p.blanks(true)
	if p.in == "" || p.in[0] != bracket {
		return false
	}
	p.in = p.in[1:]
	return true
}

// comma steps over the comma between two values of a list.
func (p *tomlParser) comma(bracket byte) error {
	p.blanks(true)
	switch {
	case p.in == "":
		return errEnd
	case p.in[0] == ',':
		p.in = p.in[1:]
		return nil
	case p.in[0] == bracket:
		return nil
	}
	return errTOML
}

// quoted reads a string of one line or of several.
func (p *tomlParser) quoted(quote byte) (string, error) {
	three := strings.Repeat(string(quote), 3)
	if !strings.HasPrefix(p.in, three) {
		return p.line(quote)
	}
	body := strings.TrimPrefix(strings.TrimPrefix(p.in[3:], "\r"), "\n")
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && quote == '"':
			i++
		case strings.HasPrefix(body[i:], three):
			// Up to two quotes more belong to the text.
			for n := 0; n < 2 && strings.HasPrefix(body[i+1:], three); n++ {
				i++
			}
			p.in = body[i+3:]
			return unescape(body[:i], quote)
		}
	}
	return "", errString
}

// line reads a string that ends in its line.
func (p *tomlParser) line(quote byte) (string, error) {
	body := p.in[1:]
	for i := 0; i < len(body) && body[i] != '\n'; i++ {
		switch {
		case body[i] == '\\' && quote == '"':
			i++
		case body[i] == quote:
			p.in = body[i+1:]
			return unescape(body[:i], quote)
		}
	}
	return "", errString
}

// unescape resolves the escapes of a basic string.
func unescape(s string, quote byte) (string, error) {
	if quote != '"' || !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for {
		n := strings.IndexByte(s, '\\')
		if n < 0 || n+1 == len(s) {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:n])
		s = s[n+1:]
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
		switch i := strings.IndexByte(`"\bfnrte`, s[0]); {
		case i >= 0:
			b.WriteByte("\"\\\b\f\n\r\t\x1b"[i])
			s = s[1:]
		case digits > 0 && len(s) > digits:
			r, err := strconv.ParseUint(s[1:1+digits], 16, 32)
			if err != nil || r > utf8.MaxRune {
				return "", errTOML
			}
			b.WriteRune(rune(r))
			s = s[1+digits:]
		case strings.TrimLeft(s, " \t\r\n") != s:
			s = strings.TrimLeft(s, " \t\r\n") // the line goes on
		default:
			return "", errTOML
		}
	}
}
