package relational

import (
	"strconv"
	"strings"
)

// projection is what one SELECT computes for each row or group.
type projection struct {
	items []item
	cols  []Column
	// order are the expressions to sort by, or a column of the result by its place.
	order []ordered
	place []int
}

// arm computes one SELECT.
func (r query) arm(a *arm, order []ordered, outer *scope) (*relation, error) {
	from := &relation{rows: [][]Value{{}}}
	if a.from != nil {
		var err error
		if from, err = r.joined(a.from, conjuncts(a.where), outer); err != nil {
			return nil, err
		}
	}
	sc := &scope{cols: from.cols, outer: outer}
	p, err := r.projection(a, order, sc)
	if err != nil {
		return nil, err
	}
	if err := r.check(a, p, sc); err != nil {
		return nil, err
	}
	rows := from.rows
	if a.where != nil {
		if rows, err = r.filter(rows, a.where, from.cols, outer); err != nil {
			return nil, err
		}
	}
	scopes, err := r.grouped(a, p, rows, sc)
	if err != nil {
		return nil, err
	}
	return r.project(a, p, scopes)
}

// projection expands the stars and finds what ORDER BY means.
func (r query) projection(a *arm, order []ordered, sc *scope) (*projection, error) {
	p := &projection{order: order}
	for _, it := range a.items {
		if !it.star {
			p.items = append(p.items, it)
			continue
		}
		n := len(p.items)
		for i := range sc.cols {
			c := &sc.cols[i]
			if c.hidden || it.table != "" && !strings.EqualFold(c.Table, it.table) {
				continue
			}
			x := &expr{op: opColumn, name: c.Name, table: c.Table}
			r.places[x] = place{0, i}
			p.items = append(p.items, item{x: x})
		}
		if n == len(p.items) && (len(sc.cols) == 0 || it.table != "") {
			if it.table != "" {
				return nil, r.engine.problem("42P01", 1051, `missing FROM-clause entry for table "%s"`, "Unknown table '%s'", clip(it.table))
			}
			return nil, r.engine.problem("42601", 1096, "SELECT * with no tables specified is not valid", "No tables used")
		}
	}
	if len(p.items) > maxColumns*8 {
		return nil, r.engine.problem("54011", 1117, "target lists can have at most 1664 entries", "Too many columns")
	}
	for i := range p.items {
		c, err := r.output(&p.items[i], sc)
		if err != nil {
			return nil, err
		}
		p.cols = append(p.cols, c)
	}
	for _, o := range order {
		at, err := r.ordinal(o.by, p.cols, sc)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			if _, err := r.infer(o.by, sc); err != nil {
				return nil, err
			}
		}
		p.place = append(p.place, at)
	}
	return p, nil
}

// output describes a column of the result.
func (r query) output(it *item, sc *scope) (Column, error) {
	if p, found := r.places[it.x]; found && it.x.op == opColumn && p.up == 0 && p.at >= 0 && p.at < len(sc.cols) && it.text == "" {
		c := sc.cols[p.at]
		return c, nil
	}
	sc.where = "field list"
	t, err := r.infer(it.x, sc)
	if err != nil {
		return Column{}, err
	}
	c := Column{Name: it.alias, Type: t}
	if it.x.op == opColumn {
		if p := r.places[it.x]; p.up == 0 && p.at >= 0 {
			c = sc.cols[p.at]
			c.hidden, c.Name = false, it.alias
		}
	}
	if c.Name == "" {
		c.Name = r.nameOf(it)
	}
	return c, nil
}

// nameOf is the name that a server gives to a column without one.
func (r query) nameOf(it *item) string {
	if r.engine == MySQL {
		if it.x.op == opColumn {
			return it.x.name
		}
		if s, ok := it.x.value.(string); ok && it.x.op == opLiteral {
			return clip(s)
		}
		return clip(it.text)
	}
	x := it.x
	for x.op == opCast && (x.args[0].op == opColumn || x.args[0].op == opCall || x.args[0].op == opCast) {
		x = x.args[0]
	}
	switch x.op {
	case opColumn:
		return x.name
	case opCall:
		if x.name == "date_part" {
			return "extract"
		}
		return strings.TrimPrefix(x.name, "over ")
	case opCase:
		return "case"
	case opCast:
		return x.typ.Kind.info().udt
	case opExists:
		return "exists"
	case opArray:
		return "array"
	case opLiteral:
		if _, isBool := x.value.(bool); isBool {
			return "bool"
		}
	case opQuery:
		if len(x.query.arms) > 0 && len(x.query.arms[0].items) == 1 && !x.query.arms[0].items[0].star {
			inner := x.query.arms[0].items[0]
			if inner.alias != "" {
				return inner.alias
			}
			return r.nameOf(&inner)
		}
	}
	return "?column?"
}

// ordinal finds the column of the result that ORDER BY means: by its number or its
// name; -1 if it is an expression.
func (r query) ordinal(x *expr, cols []Column, sc *scope) (int, error) {
	if n, ok := x.value.(int64); ok && x.op == opLiteral {
		if n < 1 || n > int64(len(cols)) {
			if r.engine == MySQL {
				return 0, r.engine.noColumn("", strconv.FormatInt(n, 10), "order clause")
			}
			return 0, &Error{State: "42P10", Message: "ORDER BY position " + strconv.FormatInt(n, 10) + " is not in select list"}
		}
		return int(n - 1), nil
	}
	if x.op == opColumn && x.table == "" {
		for i := range cols {
			if strings.EqualFold(cols[i].Name, x.name) {
				return i, nil
			}
		}
	}
	if sc != nil {
		sc.where = "order clause"
	}
	return -1, nil
}

// filter leaves the rows for which a condition holds.
func (r query) filter(rows [][]Value, x *expr, cols []Column, outer *scope) ([][]Value, error) {
	var out [][]Value
	sc := &scope{cols: cols, outer: outer, where: "where clause"}
	for _, row := range rows {
		sc.row = row
		ok, err := r.holds(x, sc)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, row)
		}
	}
	return out, nil
}

// project computes the rows of the result and sorts them.
func (r query) project(a *arm, p *projection, scopes []*scope) (*relation, error) {
	rel := &relation{cols: p.cols}
	var keys [][]Value
	for _, sc := range scopes {
		row := make([]Value, len(p.items))
		for i := range p.items {
			v, err := r.eval(p.items[i].x, sc)
			if err != nil {
				return nil, err
			}
			row[i] = v
		}
		if err := r.keep(len(row) + len(p.order)); err != nil {
			return nil, err
		}
		sort := make([]Value, len(p.order))
		for i, o := range p.order {
			if p.place[i] >= 0 {
				sort[i] = row[p.place[i]]
				continue
			}
			v, err := r.eval(o.by, sc)
			if err != nil {
				return nil, err
			}
			sort[i] = v
		}
		rel.rows, keys = append(rel.rows, row), append(keys, sort)
	}
	r.sort(rel, keys, p.order)
	switch {
	case len(a.on) > 0:
		return rel, r.distinctOn(a, rel, p)
	case a.distinct:
		rel.rows = r.unique(rel.rows)
	}
	return rel, r.step(0)
}
