package relational

import (
	"strings"
)

func (p exprParser) expr() *expr {
	defer p.enter()()
	began := p.peek().at
	x := p.or()
	x.text = p.in[began:p.before()]
	return x
}

func (p exprParser) binary(name string, x, y *expr) *expr {
	return p.node(&expr{op: opBinary, name: name, args: []*expr{x, y}})
}

func (p exprParser) or() *expr {
	x := p.and()
	for {
		switch {
		case p.accept("or"), p.engine == MySQL && p.accept("||"):
			x = p.binary("or", x, p.and())
		case p.engine == MySQL && p.accept("xor"):
			x = p.binary("xor", x, p.and())
		default:
			return x
		}
	}
}

func (p exprParser) and() *expr {
	x := p.negation()
	for p.accept("and") || p.engine == MySQL && p.accept("&&") {
		x = p.binary("and", x, p.negation())
	}
	return x
}

func (p exprParser) negation() *expr {
	if p.accept("not") {
		defer p.enter()()
		return p.node(&expr{op: opUnary, name: "not", args: []*expr{p.negation()}})
	}
	return p.comparison()
}

// comparison reads what compares two values, IS, IN, LIKE and BETWEEN among them.
func (p exprParser) comparison() *expr {
	x := p.other()
	for {
		not := p.is("not") && !p.is("not", "null")
		if not {
			p.at++
		}
		switch {
		case p.accept("in"):
			x = p.within(x, not)
		case p.accept("between"):
			p.accept("symmetric")
			low := p.other()
			p.expect("and")
			x = p.node(&expr{op: opBetween, not: not, args: []*expr{x, low, p.other()}})
		case p.is("like") || p.is("ilike") || p.is("rlike") || p.is("regexp") || p.is("similar", "to"):
			x = p.like(x, not)
		case not:
			p.fail()
		case p.accept("is"):
			x = p.isWhat(x)
		case p.accept("isnull"):
			x = p.node(&expr{op: opIs, name: "null", args: []*expr{x}})
		case p.accept("notnull"):
			x = p.node(&expr{op: opIs, name: "null", not: true, args: []*expr{x}})
		default:
			name := p.acceptAny("=", "<>", "!=", "<=>", "<=", ">=", "<", ">")
			if name == "" {
				return x
			}
			if name == "!=" {
				name = "<>"
			}
			x = p.compared(name, x)
		}
	}
}

// compared reads the right side of a comparison, which may be ANY or ALL of a list.
func (p exprParser) compared(name string, x *expr) *expr {
	if kind := p.acceptAny("any", "some", "all"); kind != "" {
		p.expect("(")
		y := p.node(&expr{op: opAny, name: name, all: kind == "all"})
		if p.is("select") || p.is("with") || p.is("values") {
			y.query = queryParser(p).selection()
			y.args = []*expr{x}
		} else {
			y.args = []*expr{x, p.expr()}
		}
		p.expect(")")
		return y
	}
	return p.binary(name, x, p.other())
}

func (p exprParser) within(x *expr, not bool) *expr {
	p.expect("(")
	y := &expr{op: opIn, not: not, args: []*expr{x}}
	if p.is("select") || p.is("with") || p.is("values") {
		y.query = queryParser(p).selection()
	} else {
		y.args = append(y.args, queryParser(p).exprs()...)
	}
	p.expect(")")
	return p.node(y)
}

func (p exprParser) like(x *expr, not bool) *expr {
	name := strings.ToLower(p.peek().s)
	p.at++
	p.accept("to")
	y := p.node(&expr{op: opLike, name: name, not: not, args: []*expr{x, p.other()}})
	if p.accept("escape") {
		y.args = append(y.args, p.other())
	}
	return y
}

func (p exprParser) isWhat(x *expr) *expr {
	not := p.accept("not")
	switch {
	case p.accept("null"):
		return p.node(&expr{op: opIs, name: "null", not: not, args: []*expr{x}})
	case p.accept("distinct", "from"):
		y := p.binary("<=>", x, p.other())
		if not {
			return y
		}
		return p.node(&expr{op: opUnary, name: "not", args: []*expr{y}})
	}
	name := p.acceptAny("true", "false", "unknown")
	if name == "" {
		p.fail()
	}
	if name == "unknown" {
		name = "null"
	}
	return p.node(&expr{op: opIs, name: name, not: not, args: []*expr{x}})
}

// other reads the operators between comparison and addition: those of JSON, regular
// expressions, concatenation and bits.
func (p exprParser) other() *expr {
	x := p.sum()
	for {
		names := []string{"->>", "->", "#>>", "#>", "@>", "<@", "&", "|", "<<", ">>"}
		if p.engine == Postgres {
			names = append(names, "||", "~*", "!~*", "!~", "~", "?", "&&")
		}
		name := p.acceptAny(names...)
		if name == "" {
			if p.accept("operator") { // OPERATOR(pg_catalog.~)
				p.expect("(")
				if p.ahead(1).s == "." {
					p.at += 2
				}
				name = p.peek().s
				p.at++
				p.expect(")")
			} else {
				return x
			}
		}
		x = p.binary(name, x, p.sum())
		p.collation()
	}
}

func (p exprParser) collation() {
	for p.accept("collate") {
		p.table()
	}
}

func (p exprParser) sum() *expr {
	x := p.product()
	for {
		name := p.acceptAny("+", "-")
		if name == "" {
			return x
		}
		x = p.binary(name, x, p.product())
	}
}

func (p exprParser) product() *expr {
	x := p.unary()
	for {
		name := p.acceptAny("*", "/", "%", "^")
		if name == "" && p.engine == MySQL {
			name = p.acceptAny("div", "mod")
		}
		if name == "" {
			return x
		}
		x = p.binary(name, x, p.unary())
	}
}

func (p exprParser) unary() *expr {
	if name := p.acceptAny("-", "+", "~", "!"); name != "" {
		defer p.enter()()
		return p.node(&expr{op: opUnary, name: name, args: []*expr{p.unary()}})
	}
	p.accept("binary")
	return p.suffix(p.primary())
}

// suffix reads casts, indexes and the like behind a value.
func (p exprParser) suffix(x *expr) *expr {
	for {
		switch {
		case p.engine == Postgres && p.accept("::"):
			t, name := p.typeName()
			x = p.node(&expr{op: opCast, typ: t, name: name, args: []*expr{x}})
		case p.engine == Postgres && p.accept("["):
			x = p.node(&expr{op: opIndex, args: []*expr{x, p.expr()}})
			p.expect("]")
		case p.accept("at", "time", "zone"):
			p.primary()
		case p.is("collate"):
			p.collation()
		case p.engine == Postgres && x.op != opColumn && p.is(".") && p.ahead(1).s == "*":
			p.at += 2 // (f(x)).*
		default:
			return x
		}
	}
}
