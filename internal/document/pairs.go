package document

import (
	"slices"
	"strconv"
	"strings"
)

// Pair is one string of a document, or the strings of a list, with the keys that
// lead to it.
type Pair struct {
	Path  []string
	Value string
	List  []string // not nil for a list
}

// Pairs are all strings of an object and of the objects in it, in the order of
// the document. Numbers, dates and truth values are left out; objects in a list
// count as if they stood in its place.
func (v *Value) Pairs() []Pair {
	var all []Pair
	v.pairs(nil, &all)
	return all
}

func (v *Value) pairs(path []string, all *[]Pair) {
	for key, of := range v.Fields() {
		below := slices.Concat(path, []string{key})
		switch of.kind {
		case text:
			*all = append(*all, Pair{Path: below, Value: of.text})
		case object:
			of.pairs(below, all)
		case list:
			tables := false
			for item := range of.Items() {
				if item.kind == object {
					tables = true
					item.pairs(below, all)
				}
			}
			if texts := of.Texts(); len(texts) > 0 || !tables {
				*all = append(*all, Pair{Path: below, List: append([]string{}, texts...)})
			}
		}
	}
}

// Unescape resolves the escapes that a quoted string can have. What it does not
// know stays as it is.
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
