package relational

import (
	"strings"
)

// prefixed reads DATE '2024-01-01' and INTERVAL 1 DAY.
func (p exprParser) prefixed(name string) *expr {
	next := p.ahead(1)
	if name == "interval" && p.engine == MySQL && (next.kind == number || next.kind == text || next.kind == parameter || next.kind == sign && next.s != ".") {
		p.at++
		n := p.sum()
		unit := strings.ToLower(p.anyName())
		return p.node(&expr{op: opCall, name: "interval", args: []*expr{n, {op: opLiteral, value: unit}}})
	}
	if next.kind != text {
		return nil
	}
	p.at += 2
	kind := map[string]Kind{"interval": Interval, "date": Date, "timestamp": Timestamp, "timestamptz": TimestampTZ, "time": Time}[name]
	return p.node(&expr{op: opCast, typ: Type{Kind: kind}, name: name, args: []*expr{{op: opLiteral, value: next.s}}})
}

// spoken reads the calls with words in place of commas.
func (p exprParser) spoken(name string) *expr {
	p.at += 2
	x := &expr{op: opCall, name: name}
	if name == "trim" {
		if side := p.acceptAny("both", "leading", "trailing"); side != "" {
			x.name = map[string]string{"both": "trim", "leading": "ltrim", "trailing": "rtrim"}[side]
		}
		p.accept("from")
	}
	x.args = append(x.args, p.other())
	for {
		switch {
		case p.accept("from"):
			if x.name == "trim" || x.name == "ltrim" || x.name == "rtrim" {
				x.args = append([]*expr{p.other()}, x.args...)
				continue
			}
			x.args = append(x.args, p.other())
		case p.accept("in"):
			x.args = append([]*expr{p.other()}, x.args...)
			x.name = "strpos"
		case p.accept("for"), p.accept(","), p.accept("placing"):
			x.args = append(x.args, p.other())
		default:
			p.expect(")")
			return p.node(x)
		}
	}
}

// columnOrCall reads a name and what it is the name of.
func (p exprParser) columnOrCall() *expr {
	x := &expr{op: opColumn}
	first := p.peek()
	x.name = p.fold(first)
	p.at++
	for p.is(".") && p.ahead(1).s != "*" {
		p.at++
		x.table, x.name = x.name, p.anyName()
	}
	if !p.accept("(") {
		return p.node(x)
	}
	x.op, x.name = opCall, strings.ToLower(x.name)
	if p.accept("*") {
		x.all = true
	} else if !p.is(")") {
		x.distinct = p.accept("distinct")
		p.accept("all")
		p.accept("variadic")
		x.args = queryParser(p).exprs()
	}
	if p.accept("order", "by") {
		x.order = queryParser(p).ordering()
	}
	if p.accept("separator") {
		x.args = append(x.args, p.primary())
	}
	p.expect(")")
	if p.accept("filter") {
		p.expect("(", "where")
		x.filter = p.expr()
		p.expect(")")
	}
	if p.is("over") {
		p.window(x)
	}
	return p.node(x)
}

// window reads OVER (): a window over all rows, which count(*) OVER () of paged
// lists has. Others are not supported.
func (p exprParser) window(x *expr) {
	if p.ahead(1).s != "(" || p.ahead(2).s != ")" {
		p.fail()
	}
	p.at += 3
	x.name = "over " + x.name
}
