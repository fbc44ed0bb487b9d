package relational

// selection reads a query with everything behind it.
func (p queryParser) selection() *selection {
	defer p.enter()()
	q := &selection{}
	if p.accept("with") {
		q.with = p.with()
	}
	q.arms = []arm{p.arm()}
	for {
		joined := p.acceptAny("union", "intersect", "except")
		if joined == "" {
			break
		}
		all := p.accept("all")
		if !all {
			p.accept("distinct")
		}
		if p.nodes++; p.nodes > maxNodes {
			p.node(&expr{})
		}
		a := p.arm()
		a.joined, a.all = joined, all
		q.arms = append(q.arms, a)
	}
	if p.accept("order", "by") {
		q.order = p.ordering()
	}
	p.limits(q)
	for p.accept("for") { // row locks
		p.rest1("update", "share", "no", "key", "of", "nowait", "skip", "locked")
	}
	p.accept("lock", "in", "share", "mode")
	return q
}

// rest1 skips the next words as long as they are among these, or names.
func (p queryParser) rest1(words ...string) {
	for p.acceptAny(words...) != "" || p.peek().kind == word && !p.isReserved(p.peek()) {
		if p.peek().kind == word && !p.isReserved(p.peek()) {
			p.at++
		}
	}
}

func (p queryParser) limits(q *selection) {
	for {
		switch {
		case p.accept("limit"):
			if p.accept("all") {
				continue
			}
			q.limit = exprParser(p).expr()
			if p.engine == MySQL && p.accept(",") {
				q.offset, q.limit = q.limit, exprParser(p).expr()
			}
		case p.accept("offset"):
			q.offset = exprParser(p).expr()
			p.acceptAny("rows", "row")
		case p.is("fetch", "first"), p.is("fetch", "next"):
			p.at += 2
			q.limit = exprParser(p).expr()
			p.acceptAny("rows", "row")
			p.accept("only")
		default:
			return
		}
	}
}

func (p queryParser) ordering() []ordered {
	var list []ordered
	for {
		o := ordered{by: exprParser(p).expr()}
		if p.accept("desc") {
			o.desc = true
		} else {
			p.accept("asc")
		}
		if p.accept("nulls") {
			o.nullsSaid, o.nullsFirst = true, p.is("first")
			if p.acceptAny("first", "last") == "" {
				p.fail()
			}
		}
		list = append(list, o)
		if !p.accept(",") {
			return list
		}
	}
}

// with reads the named queries of WITH.
func (p queryParser) with() []with {
	recursive := p.accept("recursive")
	var list []with
	for {
		w := with{name: p.name(), recursive: recursive}
		if p.is("(") {
			w.columns = p.names()
		}
		p.expect("as")
		p.accept("not")
		p.accept("materialized")
		p.expect("(")
		if p.is("select") || p.is("with") || p.is("values") || p.is("(") {
			w.query = p.selection()
		} else {
			w.statement = p.statement()
		}
		p.expect(")")
		list = append(list, w)
		if !p.accept(",") {
			return list
		}
	}
}

// withStatement reads a statement that begins with WITH.
func (p queryParser) withStatement() *statement {
	began := p.at
	p.accept("with")
	list := p.with()
	if p.is("insert") || p.is("update") || p.is("delete") {
		st := p.statement()
		if st.query == nil {
			st.query = &selection{}
		}
		st.query.with = append(list, st.query.with...)
		return st
	}
	p.at = began
	return &statement{verb: "SELECT", query: p.selection()}
}

// arm reads one SELECT, VALUES, TABLE, or a query in parentheses.
func (p queryParser) arm() arm {
	switch {
	case p.accept("("):
		a := arm{nested: p.selection()}
		p.expect(")")
		return a
	case p.accept("values"):
		return arm{values: p.rows()}
	case p.accept("table"):
		s := &source{}
		s.schema, s.name = p.table()
		return arm{items: []item{{star: true}}, from: s}
	}
	p.expect("select")
	var a arm
	for p.acceptAny("all", "high_priority", "sql_calc_found_rows", "sql_no_cache", "straight_join") != "" {
	}
	if p.accept("distinct") {
		a.distinct = true
		if p.accept("on") {
			p.expect("(")
			a.on = p.exprs()
			p.expect(")")
		}
	}
	if !p.is("from") || p.engine == MySQL {
		a.items = p.items()
	}
	if p.accept("into") {
		p.raise(p.engine.denied("SELECT INTO"))
	}
	if p.accept("from") {
		a.from = p.sources()
	}
	if p.accept("where") {
		a.where = exprParser(p).expr()
	}
	if p.accept("group", "by") {
		a.group = p.exprs()
	}
	if p.accept("having") {
		a.having = exprParser(p).expr()
	}
	if p.is("into") && p.engine == MySQL { // INTO OUTFILE
		p.rest()
		p.raise(p.engine.problem("HY000", 1290, "", "The MySQL server is running with the --secure-file-priv option so it cannot execute this statement"))
	}
	return a
}

func (p queryParser) rows() [][]*expr {
	var rows [][]*expr
	for {
		p.accept("row")
		p.expect("(")
		var row []*expr
		if !p.is(")") {
			row = p.exprs()
		}
		p.expect(")")
		rows = append(rows, row)
		if !p.accept(",") {
			return rows
		}
	}
}

func (p queryParser) exprs() []*expr {
	var list []*expr
	for {
		list = append(list, exprParser(p).expr())
		if !p.accept(",") {
			return list
		}
	}
}

func (p queryParser) items() []item {
	var list []item
	for {
		list = append(list, p.item())
		if !p.accept(",") {
			return list
		}
	}
}

func (p queryParser) item() item {
	if p.accept("*") {
		return item{star: true}
	}
	if t := p.peek(); (t.kind == word && !p.isReserved(t) || t.kind == quotedName) && p.ahead(1).s == "." {
		for n := 2; n <= 4; n += 2 {
			if star := p.ahead(n); star.kind == sign && star.s == "*" {
				table := p.fold(p.ahead(n - 2))
				p.at += n + 1
				return item{star: true, table: table}
			}
		}
	}
	began := p.peek().at
	it := item{x: exprParser(p).expr()}
	it.text = p.in[began:p.before()]
	switch t := p.peek(); {
	case p.accept("as"):
		it.alias = p.anyName()
	case t.kind == quotedName, t.kind == word && !p.isReserved(t), t.kind == text && p.engine == MySQL:
		p.at++
		it.alias = p.fold(t)
	}
	return it
}
