package sbom

import (
	_ "embed"
	"strings"
)

// The SPDX licence list.
var (
	//go:embed licences.txt
	licenceNames string
	//go:embed exceptions.txt
	exceptionNames string
)

// list holds the identifiers of the SPDX licence list, keyed by lower case.
type list struct {
	licences, exceptions map[string]string
	// late are identifiers that readers of CycloneDX may not know.
	late map[string]bool
}

func newList() list {
	l := list{licences: make(map[string]string), exceptions: make(map[string]string), late: make(map[string]bool)}
	for id := range strings.FieldsSeq(licenceNames) {
		id, late := strings.CutSuffix(id, "*")
		l.licences[strings.ToLower(id)] = id
		l.late[id] = late
	}
	for id := range strings.FieldsSeq(exceptionNames) {
		l.exceptions[strings.ToLower(id)] = id
	}
	return l
}

// maxNesting bounds brackets in a licence expression.
// no gap: bounds the bill of materials; the inspection has everything
const maxNesting = 32

// expression returns an SPDX licence expression in canonical form, and false if
// the text is not one.
func (l list) expression(s string) (string, bool) {
	if len(s) > maxText {
		return "", false
	}
	s = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(s)
	p := &licenceParser{words: strings.Fields(s), list: l}
	out, ok := p.either(0)
	return out, ok && len(p.words) == 0
}

// licenceParser reads AND, OR, WITH and brackets.
type licenceParser struct {
	words []string
	list  list
}

func (p *licenceParser) next(word string) bool {
	if len(p.words) == 0 || !strings.EqualFold(p.words[0], word) {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *licenceParser) either(depth int) (string, bool) {
	return p.chain("OR", func() (string, bool) {
		return p.chain("AND", func() (string, bool) { return p.one(depth) })
	})
}

func (p *licenceParser) chain(word string, read func() (string, bool)) (string, bool) {
	out, ok := read()
	for ok && p.next(word) {
		var more string
		more, ok = read()
		out += " " + word + " " + more
	}
	return out, ok
}

func (p *licenceParser) one(depth int) (string, bool) {
	if depth > maxNesting {
		return "", false
	}
	if p.next("(") {
		out, ok := p.either(depth + 1)
		return "(" + out + ")", ok && p.next(")")
	}
	if len(p.words) == 0 {
		return "", false
	}
	id, ok := p.licence(p.words[0])
	p.words = p.words[1:]
	if !ok || !p.next("WITH") {
		return id, ok
	}
	if len(p.words) == 0 {
		return "", false
	}
	exception, ok := p.list.exceptions[strings.ToLower(p.words[0])]
	p.words = p.words[1:]
	return id + " WITH " + exception, ok
}

func (p *licenceParser) licence(word string) (string, bool) {
	if id, ok := p.list.licences[strings.ToLower(word)]; ok {
		return id, true
	}
	// Readers do not agree on "+" after other identifiers.
	bare, _ := strings.CutSuffix(word, "+")
	id, ok := p.list.licences[strings.ToLower(bare)+"-or-later"]
	return id, ok && bare != word
}
