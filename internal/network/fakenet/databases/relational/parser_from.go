package relational

import "strings"

// sources reads FROM: tables with commas between them are joined.
func (p queryParser) sources() *source {
	s := p.joined()
	for p.accept(",") {
		p.node(&expr{})
		s = &source{join: "cross", left: s, right: p.joined()}
	}
	return s
}

func (p queryParser) joined() *source {
	s := p.source()
	for {
		kind, natural := "inner", p.accept("natural")
		switch {
		case p.accept("cross"):
			kind = "cross"
		case p.is("left") || p.is("right") || p.is("full"):
			kind = strings.ToLower(p.peek().s)
			p.at++
			p.accept("outer")
		case p.accept("straight_join"):
			p.at--
		default:
			p.accept("inner")
		}
		if p.acceptAny("join", "straight_join") == "" {
			if natural || kind != "inner" {
				p.fail()
			}
			return s
		}
		p.node(&expr{})
		j := &source{join: kind, left: s, right: p.source(), natural: natural}
		switch {
		case p.accept("on"):
			j.on = exprParser(p).expr()
		case p.accept("using"):
			j.using = p.names()
		case kind != "cross" && !natural && p.engine == Postgres:
			p.fail()
		}
		s = j
	}
}

func (p queryParser) source() *source {
	defer p.enter()()
	s := &source{}
	switch {
	case p.accept("("):
		if p.is("select") || p.is("with") || p.is("values") || p.is("(", "select") {
			s.query = p.selection()
			p.expect(")")
			break
		}
		s = p.sources()
		p.expect(")")
		return s
	case p.accept("only"):
		s.schema, s.name = p.table()
	case p.peek().kind == word && p.ahead(1).s == "(" && p.ahead(1).kind == sign, p.peek().kind == word && p.ahead(1).s == "." && p.ahead(3).s == "(":
		s.call = exprParser(p).primary()
		s.alias = s.call.name
	default:
		s.schema, s.name = p.table()
	}
	if p.accept("with", "ordinality") {
		s.columns = []string{"", "ordinality"}
	}
	t := p.peek()
	if p.accept("as") {
		s.alias = p.anyName()
	} else if t.kind == quotedName || t.kind == word && !p.isReserved(t) && !p.hint(t) {
		s.alias = p.name()
	}
	if p.is("(") && s.alias != "" {
		s.columns = p.columnNames()
	}
	for p.hint(p.peek()) { // USE INDEX (a)
		p.at += 2
		if p.accept("(") {
			p.skip()
		}
	}
	return s
}

// columnNames reads the names behind an alias, which may have types.
func (p queryParser) columnNames() []string {
	var list []string
	p.expect("(")
	for {
		list = append(list, p.anyName())
		if !p.is(",") && !p.is(")") {
			exprParser(p).typeName()
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return list
}

func (p queryParser) hint(t token) bool {
	return p.engine == MySQL && t.kind == word && (strings.EqualFold(t.s, "use") || strings.EqualFold(t.s, "force") || strings.EqualFold(t.s, "ignore")) &&
		strings.EqualFold(p.ahead(1).s, "index")
}
