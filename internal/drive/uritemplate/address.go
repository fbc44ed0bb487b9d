// Package uritemplate handles resource addresses: RFC 6570 templates, and plain
// addresses with parts that can be replaced. A template or address and values
// go in; an address comes out.
//
// Templates come from the server and are hostile. An invalid expression is kept
// as plain text.
package uritemplate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of a template.
// no gap: bounds the places of attacks in an address
const (
	maxTemplate  = 4 << 10
	maxVariables = 16
	maxPieces    = 3
)

// Template is an address with variables.
type Template struct{ parts []part }

// part is text, or an expression with variables.
type part struct {
	text     string
	operator byte // 0 for none
	names    []string
}

// expression matches an RFC 6570 expression.
var expression = lazyregexp.New(`\{([+#./;?&]?)([A-Za-z0-9_.%-]+(?::[0-9]{1,4}|\*)?(?:,[A-Za-z0-9_.%-]+(?::[0-9]{1,4}|\*)?)*)\}`)

// Parse reads a template.
func Parse(text string) Template {
	text = text[:min(len(text), maxTemplate)]
	var t Template
	count, at := 0, 0
	for _, m := range expression.FindAllStringSubmatchIndex(text, -1) {
		p := part{}
		if m[3] > m[2] {
			p.operator = text[m[2]]
		}
		for name := range strings.SplitSeq(text[m[4]:m[5]], ",") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			p.names = append(p.names, name)
		}
		if count += len(p.names); count > maxVariables {
			break
		}
		t.parts = append(t.parts, part{text: text[at:m[0]]}, p)
		at = m[1]
	}
	t.parts = append(t.parts, part{text: text[at:]})
	return t
}

// Variables returns the variable names, each once.
func (t Template) Variables() []string {
	var list []string
	for _, p := range t.parts {
		for _, name := range p.names {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// Expand inserts values. Encoded is how a client does it; otherwise the values
// are inserted unchanged, as a model writes an address.
func (t Template) Expand(values map[string]string, encoded bool) string {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		p.expand(&b, values, encoded)
	}
	return b.String()
}

func (p *part) expand(b *strings.Builder, values map[string]string, encoded bool) {
	first, separator := "", ","
	switch p.operator {
	case '#':
		first = "#"
	case '.', '/', ';':
		first, separator = string(p.operator), string(p.operator)
	case '?', '&':
		first, separator = string(p.operator), "&"
	}
	for i, name := range p.names {
		if i == 0 {
			b.WriteString(first)
		} else {
			b.WriteString(separator)
		}
		if p.operator != 0 && strings.IndexByte(";?&", p.operator) >= 0 {
			b.WriteString(name + "=")
		}
		switch {
		case !encoded:
			b.WriteString(values[name])
		case p.operator == '+' || p.operator == '#':
			encode(b, values[name], reserved)
		default:
			encode(b, values[name], "")
		}
	}
}

// reserved are the characters that the operator + leaves unencoded.
const reserved = ":/?#[]@!$&'()*+,;="

func encode(b *strings.Builder, value, keep string) {
	const digits = "0123456789ABCDEF"
	for i := range len(value) {
		c := value[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
}

// Match returns the values that an address was expanded with, undecoded.
func (t Template) Match(uri string) (map[string]string, bool) {
	if len(uri) > maxTemplate {
		return nil, false
	}
	var pattern strings.Builder
	pattern.WriteString("^")
	for _, p := range t.parts {
		pattern.WriteString(regexp.QuoteMeta(p.text))
		switch {
		case len(p.names) > 1 || p.operator != 0 && p.operator != '+':
			return nil, false // rare; not worth solving
		case p.operator == '+':
			pattern.WriteString("(.+)")
		case len(p.names) == 1:
			pattern.WriteString("([^/?#]+)")
		}
	}
	pattern.WriteString("$")
	match, err := regexp.Compile(pattern.String())
	if err != nil {
		return nil, false
	}
	found := match.FindStringSubmatch(uri)
	if found == nil {
		return nil, false
	}
	values, i := map[string]string{}, 0
	for _, p := range t.parts {
		for _, name := range p.names {
			i++
			values[name] = found[i]
		}
	}
	return values, true
}
