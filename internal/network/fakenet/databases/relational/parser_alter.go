package relational

import "strings"

// alter reads ALTER.
func (p defineParser) alter() *statement {
	st := &statement{define: &definition{}}
	if !p.accept("table") {
		if t := p.peek(); t.kind != word || p.ahead(1).kind == end {
			p.fail()
		}
		st.verb = "ALTER " + strings.ToUpper(p.peek().s)
		p.rest()
		return st
	}
	st.verb = "ALTER TABLE"
	p.ifExists(st, "exists")
	p.accept("only")
	st.schema, st.table = p.table()
	for {
		st.define.actions = append(st.define.actions, p.action())
		if !p.accept(",") {
			return st
		}
	}
}

func (p defineParser) action() action {
	switch {
	case p.accept("add"):
		return p.add()
	case p.accept("drop"):
		if p.accept("constraint") || p.accept("foreign", "key") || p.acceptAny("index", "key") != "" || p.accept("primary", "key") {
			queryParser(p).rest1("if", "exists", "cascade", "restrict")
			return action{}
		}
		p.accept("column")
		a := action{kind: "drop"}
		if p.accept("if", "exists") {
			a.kind = "drop maybe"
		}
		a.column = p.anyName()
		p.acceptAny("cascade", "restrict")
		return a
	case p.accept("rename"):
		if p.acceptAny("to", "as") != "" {
			_, name := p.table()
			return action{kind: "rename", to: name}
		}
		p.accept("column")
		a := action{kind: "rename column", column: p.anyName()}
		p.expect("to")
		a.to = p.anyName()
		return a
	case p.acceptAny("modify", "change") != "":
		was := strings.ToLower(p.list[p.at-1].s)
		p.accept("column")
		a := action{kind: "type", column: p.peek().s}
		if was == "change" {
			p.at++
		}
		var d definition
		p.column(&d)
		a.def, a.to = d.columns[0], d.columns[0].Name
		return a
	case p.accept("alter"):
		return p.alterColumn()
	}
	// OWNER TO, ENABLE ROW LEVEL SECURITY, ENGINE=...: accepted, without effect.
	for p.peek().kind != end && !p.is(";") && !p.is(",") {
		p.at++
	}
	return action{}
}

func (p defineParser) add() action {
	var d definition
	if p.constraint(&d) {
		return action{kind: "constraint", rule: d.constraints[0]}
	}
	p.accept("column")
	a := action{kind: "add"}
	if p.accept("if", "not", "exists") {
		a.kind = "add maybe"
	}
	p.column(&d)
	a.def = d.columns[0]
	return a
}

func (p defineParser) alterColumn() action {
	p.accept("column")
	a := action{column: p.anyName()}
	switch {
	case p.accept("set", "not", "null"):
		a.kind = "not null"
	case p.accept("drop", "not", "null"):
		a.kind = "null"
	case p.accept("set", "default"):
		a.kind = "default"
		a.def.Default = exprParser(p).other()
		a.def.DefaultText = p.shown(a.def.Default)
	case p.accept("drop", "default"):
		a.kind = "default"
	case p.accept("set", "data", "type"), p.accept("type"):
		a.kind = "type"
		a.def.Name = a.column
		a.def.Type, _ = exprParser(p).typeName()
		if p.accept("using") {
			exprParser(p).expr()
		}
	default:
		p.fail()
	}
	return a
}
