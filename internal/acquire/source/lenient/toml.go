package lenient

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Pair is one value of a TOML file and the keys that lead to it: a string,
// or the strings of an array.
type Pair struct {
	Path  []string
	Value string
	List  []string // not nil for an array
}

// TOML reads the strings of a TOML file: in tables, in dotted keys, in
// inline tables and directly in arrays. Everything else is stepped over. It
// returns what it read up to the first mistake, and the mistake, which quotes
// nothing of the file.
//
// That is all a TOML file is asked for here, and it is little enough to be
// sure of on hostile input: no recursion beyond a fixed depth.
func TOML(data []byte) ([]Pair, error) {
	p := &tomlParser{in: string(data)}
	var table []string
	for {
		p.skip(" \t\r\n")
		switch {
		case p.in == "":
			return p.pairs, nil
		case strings.HasPrefix(p.in, "["):
			table = p.header()
		default:
			p.pair(table, 0)
			p.endOfLine()
		}
		if p.err != nil {
			line := 1 + strings.Count(string(data[:len(data)-len(p.in)]), "\n")
			return p.pairs, fmt.Errorf("line %d: %w", line, p.err)
		}
	}
}

// maxTOMLDepth bounds inline tables in inline tables.
const maxTOMLDepth = 16

// maxTOMLKeys bounds the keys of one path.
const maxTOMLKeys = 32

type tomlParser struct {
	in    string // what is left
	pairs []Pair
	err   error
}

func (p *tomlParser) fail(text string) {
	if p.err == nil {
		p.err = errors.New(text)
	}
}

// skip steps over blanks and comments.
func (p *tomlParser) skip(blanks string) {
	for {
		p.in = strings.TrimLeft(p.in, blanks)
		if !strings.HasPrefix(p.in, "#") {
			return
		}
		end := strings.IndexByte(p.in, '\n')
		if end < 0 {
			end = len(p.in)
		}
		p.in = p.in[end:]
	}
}

func (p *tomlParser) accept(s string) bool {
	rest, ok := strings.CutPrefix(p.in, s)
	p.in = rest
	return ok
}

func (p *tomlParser) endOfLine() {
	p.skip(" \t\r")
	if p.err == nil && p.in != "" && p.in[0] != '\n' {
		p.fail("something follows the value")
	}
}

// header reads [table] or [[array of tables]].
func (p *tomlParser) header() []string {
	closing := "]"
	if p.accept("["); p.accept("[") {
		closing = "]]"
	}
	keys := p.keys()
	if !p.accept(closing) {
		p.fail("a table's name has no end")
	}
	p.endOfLine()
	return keys
}

// keys reads a dotted key.
func (p *tomlParser) keys() []string {
	var keys []string
	for p.err == nil {
		p.skip(" \t")
		keys = append(keys, p.key())
		p.skip(" \t")
		if len(keys) > maxTOMLKeys {
			p.fail("a key has too many parts")
		}
		if !p.accept(".") {
			break
		}
	}
	return keys
}

func (p *tomlParser) key() string {
	if p.in != "" && (p.in[0] == '"' || p.in[0] == '\'') {
		return p.quoted()
	}
	end := strings.IndexFunc(p.in, func(r rune) bool {
		return !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end < 0 {
		end = len(p.in)
	}
	if end == 0 {
		p.fail("a key is expected")
	}
	key := p.in[:end]
	p.in = p.in[end:]
	return key
}

// pair reads key = value below table.
func (p *tomlParser) pair(table []string, depth int) {
	keys := p.keys()
	if p.err == nil && !p.accept("=") {
		p.fail("a key has no value")
	}
	if p.err != nil {
		return
	}
	p.skip(" \t")
	path := append(append(make([]string, 0, len(table)+len(keys)), table...), keys...)
	switch {
	case p.in == "":
		p.fail("a key has no value")
	case p.in[0] == '"' || p.in[0] == '\'':
		p.pairs = append(p.pairs, Pair{Path: path, Value: p.quoted()})
	case p.in[0] == '{':
		p.inlineTable(path, depth+1)
	case p.in[0] == '[':
		p.pairs = append(p.pairs, Pair{Path: path, List: p.array()})
	default:
		p.in = p.in[len(p.in)-len(strings.TrimLeft(p.in, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-_.: ")):]
	}
}

func (p *tomlParser) inlineTable(path []string, depth int) {
	if depth > maxTOMLDepth {
		p.fail("tables are nested too deeply")
		return
	}
	p.accept("{")
	for p.err == nil {
		p.skip(" \t\r\n")
		if p.accept("}") {
			return
		}
		p.pair(path, depth)
		p.skip(" \t\r\n")
		if !p.accept(",") && !strings.HasPrefix(p.in, "}") {
			p.fail("an inline table has no end")
		}
	}
}

// array returns the strings of an array and steps over the rest.
func (p *tomlParser) array() []string {
	list := []string{}
	open := 0
	for p.err == nil {
		p.skip(" \t\r\n")
		switch {
		case p.in == "":
			p.fail("an array has no end")
		case p.in[0] == '"' || p.in[0] == '\'':
			if s := p.quoted(); open == 1 {
				list = append(list, s)
			}
		default:
			switch p.in[0] {
			case '[', '{':
				open++
			case ']', '}':
				open--
			}
			p.in = p.in[1:]
			if open == 0 {
				return list
			}
		}
	}
	return list
}

// quoted reads any of the four kinds of strings.
func (p *tomlParser) quoted() string {
	quote := p.in[:1]
	literal := quote == "'"
	if long := strings.Repeat(quote, 3); strings.HasPrefix(p.in, long) {
		return p.body(long, literal)
	}
	return p.body(quote, literal)
}

func (p *tomlParser) body(quote string, literal bool) string {
	p.accept(quote)
	for i := 0; i < len(p.in); i++ {
		switch {
		case strings.HasPrefix(p.in[i:], quote):
			raw := p.in[:i]
			p.in = p.in[i+len(quote):]
			// A long string may end in one or two quotes of its own.
			for n := 0; n < 2 && len(quote) == 3 && p.accept(quote[:1]); n++ {
				raw += quote[:1]
			}
			if literal {
				return raw
			}
			return Unescape(raw)
		case p.in[i] == '\\' && !literal:
			i++
		case p.in[i] == '\n' && len(quote) == 1:
			p.fail("a string has no end")
			return ""
		}
	}
	p.fail("a string has no end")
	return ""
}

// Unescape resolves the escapes a basic string can have. What it does not
// know stays as it is: a name that needs it would match nothing anyway.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, _, rest, err := strconv.UnquoteChar(s, '"')
		if err != nil {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		b.WriteRune(r)
		s = rest
	}
	return b.String()
}
