package services

import "strings"

// Limits of a document: what exceeds them is not read.
// no gap: bounds our own made-up answers
const (
	maxGraphText  = 64 << 10
	maxGraphDepth = 24
	maxGraphName  = 100
	maxGraph      = 5000 // values in an answer
	schemaCost    = 100  // how many values making the schema counts for
)

// graphDoc is the part of a GraphQL document that an answer needs.
type graphDoc struct {
	operations []graphOperation
	fragments  map[string]*graphField
}

type graphOperation struct {
	name, kind string // kind is the name of the type: "Query", ...
	fields     []*graphField
}

// graphField is a field, or a fragment in place of a field.
type graphField struct {
	key, name string
	args      string // as written
	fields    []*graphField
	spread    string // the name of a fragment
	on        string // the type a fragment is for
	inline    bool
}

func (d *graphDoc) operation(name string) graphOperation {
	for _, o := range d.operations {
		if o.name == name && name != "" {
			return o
		}
	}
	return d.operations[0]
}

// parseGraph parses leniently; nil if there is no operation.
func parseGraph(text string) *graphDoc {
	if len(text) > maxGraphText {
		return nil
	}
	p := &graphParser{text: text}
	d := &graphDoc{fragments: map[string]*graphField{}}
	kinds := map[string]string{"query": "Query", "mutation": "Mutation", "subscription": "Subscription"}
	for {
		token := p.next()
		switch {
		case token == "":
			if len(d.operations) == 0 {
				return nil
			}
			return d
		case token == "{":
			d.operations = append(d.operations, graphOperation{kind: "Query", fields: p.selection(0)})
		case kinds[token] != "":
			o := graphOperation{kind: kinds[token]}
			if isGraphName(p.peek()) {
				o.name = p.next()
			}
			p.skipTo("{")
			o.fields = p.selection(0)
			d.operations = append(d.operations, o)
		case token == "fragment":
			f := &graphField{inline: true}
			name := p.next()
			if p.next() == "on" {
				f.on = p.next()
			}
			p.skipTo("{")
			f.fields = p.selection(0)
			d.fragments[name] = f
		}
	}
}

type graphParser struct {
	text string
	at   int
}

// selection reads up to the closing brace; the opening brace has been read.
func (p *graphParser) selection(depth int) []*graphField {
	var fields []*graphField
	if depth >= maxGraphDepth {
		p.at = len(p.text) // deeper than any schema: stop parsing
	}
	for {
		token := p.next()
		switch {
		case token == "" || token == "}":
			return fields
		case token == "{": // a brace without a field
			p.selection(depth + 1)
		case token == "...":
			fields = append(fields, p.fragment(depth))
		case token == "@":
			p.next()
			p.arguments()
		case isGraphName(token):
			fields = append(fields, p.field(token, depth))
		}
	}
}

func (p *graphParser) field(name string, depth int) *graphField {
	f := &graphField{key: name, name: name}
	if p.peek() == ":" {
		p.next()
		f.name = p.next()
	}
	f.args = p.arguments()
	p.directives()
	if p.peek() == "{" {
		p.next()
		f.fields = p.selection(depth + 1)
	}
	return f
}

func (p *graphParser) fragment(depth int) *graphField {
	f := &graphField{inline: true}
	if name := p.peek(); name == "on" {
		p.next()
		f.on = p.next()
	} else if isGraphName(name) {
		f.inline, f.spread = false, p.next()
	}
	p.directives()
	if f.inline && p.peek() == "{" {
		p.next()
		f.fields = p.selection(depth + 1)
	}
	return f
}

func (p *graphParser) directives() {
	for p.peek() == "@" {
		p.next()
		p.next()
		p.arguments()
	}
}

// arguments returns the arguments of a field without parsing them.
func (p *graphParser) arguments() string {
	if p.peek() != "(" {
		return ""
	}
	p.next()
	from, open := p.at, 1
	for open > 0 {
		switch p.next() {
		case "":
			return p.text[from:]
		case "(":
			open++
		case ")":
			open--
		}
	}
	return p.text[from : p.at-1]
}

func (p *graphParser) skipTo(want string) {
	for {
		switch t := p.peek(); t {
		case "", want:
			p.next()
			return
		case "(":
			p.arguments()
		default:
			p.next()
		}
	}
}

func (p *graphParser) peek() string {
	at := p.at
	token := p.next()
	p.at = at
	return token
}

// next is the next token; "" at the end. Strings are tokens that begin with a
// quote.
func (p *graphParser) next() string {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch c := rest[0]; {
		case c == '#':
			end := strings.IndexAny(rest, "\r\n")
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case c == '"':
			n := graphString(rest)
			p.at += n
			return rest[:n]
		case strings.HasPrefix(rest, "..."):
			p.at += 3
			return "..."
		case isNameByte(c):
			n := 0
			for n < len(rest) && isNameByte(rest[n]) {
				n++
			}
			p.at += n
			return rest[:n]
		case c == ',' || c <= ' ' || c >= 0x80:
			p.at++
		default:
			p.at++
			return rest[:1]
		}
	}
	return ""
}

// graphString is the length of the string literal at the beginning of text.
func graphString(text string) int {
	if strings.HasPrefix(text, `"""`) {
		if end := strings.Index(text[3:], `"""`); end >= 0 {
			return end + 6
		}
		return len(text)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' }

func isGraphName(token string) bool {
	return token != "" && len(token) <= maxGraphName && isNameByte(token[0]) && (token[0] < '0' || token[0] > '9')
}
