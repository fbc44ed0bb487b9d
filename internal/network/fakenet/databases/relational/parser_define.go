package relational

import "strings"

func (p defineParser) ifExists(st *statement, words ...string) {
	if p.accept(append([]string{"if"}, words...)...) {
		st.exist = true
	}
}

// create reads CREATE.
func (p defineParser) create() *statement {
	st := &statement{define: &definition{}}
	p.accept("or", "replace")
	st.define.temporary = p.acceptAny("temporary", "temp") != ""
	p.acceptAny("unlogged", "materialized", "global", "local", "recursive")
	switch {
	case p.accept("table"):
		st.verb = "CREATE TABLE"
		p.ifExists(st, "not", "exists")
		st.schema, st.table = p.table()
		p.tableBody(st)
	case p.accept("view"):
		st.verb = "CREATE VIEW"
		p.ifExists(st, "not", "exists")
		st.schema, st.table = p.table()
		if p.is("(") {
			st.columns = p.names()
		}
		p.expect("as")
		st.define.query = queryParser(p).selection()
	case p.is("unique") || p.is("index") || p.is("fulltext") || p.is("spatial"):
		p.createIndex(st)
	case p.acceptAny("schema", "database") != "":
		st.verb = "CREATE SCHEMA"
		p.ifExists(st, "not", "exists")
		p.accept("authorization")
		st.schema = p.name()
		p.rest()
	case p.accept("extension"):
		st.verb = "CREATE EXTENSION"
		p.ifExists(st, "not", "exists")
		st.table = p.anyName()
		p.rest()
	case p.is("sequence") || p.is("type") || p.is("function") || p.is("trigger") || p.is("role") || p.is("user") || p.is("domain") || p.is("policy") ||
		p.is("procedure") || p.is("event") || p.is("publication"):
		st.verb = "CREATE " + strings.ToUpper(p.peek().s)
		p.rest()
	default:
		p.fail()
	}
	return st
}

func (p defineParser) createIndex(st *statement) {
	st.verb = "CREATE INDEX"
	st.define.index.Unique = p.accept("unique")
	p.acceptAny("fulltext", "spatial")
	p.expect("index")
	p.accept("concurrently")
	p.ifExists(st, "not", "exists")
	if !p.is("on") {
		st.define.index.Name = p.name()
	}
	if p.accept("using") {
		p.anyName()
	}
	p.expect("on")
	p.accept("only")
	st.schema, st.table = p.table()
	if p.accept("using") {
		p.anyName()
	}
	p.expect("(")
	began := p.at
	p.skip()
	// Of an expression in an index only plain names are kept.
	for i := began; i < p.at-1; i++ {
		if t := p.list[i]; (t.kind == word || t.kind == quotedName) && (i == began || p.list[i-1].s == ",") && p.list[i+1].s != "(" {
			st.define.index.Columns = append(st.define.index.Columns, p.fold(t))
		}
	}
	p.rest()
}

// tableBody reads the columns of a new table, or the query that fills it.
func (p defineParser) tableBody(st *statement) {
	if p.accept("like") {
		p.raise(p.engine.unsupported("CREATE TABLE LIKE"))
	}
	if p.accept("(") {
		for {
			if !p.constraint(st.define) {
				p.column(st.define)
			}
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	for p.peek().kind != end && !p.is(";") && !p.is(")") && !p.is("as") && !p.is("select") {
		if p.accept("(") {
			p.skip()
			continue
		}
		p.at++ // ENGINE=InnoDB, PARTITION BY, TABLESPACE
	}
	if p.accept("as") || p.is("select") {
		st.define.query = queryParser(p).selection()
	}
}

// constraint reads a constraint of a table; false if a column comes.
func (p defineParser) constraint(d *definition) bool {
	var c Constraint
	if p.accept("constraint") {
		c.Name = p.name()
	}
	switch {
	case p.accept("primary", "key"):
		c.Kind, c.Columns = "PRIMARY KEY", p.names()
	case p.accept("unique"):
		p.acceptAny("key", "index")
		if !p.is("(") {
			c.Name = p.name()
		}
		c.Kind, c.Columns = "UNIQUE", p.names()
	case p.accept("foreign", "key"):
		if !p.is("(") {
			p.name()
		}
		c.Kind, c.Columns = "FOREIGN KEY", p.names()
		p.references(&c)
	case p.accept("check"):
		p.expect("(")
		p.skip()
		c.Kind = "CHECK"
	case p.is("key", "(") || p.is("index", "(") || (p.is("key") || p.is("index") || p.is("fulltext")) && p.engine == MySQL && p.ahead(2).s == "(":
		p.at++
		if !p.is("(") {
			c.Name = p.anyName()
		}
		c.Kind, c.Columns = "KEY", p.names()
	default:
		return false
	}
	d.constraints = append(d.constraints, c)
	return true
}

func (p defineParser) references(c *Constraint) {
	p.expect("references")
	_, c.Table = p.table()
	if p.is("(") {
		c.Other = p.names()
	}
	for p.accept("on") || p.accept("match") {
		p.acceptAny("delete", "update", "full", "simple")
		p.acceptAny("set", "no")
		p.acceptAny("cascade", "restrict", "null", "default", "action")
	}
	p.acceptAny("deferrable")
	p.accept("initially")
	p.acceptAny("deferred", "immediate")
}

// column reads the definition of a column.
func (p defineParser) column(d *definition) {
	c := ColumnDef{Name: p.anyName()}
	var name string
	c.Type, name = exprParser(p).typeName()
	c.Auto = strings.Contains(name, "serial")
	c.NotNull = c.Auto
	p.columnRules(d, &c)
	d.columns = append(d.columns, c)
}

func (p defineParser) columnRules(d *definition, c *ColumnDef) {
	for {
		switch {
		case p.accept("constraint"):
			p.name()
		case p.accept("not", "null"):
			c.NotNull = true
		case p.accept("null"), p.accept("zerofill"), p.accept("invisible"), p.accept("stored"), p.accept("virtual"):
		case p.accept("primary", "key"), p.accept("primary"):
			c.NotNull = true
			d.constraints = append(d.constraints, Constraint{Kind: "PRIMARY KEY", Columns: []string{c.Name}})
		case p.accept("unique"):
			p.accept("key")
			d.constraints = append(d.constraints, Constraint{Kind: "UNIQUE", Columns: []string{c.Name}})
		case p.acceptAny("auto_increment", "autoincrement") != "":
			c.Auto = true
		case p.accept("generated"):
			p.acceptAny("always", "by")
			p.accept("default")
			p.expect("as")
			if p.accept("identity") {
				c.Auto, c.NotNull = true, true
			}
			if p.accept("(") {
				p.skip()
			}
		case p.accept("default"):
			x := exprParser(p).other()
			c.Default, c.DefaultText = x, p.in[p.list[p.at-1].at:p.before()]
			if x.op == opCall || x.op == opCast || x.op == opUnary {
				c.DefaultText = p.shown(x)
			}
		case p.accept("on", "update"):
			exprParser(p).primary()
		case p.accept("check"):
			p.expect("(")
			p.skip()
		case p.is("references"):
			r := Constraint{Kind: "FOREIGN KEY", Columns: []string{c.Name}}
			p.references(&r)
			d.constraints = append(d.constraints, r)
		case p.accept("comment"):
			c.Comment = p.peek().s
			p.at++
		case p.accept("collate"):
			p.table()
		case p.accept("character", "set"), p.accept("charset"), p.accept("first"), p.is("after"):
			if p.accept("after") || p.list[p.at-1].kind == word {
				p.acceptName()
			}
		default:
			return
		}
	}
}

// acceptName skips a name if one comes next.
func (p defineParser) acceptName() {
	if t := p.peek(); t.kind == word && !p.isReserved(t) || t.kind == quotedName {
		p.at++
	}
}

// shown is how a default is shown.
func (p defineParser) shown(x *expr) string {
	switch x.op {
	case opCall:
		if x.name == "current_timestamp" || x.name == "now" {
			return map[Engine]string{Postgres: "now()", MySQL: "CURRENT_TIMESTAMP"}[p.engine]
		}
		return x.name + "()"
	case opCast, opUnary:
		return p.shown(x.args[0])
	case opLiteral:
		if s, ok := x.value.(string); ok {
			return "'" + s + "'"
		}
		return p.engine.Format(x.value, x.typ)
	}
	return x.name
}

// drop reads DROP.
func (p defineParser) drop() *statement {
	st := &statement{define: &definition{}}
	p.acceptAny("temporary", "materialized")
	t := p.peek()
	if t.kind != word {
		p.fail()
	}
	what := strings.ToUpper(t.s)
	p.at++
	st.verb = "DROP " + what
	p.accept("concurrently")
	p.ifExists(st, "exists")
	switch what {
	case "TABLE", "VIEW":
		for {
			schema, name := p.table()
			st.define.names = append(st.define.names, [2]string{schema, name})
			if !p.accept(",") {
				break
			}
		}
		p.acceptAny("cascade", "restrict")
	case "INDEX":
		st.schema, st.table = p.table()
		p.rest()
	case "SCHEMA", "DATABASE":
		st.verb, st.schema = "DROP SCHEMA", p.name()
		p.rest()
	case "EXTENSION", "SEQUENCE", "TYPE", "FUNCTION", "TRIGGER", "ROLE", "USER", "POLICY", "PROCEDURE", "EVENT", "DOMAIN":
		p.name()
		p.rest()
	default:
		p.at--
		p.fail()
	}
	return st
}
