package relational

import (
	"slices"
	"strings"
)

// maxDepth bounds how deep parentheses and operators stand in each other, maxNodes
// the size of a statement.
// no gap: the whole text is evidence; only its answer is an error
const (
	maxDepth = 48
	maxChain = 2000
	maxNodes = 12 << 10
)

// parser reads the tokens of one text.
type parser struct {
	engine Engine
	in     string
	list   []token
	at     int
	depth  int
	nodes  int
	params int
}

// The parts of the parser.
type (
	queryParser  struct{ *parser }
	exprParser   struct{ *parser }
	writeParser  struct{ *parser }
	defineParser struct{ *parser }
)

// failure is the error that ends a parse.
type failure struct{ err *Error }

// parse reads all statements of a text.
func (e Engine) parse(in string) (list []*statement, texts []string, err error) {
	tokens, err := e.tokens(in)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{engine: e, in: in, list: tokens}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			list, texts, err = nil, nil, p.excused(f.err)
		}
	}()
	for {
		for p.accept(";") {
		}
		if p.peek().kind == end {
			return list, texts, nil
		}
		began := p.peek().at
		st := p.statement()
		if t := p.peek(); t.kind != end && !p.is(";") {
			p.fail()
		}
		list, texts = append(list, st), append(texts, in[began:p.before()])
	}
}

// excused turns the failure at a construct that this parser does not know and
// a server does into a statement that is not supported; [Session] may answer it.
func (p *parser) excused(err *Error) *Error {
	t := p.peek()
	switch strings.ToLower(t.s) {
	case "window", "lateral", "tablesample", "grouping", "rollup", "cube", "match", "partition", "over", "within", "collate", "overlaps", "fetch":
		if t.kind == word {
			return &Error{State: "0A000", Number: 1235, Message: err.Message, At: err.At}
		}
	}
	return err
}

func (p *parser) peek() token { return p.list[min(p.at, len(p.list)-1)] }

func (p *parser) ahead(n int) token { return p.list[min(p.at+n, len(p.list)-1)] }

// before is where the last token ended.
func (p *parser) before() int { return p.list[max(p.at-1, 0)].end }

func (p *parser) fail() {
	panic(failure{p.engine.syntax(p.in, p.peek().at)})
}

func (p *parser) raise(err *Error) { panic(failure{err}) }

// is says whether the next tokens are these keywords or signs.
func (p *parser) is(words ...string) bool {
	for i, w := range words {
		if t := p.ahead(i); t.kind != word && t.kind != sign || !strings.EqualFold(t.s, w) {
			return false
		}
	}
	return true
}

// accept skips these keywords or signs if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.at += len(words)
	return true
}

// acceptAny skips the next token if it is one of these.
func (p *parser) acceptAny(words ...string) string {
	for _, w := range words {
		if p.accept(w) {
			return w
		}
	}
	return ""
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.fail()
		}
	}
}

// enter bounds recursion.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxDepth {
		p.raise(p.engine.problem("54001", 1436, "stack depth limit exceeded", "Thread stack overrun"))
	}
	return func() { p.depth-- }
}

// node counts a node and how deep it is.
func (p *parser) node(x *expr) *expr {
	for _, a := range x.args {
		x.depth = max(x.depth, a.depth+1)
	}
	if p.nodes++; p.nodes > maxNodes || x.depth > maxChain {
		p.raise(p.engine.problem("54001", 1436, "stack depth limit exceeded", "Thread stack overrun"))
	}
	return x
}

// fold is a name as the server compares it.
func (p *parser) fold(t token) string {
	if t.kind == word && p.engine == Postgres {
		return strings.ToLower(t.s)
	}
	return t.s
}

// reserved are the keywords that cannot be a name without quotes.
func reserved() []string {
	return []string{
		"select", "from", "where", "group", "having", "order", "limit", "offset", "union", "intersect", "except", "join", "inner", "left", "right",
		"full", "cross", "natural", "on", "using", "and", "or", "not", "in", "is", "null", "like", "between", "case", "when", "then", "else", "end", "as",
		"distinct", "insert", "into", "values", "update", "set", "delete", "create", "table", "drop", "alter", "returning", "with", "asc", "desc",
		"exists", "for", "window", "fetch", "lateral", "all", "any", "some", "primary", "references", "check", "unique", "constraint", "default",
		"foreign", "collate", "cast", "ilike", "rlike", "regexp", "similar", "div", "mod", "xor", "over", "to", "limit", "straight_join", "tablesample",
	}
}

func (p *parser) isReserved(t token) bool {
	return t.kind == word && slices.Contains(reserved(), strings.ToLower(t.s))
}

// name reads a name.
func (p *parser) name() string {
	t := p.peek()
	if t.kind != word && t.kind != quotedName || p.isReserved(t) {
		p.fail()
	}
	p.at++
	return p.fold(t)
}

// anyName reads a name that may be a keyword: what follows a point or AS.
func (p *parser) anyName() string {
	t := p.peek()
	if t.kind != word && t.kind != quotedName && (t.kind != text || p.engine != MySQL) {
		p.fail()
	}
	p.at++
	return p.fold(t)
}

// table reads a name that may have a schema, and a database before it.
func (p *parser) table() (schema, name string) {
	name = p.name()
	for p.accept(".") {
		schema, name = name, p.anyName()
	}
	return schema, name
}

// names reads a list of names in parentheses.
func (p *parser) names() []string {
	var list []string
	p.expect("(")
	for {
		list = append(list, p.anyName())
		if p.accept("(") { // the length of an index's prefix
			p.skip()
		}
		p.acceptAny("asc", "desc")
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return list
}

// skip passes over what is in parentheses whose first is read.
func (p *parser) skip() {
	for depth := 1; depth > 0; p.at++ {
		switch {
		case p.peek().kind == end:
			p.fail()
		case p.is("("):
			depth++
		case p.is(")"):
			depth--
		}
	}
}

// rest skips to the end of the statement and returns its words.
func (p *parser) rest() []string {
	var list []string
	for p.peek().kind != end && !p.is(";") {
		t := p.peek()
		list = append(list, p.fold(t))
		p.at++
	}
	return list
}

// statement reads one statement.
func (p *parser) statement() *statement {
	defer p.enter()()
	switch {
	case p.is("select"), p.is("values"), p.is("("), p.is("table") && p.engine == Postgres:
		return &statement{verb: "SELECT", query: (queryParser{p}).selection()}
	case p.is("with"):
		return (queryParser{p}).withStatement()
	case p.accept("insert"):
		return (writeParser{p}).insert("")
	case p.engine == MySQL && p.accept("replace"):
		return (writeParser{p}).insert("replace")
	case p.accept("update"):
		return (writeParser{p}).update()
	case p.accept("delete"):
		return (writeParser{p}).remove()
	case p.accept("create"):
		return (defineParser{p}).create()
	case p.accept("drop"):
		return (defineParser{p}).drop()
	case p.accept("alter"):
		return (defineParser{p}).alter()
	case p.accept("truncate"):
		p.accept("table")
		p.accept("only")
		st := &statement{verb: "TRUNCATE TABLE"}
		st.schema, st.table = p.table()
		p.rest()
		return st
	}
	return (writeParser{p}).command()
}
