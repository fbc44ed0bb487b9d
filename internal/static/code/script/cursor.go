package script

import (
	"sort"
	"strings"
	"unsafe"

	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// converter turns the parser's tree into ours. The parser's tree has no
// positions: literals are slices of the source, so their position is known;
// identifiers are searched for after the last known position.
type converter struct {
	src   []byte
	x     *index
	m     *sourceMap
	at    int // last known position
	depth int
}

func newConverter(src []byte, x *index, m *sourceMap) *converter {
	return &converter{src: src, x: x, m: m}
}

// literal finds the position of a slice of the source.
func (c *converter) literal(data []byte) {
	if len(data) == 0 || len(c.src) == 0 {
		return
	}
	off := int(uintptr(unsafe.Pointer(unsafe.SliceData(data))) - uintptr(unsafe.Pointer(unsafe.SliceData(c.src))))
	if off >= 0 && off < len(c.src) {
		c.at = off + len(data)
	}
}

// ident finds the next occurrence of a name.
func (c *converter) ident(name string) {
	places := c.x.places[name]
	i := sort.Search(len(places), func(i int) bool { return int(places[i]) >= c.at })
	if i < len(places) {
		c.at = int(places[i]) + len(name)
	}
}

// line returns the current line.
func (c *converter) line() int {
	at := max(0, c.at-1)
	l := c.x.line(at)
	if c.m == nil {
		return l
	}
	return c.m.original(l, at-int(c.x.lines[l-1]))
}

func (c *converter) node(k syntax.Kind, text string, kids ...*syntax.Node) *syntax.Node {
	return &syntax.Node{Kind: k, Text: text, Line: c.line(), Kids: kids}
}

func (c *converter) name(v *js.Var) *syntax.Node {
	if v == nil {
		return nil
	}
	s := string(v.Name())
	c.ident(s)
	return c.node(syntax.Name, unescapeName(s))
}

// unescapeName resolves \u0065 in identifiers.
func unescapeName(s string) string {
	if strings.Contains(s, `\`) {
		return cook(s)
	}
	return s
}
