package entry

import "strings"

// kind of a [node].
type kind uint8

const (
	kindText kind = iota // in quotes
	kindWord             // without
	kindList
	kindObject
)

// node is a value of something like JSON. It is at most [maxDepth] deep.
type node struct {
	kind kind
	text string
	keys []string // of an object, one for each of kids
	kids []*node
	line int
}

// field returns the first of an object's fields that has one of the names.
func (n *node) field(names ...string) *node {
	for _, name := range names {
		for i, key := range n.keys {
			if key == name {
				return n.kids[i]
			}
		}
	}
	return nil
}

// loose parses what people write in READMEs in place of JSON, JavaScript or
// TOML: with comments, trailing commas, missing quotes, "...", and unbalanced
// braces. It never fails; it keeps what it understands.
type loose struct {
	text   string
	at     int
	line   int
	budget *int

	stack []*node // the open lists and objects; the first is the text itself
	done  []*node // top-level fields before one of them was repeated
	keyed []frame
	over  int // open brackets that are too deep to be kept
}

// frame is the state of an open object.
type frame struct {
	last    *node  // a scalar that may turn out to be a key
	pending string // the key whose value comes next
	waiting bool
}

// readLoose returns the objects at the top of text. Fields outside of any
// braces count as an object of their own.
func readLoose(text string, line int, budget *int) []*node {
	p := &loose{text: text, line: line, budget: budget}
	p.push(&node{kind: kindObject, line: line})
	for p.at < len(p.text) && *p.budget > 0 {
		p.step()
	}
	p.flush()
	return p.done
}

func (p *loose) step() {
	c := p.text[p.at]
	rest := p.text[p.at:]
	switch {
	case c == '\n':
		p.line++
		p.at++
	case c == '#' || strings.HasPrefix(rest, "//"):
		p.skipTo("\n", 0)
	case strings.HasPrefix(rest, "/*"):
		p.skipTo("*/", 2)
	case c == '[' && p.header():
	case c == '{':
		p.open(kindObject)
	case c == '[':
		p.open(kindList)
	case c == '}':
		p.close(kindObject)
	case c == ']':
		p.close(kindList)
	case strings.HasPrefix(rest, "=>"):
		p.at += 2
	case c == ':' || c == '=':
		p.at++
		p.colon()
	case c == ',':
		p.at++
		p.top().last = nil
	case c == '"' || p.startsQuote(c):
		p.quoted(c)
	default:
		p.word()
	}
}

// startsQuote distinguishes a quotation mark from an apostrophe, from the shell
// quotes around JSON, and from Markdown's backticks.
func (p *loose) startsQuote(c byte) bool {
	next := byte(0)
	if p.at+1 < len(p.text) {
		next = p.text[p.at+1]
	}
	switch c {
	case '\'':
		return next != '{' && next != '['
	case '`':
		return p.top().waiting || p.stack[len(p.stack)-1].kind == kindList
	}
	return false
}

func (p *loose) top() *frame { return &p.keyed[len(p.keyed)-1] }

func (p *loose) push(n *node) {
	p.stack = append(p.stack, n)
	p.keyed = append(p.keyed, frame{})
}

func (p *loose) pop() {
	p.stack = p.stack[:len(p.stack)-1]
	p.keyed = p.keyed[:len(p.keyed)-1]
}

func (p *loose) open(k kind) {
	p.at++
	if len(p.stack) == maxDepth {
		p.over++
		return
	}
	n := &node{kind: k, line: p.line}
	p.add(n)
	p.push(n)
}

// close ends the innermost list or object of the kind, with everything that is
// open inside.
func (p *loose) close(k kind) {
	p.at++
	if p.over > 0 {
		p.over--
		return
	}
	for i := len(p.stack) - 1; i > 0; i-- {
		if p.stack[i].kind == k {
			for len(p.stack) > i {
				p.pop()
			}
			return
		}
	}
}

func (p *loose) colon() {
	f := p.top()
	if f.last != nil && p.stack[len(p.stack)-1].kind == kindObject {
		f.pending, f.waiting, f.last = f.last.text, true, nil
	}
}

// add adds a value to the innermost open list or object.
func (p *loose) add(n *node) {
	*p.budget--
	to, f := p.stack[len(p.stack)-1], p.top()
	switch {
	case to.kind == kindList:
		to.kids = append(to.kids, n)
	case f.waiting:
		if len(p.stack) == 1 && begins(f.pending) && to.field(f.pending) != nil {
			p.flush()
			to = p.stack[0]
		}
		to.keys, to.kids = append(to.keys, f.pending), append(to.kids, n)
		f.waiting = false
	case n.kind <= kindWord && !strings.HasPrefix(n.text, "{"):
		f.last = n
	default:
		to.keys, to.kids = append(to.keys, ""), append(to.kids, n)
	}
}

// begins reports whether a repeated field outside of braces belongs to another
// server. Only these fields are checked, so that a text of nothing but fields
// does not take quadratic time.
func begins(key string) bool { return key == "command" || key == "args" || key == "env" }

// flush ends the top-level object, and begins another.
func (p *loose) flush() {
	if len(p.stack[0].keys) > 0 {
		p.done = append(p.done, p.stack[0])
	}
	p.stack[0] = &node{kind: kindObject, line: p.line}
}

// header reads a line like [mcp_servers.name] or [mcp_servers.name.env].
func (p *loose) header() bool {
	before := strings.TrimRight(p.text[max(0, p.at-64):p.at], " \t")
	if before != "" && !strings.HasSuffix(before, "\n") {
		return false
	}
	line, _, _ := strings.Cut(p.text[p.at:min(len(p.text), p.at+200)], "\n")
	name := strings.TrimSpace(line)
	name, ok := strings.CutSuffix(name, "]")
	name = strings.TrimLeft(name, "[")
	if !ok || !strings.HasPrefix(name, "mcp") || strings.ContainsAny(name, " ,{}:") {
		return false
	}
	for len(p.stack) > 1 {
		p.pop()
	}
	p.over = 0
	p.at += len(line)
	*p.top() = frame{}
	if strings.HasSuffix(name, ".env") {
		p.top().pending, p.top().waiting = "env", true
		n := &node{kind: kindObject, line: p.line}
		p.add(n)
		p.push(n)
		return true
	}
	p.flush()
	return true
}
