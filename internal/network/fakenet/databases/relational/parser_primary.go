package relational

import (
	"strconv"
	"strings"
)

// primary reads a literal, a column, a call, or what is in parentheses.
func (p exprParser) primary() *expr {
	t := p.peek()
	switch t.kind {
	case number:
		p.at++
		return p.node(p.numeral(t.s))
	case text:
		p.at++
		for p.peek().kind == text && p.engine == MySQL || p.peek().kind == text && strings.Contains(p.in[p.before():p.peek().at], "\n") {
			t.s += p.peek().s
			p.at++
		}
		return p.node(&expr{op: opLiteral, value: t.s})
	case parameter:
		p.at++
		n, err := strconv.Atoi(t.s)
		if err != nil || n < 1 || n > 1<<12 {
			p.raise(p.engine.problem("42P02", 1064, "there is no parameter $%s", "too many parameters: %s", clip(t.s)))
		}
		p.params = max(p.params, n)
		return p.node(&expr{op: opParameter, number: n})
	case variable:
		p.at++
		return p.node(&expr{op: opVariable, name: t.s})
	case sign:
		if p.accept("(") {
			return p.parenthesis()
		}
		if p.engine == MySQL && p.accept("{") { // {d '2024-01-01'}
			p.at++
			x := p.primary()
			p.expect("}")
			return x
		}
	case word:
		if x := p.keyword(strings.ToLower(t.s)); x != nil {
			return x
		}
	}
	if t.kind != word && t.kind != quotedName || p.isReserved(t) && p.ahead(1).s != "(" {
		p.fail()
	}
	return p.columnOrCall()
}

func (p exprParser) numeral(s string) *expr {
	if len(s) > 2 && (s[1] == 'x' || s[1] == 'X') {
		n, err := strconv.ParseInt(s[2:], 16, 64)
		if err != nil || p.engine == MySQL { // MySQL takes it for a text
			return &expr{op: opLiteral, value: unhex(s[2:])}
		}
		return &expr{op: opLiteral, value: n, typ: Type{Kind: Int8}}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		kind := Int4
		if n > 1<<31-1 {
			kind = Int8
		}
		return &expr{op: opLiteral, value: n, typ: Type{Kind: kind}}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		p.fail()
	}
	scale := 0
	if i := strings.IndexByte(s, '.'); i >= 0 && !strings.ContainsAny(s, "eE") {
		scale = min(len(s)-i-1, 30)
	}
	return &expr{op: opLiteral, value: f, typ: Type{Kind: Numeric, Scale: scale}}
}

func unhex(s string) string {
	var b strings.Builder
	for ; len(s) >= 2; s = s[2:] {
		n, _ := strconv.ParseUint(s[:2], 16, 8)
		b.WriteByte(byte(n))
	}
	return b.String()
}

// parenthesis reads a query, a row or an expression behind its opening sign.
func (p exprParser) parenthesis() *expr {
	defer p.enter()()
	if p.is("select") || p.is("with") || p.is("values") {
		x := p.node(&expr{op: opQuery, query: queryParser(p).selection()})
		p.expect(")")
		return x
	}
	list := queryParser(p).exprs()
	p.expect(")")
	if len(list) == 1 {
		return list[0]
	}
	return p.node(&expr{op: opRow, args: list})
}

// keyword reads an expression that begins with a keyword; nil if it does not.
func (p exprParser) keyword(name string) *expr {
	literal := func(v Value, k Kind) *expr {
		p.at++
		return p.node(&expr{op: opLiteral, value: v, typ: Type{Kind: k}})
	}
	switch name {
	case "null":
		return literal(nil, Unknown)
	case "true", "false":
		return literal(name == "true", Bool)
	case "default":
		p.at++
		return p.node(&expr{op: opDefault})
	case "case":
		return p.caseOf()
	case "exists":
		p.at++
		p.expect("(")
		x := p.node(&expr{op: opExists, query: queryParser(p).selection()})
		p.expect(")")
		return x
	case "cast", "convert", "try_cast":
		if p.ahead(1).s == "(" {
			return p.cast()
		}
	case "extract":
		if p.ahead(1).s == "(" && strings.EqualFold(p.ahead(3).s, "from") {
			p.at += 2
			field := strings.ToLower(p.peek().s)
			p.at += 2
			x := p.node(&expr{op: opCall, name: "date_part", args: []*expr{{op: opLiteral, value: field}, p.expr()}})
			p.expect(")")
			return x
		}
	case "array":
		return p.array()
	case "interval", "date", "timestamp", "timestamptz", "time":
		return p.prefixed(name)
	case "current_timestamp", "current_date", "current_user", "session_user", "current_catalog", "localtimestamp", "current_role", "user", "current_schema":
		if p.ahead(1).s == "(" || p.engine == MySQL && name == "user" {
			return nil
		}
		p.at++
		return p.node(&expr{op: opCall, name: name})
	case "substring", "trim", "position", "overlay":
		if p.ahead(1).s == "(" {
			return p.spoken(name)
		}
	case "row":
		if p.ahead(1).s == "(" {
			p.at += 2
			x := p.node(&expr{op: opRow, args: queryParser(p).exprs()})
			p.expect(")")
			return x
		}
	}
	return nil
}

func (p exprParser) caseOf() *expr {
	p.at++
	x := &expr{op: opCase}
	if !p.is("when") {
		x.all = true // CASE value WHEN ...
		x.args = append(x.args, p.expr())
	}
	for p.accept("when") {
		when := p.expr()
		p.expect("then")
		x.args = append(x.args, when, p.expr())
	}
	if p.accept("else") {
		x.not = true // has an ELSE
		x.args = append(x.args, p.expr())
	}
	p.expect("end")
	if len(x.args) < 2 {
		p.fail()
	}
	return p.node(x)
}

func (p exprParser) cast() *expr {
	p.at += 2
	x := p.expr()
	if p.accept("using") { // CONVERT(x USING utf8mb4)
		p.anyName()
		p.expect(")")
		return x
	}
	if !p.accept("as") {
		p.expect(",")
	}
	t, name := p.typeName()
	p.acceptAny("integer", "int")
	p.expect(")")
	return p.node(&expr{op: opCast, typ: t, name: name, args: []*expr{x}})
}

func (p exprParser) array() *expr {
	if p.ahead(1).s == "[" {
		p.at += 2
		x := &expr{op: opArray}
		if !p.is("]") {
			x.args = queryParser(p).exprs()
		}
		p.expect("]")
		return p.node(x)
	}
	if p.ahead(1).s == "(" {
		p.at += 2
		x := &expr{op: opArray, query: queryParser(p).selection()}
		p.expect(")")
		return p.node(x)
	}
	return nil
}
