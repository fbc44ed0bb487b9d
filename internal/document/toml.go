package document

import (
	"errors"
	"strings"
)

var (
	errTOML    = errors.New("it is not TOML")
	errNewline = errors.New("something follows the value")
	errString  = errors.New("a string has no end")
)

// TOML reads a TOML file. A table that is opened twice is one table, and of a
// key that is given twice the last value counts: whether the file is as strict
// as the language is not asked.
func TOML(data []byte) (*Value, error) {
	whole := strings.TrimPrefix(string(data), "\ufeff")
	p := &tomlParser{in: whole}
	root := &Value{kind: object}
	table := root
	for {
		p.blanks(true)
		if p.in == "" {
			return root, nil
		}
		var err error
		if p.in[0] == '[' {
			table, err = p.header(root)
		} else {
			err = p.pair(table, 0)
		}
		if err == nil {
			err = p.endOfLine()
		}
		if err != nil {
			return root, at(err, whole, p.in)
		}
	}
}

type tomlParser struct {
	in    string // what is left
	count int
}

// header reads "[a.b]" or "[[a.b]]" and returns the table that is meant.
func (p *tomlParser) header(root *Value) (*Value, error) {
	bracket := 1
	if strings.HasPrefix(p.in, "[[") {
		bracket = 2
	}
	p.in = p.in[bracket:]
	path, err := p.path()
	if err != nil {
		return root, err
	}
	if !strings.HasPrefix(p.in, "]]"[:bracket]) {
		return root, errTOML
	}
	p.in = p.in[bracket:]
	last := path[len(path)-1]
	if bracket == 1 {
		return p.table(root, path)
	}
	parent, err := p.table(root, path[:len(path)-1])
	if err != nil {
		return root, err
	}
	tables := parent.field(last)
	if tables == nil || tables.kind != list {
		if tables, err = p.put(parent, last, Value{kind: list}); err != nil {
			return root, err
		}
	}
	if p.count++; p.count > MaxValues {
		return root, errMany
	}
	tables.add("", Value{kind: object})
	return &tables.values[len(tables.values)-1], nil
}

// table follows the path, and makes the tables that are missing. A list of
// tables stands for the last of them.
func (p *tomlParser) table(v *Value, path []string) (*Value, error) {
	for _, key := range path {
		next := v.field(key)
		if next != nil && next.kind == list && len(next.values) > 0 {
			next = &next.values[len(next.values)-1]
		}
		if next == nil || next.kind != object {
			var err error
			if next, err = p.put(v, key, Value{kind: object}); err != nil {
				return v, err
			}
		}
		v = next
	}
	return v, nil
}

// put adds a value to a table. Only TOML is built by name, in any order, so
// its larger tables have an index.
func (p *tomlParser) put(table *Value, key string, v Value) (*Value, error) {
	const indexed = 16
	if p.count++; p.count > MaxValues {
		return nil, errMany
	}
	if table.index == nil && len(table.keys) >= indexed {
		table.index = make(map[string]int, 2*indexed)
		for i, k := range table.keys {
			table.index[k] = i
		}
	}
	table.add(key, v)
	return &table.values[len(table.values)-1], nil
}

// pair reads "a.b = value" into the table.
func (p *tomlParser) pair(table *Value, depth int) error {
	path, err := p.path()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(p.in, "=") {
		return errTOML
	}
	p.in = p.in[1:]
	parent, err := p.table(table, path[:len(path)-1])
	if err != nil {
		return err
	}
	v, err := p.value(depth)
	if v.kind == none {
		return err
	}
	if _, full := p.put(parent, path[len(path)-1], v); full != nil {
		return full
	}
	return err
}

// path reads the keys of "a.'b c'.d" and the blanks around them.
func (p *tomlParser) path() ([]string, error) {
	var path []string
	for {
		p.blanks(false)
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		if path = append(path, key); len(path) > MaxDepth {
			return nil, errDeep
		}
		p.blanks(false)
		if !strings.HasPrefix(p.in, ".") {
			return path, nil
		}
		p.in = p.in[1:]
	}
}

func (p *tomlParser) key() (string, error) {
	if p.in == "" {
		return "", errEnd
	}
	if c := p.in[0]; c == '"' || c == '\'' {
		return p.line(c)
	}
	n := strings.IndexFunc(p.in, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	if n < 0 {
		return "", errEnd
	}
	if n == 0 {
		return "", errTOML
	}
	key := p.in[:n]
	p.in = p.in[n:]
	return key, nil
}

// blanks steps over white space and comments, of several lines if lines is set.
func (p *tomlParser) blanks(lines bool) {
	for {
		p.in = strings.TrimLeft(p.in, " \t")
		switch {
		case !lines || p.in == "":
			return
		case p.in[0] == '#':
			n := strings.IndexByte(p.in, '\n')
			if n < 0 {
				n = len(p.in)
			}
			p.in = p.in[n:]
		case p.in[0] == '\n' || p.in[0] == '\r':
			p.in = p.in[1:]
		default:
			return
		}
	}
}

func (p *tomlParser) endOfLine() error {
	p.blanks(false)
	if p.in == "" || p.in[0] == '\n' || p.in[0] == '\r' || p.in[0] == '#' {
		return nil
	}
	return errNewline
}
