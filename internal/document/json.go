package document

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON reads one JSON text.
func JSON(data []byte) (*Value, error) { return readJSON(data, false) }

// JSONC reads JSON with comments and commas at the end of lists.
func JSONC(data []byte) (*Value, error) { return readJSON(data, true) }

func readJSON(data []byte, comments bool) (*Value, error) {
	whole := strings.TrimPrefix(string(data), "\ufeff")
	p := &jsonParser{in: whole, comments: comments}
	v, err := p.value(0)
	if err == nil {
		if p.blanks(); p.in != "" {
			err = errors.New("something follows its end")
		}
	}
	if err != nil {
		return &v, at(err, whole, p.in)
	}
	return &v, nil
}

var errJSON = errors.New("it is not JSON")

type jsonParser struct {
	in       string // what is left
	count    int
	comments bool
}

func (p *jsonParser) value(depth int) (Value, error) {
	p.blanks()
	if p.count++; p.count > MaxValues {
		return Value{}, errMany
	}
	if p.in == "" {
		return Value{}, errEnd
	}
	switch p.in[0] {
	case '{':
		return p.sequence(Value{kind: object}, '}', depth)
	case '[':
		return p.sequence(Value{kind: list}, ']', depth)
	case '"':
		s, err := p.quoted()
		return Value{kind: text, text: s}, err
	}
	n := strings.IndexFunc(p.in, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && r != '-' && r != '+' && r != '.' && r != 'E'
	})
	if n < 0 {
		n = len(p.in)
	}
	w := p.in[:n]
	if !strings.ContainsAny(w, "0123456789") && w != "true" && w != "false" && w != "null" {
		return Value{}, errJSON
	}
	p.in = p.in[n:]
	if w == "null" {
		return Value{}, nil
	}
	return Value{kind: word, text: w}, nil
}

// sequence reads an object or a list, up to its closing bracket.
func (p *jsonParser) sequence(v Value, end byte, depth int) (Value, error) {
	if depth >= MaxDepth {
		return v, errDeep
	}
	p.in = p.in[1:]
	for first := true; ; first = false {
		switch p.blanks(); {
		case p.in == "":
			return v, errEnd
		case p.in[0] == end && (first || p.comments):
			p.in = p.in[1:]
			return v, nil
		}
		key := ""
		if v.kind == object {
			var err error
			if key, err = p.key(); err != nil {
				return v, err
			}
		}
		item, err := p.value(depth + 1)
		if item.kind != none || err == nil {
			v.add(key, item)
		}
		if err != nil {
			return v, err
		}
		switch p.blanks(); {
		case p.in == "":
			return v, errEnd
		case p.in[0] == end:
			p.in = p.in[1:]
			return v, nil
		case p.in[0] != ',':
			return v, errJSON
		}
		p.in = p.in[1:]
	}
}

func (p *jsonParser) key() (string, error) {
	if p.in[0] != '"' {
		return "", errJSON
	}
	key, err := p.quoted()
	if err != nil {
		return "", err
	}
	if p.blanks(); p.in == "" {
		return "", errEnd
	}
	if p.in[0] != ':' {
		return "", errJSON
	}
	p.in = p.in[1:]
	return key, nil
}

// quoted reads a string. One without escapes shares the memory of the
// document.
func (p *jsonParser) quoted() (string, error) {
	body := p.in[1:]
	n := strings.IndexAny(body, "\"\\\n")
	if n < 0 {
		return "", errEnd
	}
	if body[n] == '"' {
		p.in = body[n+1:]
		return body[:n], nil
	}
	var b strings.Builder
	for {
		n := strings.IndexAny(body, "\"\\\n")
		if n < 0 {
			return "", errEnd
		}
		b.WriteString(body[:n])
		switch c := body[n]; {
		case c == '"':
			p.in = body[n+1:]
			return b.String(), nil
		case c == '\n' || n+1 == len(body):
			return "", errJSON
		}
		used, r := escape(body[n+1:])
		if used == 0 {
			return "", errJSON
		}
		b.WriteRune(r)
		body = body[n+1+used:]
	}
}

// escape decodes what follows a backslash, and says how long it was; 0 if it
// is nothing that JSON knows.
func escape(s string) (int, rune) {
	if i := strings.IndexByte(`"\/bfnrt`, s[0]); i >= 0 {
		return 1, rune("\"\\/\b\f\n\r\t"[i])
	}
	r, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return 5, r
	}
	if len(s) > 6 && s[5] == '\\' {
		if low, ok := unit(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return 11, pair
			}
		}
	}
	return 5, utf8.RuneError
}

// unit decodes "u" and four digits.
func unit(s string) (rune, bool) {
	if len(s) < 5 || s[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:5], 16, 16)
	return rune(n), err == nil
}

// blanks steps over white space and, where they are allowed, comments.
func (p *jsonParser) blanks() {
	for {
		p.in = strings.TrimLeft(p.in, " \t\r\n")
		if !p.comments || len(p.in) < 2 || p.in[0] != '/' {
			return
		}
		end := "\n"
		switch p.in[1] {
		case '/':
		case '*':
			end = "*/"
		default:
			return
		}
		n := strings.Index(p.in[2:], end)
		if n < 0 {
			p.in = ""
			return
		}
		p.in = p.in[2+n+len(end):]
	}
}
