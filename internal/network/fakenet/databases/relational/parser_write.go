package relational

import "strings"

func (p writeParser) insert(conflict string) *statement {
	st := &statement{verb: "INSERT", conflict: conflict}
	if p.accept("ignore") {
		st.conflict = "nothing"
	}
	p.acceptAny("low_priority", "delayed")
	if !p.accept("into") && p.engine == Postgres {
		p.fail()
	}
	st.schema, st.table = p.table()
	if p.accept("as") {
		st.alias = p.name()
	}
	if p.is("(") && !p.is("(", "select") && !p.is("(", "with") {
		p.at++
		for !p.accept(")") {
			st.columns = append(st.columns, p.anyName())
			if !p.accept(",") && !p.is(")") {
				p.fail()
			}
		}
	}
	if p.accept("overriding") {
		p.at += 2
	}
	switch {
	case p.accept("default", "values"):
		st.rows = [][]*expr{{}}
	case p.acceptAny("values", "value") != "":
		st.rows = queryParser(p).rows()
	case p.engine == MySQL && p.accept("set"):
		var row []*expr
		for _, a := range p.assignments() {
			st.columns, row = append(st.columns, a.column), append(row, a.x)
		}
		st.rows = [][]*expr{row}
	default:
		st.query = queryParser(p).selection()
	}
	p.accept("as", "new")
	if p.accept("on", "duplicate", "key", "update") {
		st.conflict, st.set = "update", p.assignments()
	} else if p.accept("on", "conflict") {
		p.onConflict(st)
	}
	st.returning = p.returning()
	return st
}

func (p writeParser) onConflict(st *statement) {
	if p.is("(") {
		st.on = p.names()
	} else if p.accept("on", "constraint") {
		p.name()
	}
	p.expect("do")
	if p.accept("nothing") {
		st.conflict = "nothing"
		return
	}
	p.expect("update", "set")
	st.conflict, st.set = "update", p.assignments()
	if p.accept("where") {
		st.where = exprParser(p).expr()
	}
}

func (p writeParser) returning() []item {
	if p.accept("returning") {
		return queryParser(p).items()
	}
	return nil
}

func (p writeParser) assignments() []assignment {
	var list []assignment
	for {
		if p.is("(") { // SET (a, b) = (1, 2)
			columns := p.names()
			p.expect("=")
			p.accept("row")
			row := exprParser(p).primary()
			if row.op != opRow || len(row.args) != len(columns) {
				p.fail()
			}
			for i, c := range columns {
				list = append(list, assignment{c, row.args[i]})
			}
		} else {
			name := p.anyName()
			for p.accept(".") {
				name = p.anyName()
			}
			if !p.accept("=") {
				p.expect(":=")
			}
			list = append(list, assignment{name, exprParser(p).expr()})
		}
		if !p.accept(",") {
			return list
		}
	}
}

func (p writeParser) aliased(st *statement) {
	if p.accept("as") || p.peek().kind == word && !p.isReserved(p.peek()) {
		st.alias = p.name()
	}
}

func (p writeParser) update() *statement {
	st := &statement{verb: "UPDATE"}
	p.acceptAny("only", "low_priority", "ignore")
	st.schema, st.table = p.table()
	p.aliased(st)
	p.expect("set")
	st.set = p.assignments()
	if p.accept("from") {
		st.from = queryParser(p).sources()
	}
	p.tail(st)
	return st
}

// tail reads what ends UPDATE and DELETE.
func (p writeParser) tail(st *statement) {
	if p.accept("where") {
		st.where = exprParser(p).expr()
	}
	if p.engine == MySQL && p.accept("order", "by") {
		st.order = queryParser(p).ordering()
	}
	if p.engine == MySQL && p.accept("limit") {
		st.limit = exprParser(p).expr()
	}
	st.returning = p.returning()
}

func (p writeParser) remove() *statement {
	st := &statement{verb: "DELETE"}
	p.expect("from")
	p.accept("only")
	st.schema, st.table = p.table()
	p.aliased(st)
	if p.accept("using") {
		st.from = queryParser(p).sources()
	}
	p.tail(st)
	return st
}

// ignored are the statements that succeed and change nothing here.
func ignored() []string {
	return []string{
		"analyze", "vacuum", "reindex", "cluster", "grant", "revoke", "comment", "listen", "unlisten", "notify", "discard", "checkpoint", "lock", "unlock",
		"flush", "optimize", "repair", "deallocate", "reset", "security", "kill", "refresh", "close", "prepare", "do", "purge", "binlog",
	}
}

// command reads the statements that are neither queries nor changes of tables.
func (p writeParser) command() *statement {
	t := p.peek()
	verb := strings.ToUpper(t.s)
	if t.kind != word {
		p.fail()
	}
	for _, w := range ignored() {
		if p.accept(w) {
			return &statement{verb: verb, words: p.rest()}
		}
	}
	p.at++
	switch verb {
	case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "SET", "USE":
		return &statement{verb: verb, words: p.rest()}
	case "SHOW":
		return p.show()
	case "DESCRIBE", "DESC", "EXPLAIN":
		return p.explain(verb)
	case "CALL", "EXECUTE":
		name := p.rest()
		if len(name) == 0 {
			p.fail()
		}
		p.raise(p.engine.problem("42883", 1305, `procedure %s() does not exist`, "PROCEDURE app.%s does not exist", clip(name[0])))
	case "COPY":
		return p.copy()
	case "LOAD":
		p.raise(p.engine.problem("42501", 3948, "permission denied", "Loading local data is disabled; this must be enabled on both the client and server sides"))
	}
	p.at--
	p.fail()
	return nil
}

func (p writeParser) copy() *statement {
	st := &statement{verb: "COPY"}
	if !p.is("(") {
		st.schema, st.table = p.table()
		if p.is("(") {
			st.columns = p.names()
		}
	}
	st.words = p.rest()
	line := strings.ToLower(" " + strings.Join(st.words, " "))
	if !strings.Contains(line, "from stdin") {
		p.raise(p.engine.denied("COPY"))
	}
	return st
}

// explain reads EXPLAIN of a statement, or MySQL's DESCRIBE of a table.
func (p writeParser) explain(verb string) *statement {
	if p.engine == MySQL && (p.peek().kind == word || p.peek().kind == quotedName) && !p.isReserved(p.peek()) && p.ahead(1).s != "=" &&
		!p.is("analyze") && !p.is("format") {
		st := &statement{verb: "SHOW", words: []string{"columns"}}
		st.schema, st.table = p.table()
		if p.peek().kind == word || p.peek().kind == quotedName { // one column
			st.like = &expr{op: opLiteral, value: p.anyName()}
		}
		return st
	}
	if verb != "EXPLAIN" && p.engine == Postgres {
		p.at--
		p.fail()
	}
	st := &statement{verb: "EXPLAIN"}
	for {
		switch {
		case p.is("(") && !p.is("(", "select"):
			p.at++
			if p.is("format", "json") || strings.Contains(strings.ToLower(p.in[p.peek().at:min(len(p.in), p.peek().at+60)]), "format json") {
				st.words = append(st.words, "json")
			}
			p.skip()
			continue
		case p.accept("format"):
			p.accept("=")
			st.words = append(st.words, strings.ToLower(p.anyName()))
			continue
		case p.acceptAny("analyze", "verbose", "extended", "partitions") != "":
			continue
		}
		break
	}
	inner := p.statement()
	st.query, st.table, st.schema, st.where = inner.query, inner.table, inner.schema, inner.where
	return st
}

// show reads SHOW and what follows it.
func (p writeParser) show() *statement {
	st := &statement{verb: "SHOW"}
	for p.peek().kind != end && !p.is(";") {
		switch {
		case p.engine == MySQL && (p.accept("from") || p.accept("in")):
			schema, name := p.table()
			if st.table != "" { // SHOW COLUMNS FROM t FROM db
				schema, name = name, st.table
			}
			st.schema, st.table = schema, name
		case p.engine == MySQL && p.accept("like"):
			st.like = p.node(&expr{op: opLike, name: "like", args: []*expr{exprParser(p).primary()}})
		case p.engine == MySQL && p.accept("where"):
			st.where = exprParser(p).expr()
		case p.engine == MySQL && p.is("create") && len(st.words) == 0:
			p.at++
			st.words = []string{"create", strings.ToLower(p.anyName())}
			p.accept("if", "not", "exists")
			st.schema, st.table = p.table()
		case p.accept("limit"):
			p.rest()
		default:
			st.words = append(st.words, strings.ToLower(p.peek().s))
			p.at++
		}
	}
	if len(st.words) == 0 {
		p.fail()
	}
	return st
}
