package relational

import (
	"slices"
	"strings"
)

// check finds errors in the clauses that are evaluated later.
func (r query) check(a *arm, p *projection, sc *scope) error {
	for i, list := range [][]*expr{{a.where}, a.group, {a.having}} {
		sc.where = [...]string{"where clause", "group statement", "having clause"}[i]
		for n, x := range list {
			if x == nil {
				continue
			}
			if i == 0 && aggregated(x) {
				return r.engine.problem("42803", 1111, "aggregate functions are not allowed in WHERE", "Invalid use of group function")
			}
			if at, err := r.ordinal(x, p.cols, nil); i == 1 && err == nil && at >= 0 && at < len(p.items) && !r.inFrom(x, sc) {
				list[n] = p.items[at].x // GROUP BY 1, or by an alias
				continue
			}
			if i == 2 && r.engine == MySQL && x.op != opCall {
				x.each(func(y *expr) bool { r.aliasFor(y, p, sc); return true })
			}
			if _, err := r.infer(x, sc); err != nil {
				return err
			}
		}
	}
	return r.checkGroup(a, p)
}

// aliasFor lets HAVING name a column of the result, as MySQL does.
func (r query) aliasFor(x *expr, p *projection, sc *scope) {
	if x.op != opColumn || x.table != "" || r.inFrom(x, sc) {
		return
	}
	for i := range p.cols {
		if strings.EqualFold(p.cols[i].Name, x.name) {
			*x = *p.items[i].x
			return
		}
	}
}

func (r query) inFrom(x *expr, sc *scope) bool {
	return x.op == opColumn && slices.ContainsFunc(sc.cols, func(c Column) bool { return strings.EqualFold(c.Name, x.name) })
}

// checkGroup refuses columns that have no single value in a group.
func (r query) checkGroup(a *arm, p *projection) error {
	if len(a.group) == 0 && !slices.ContainsFunc(p.items, func(it item) bool { return aggregated(it.x) && !strings.HasPrefix(it.x.name, "over ") }) {
		return nil
	}
	grouped := func(x *expr) bool {
		return slices.ContainsFunc(a.group, func(g *expr) bool {
			return g == x || g.text != "" && g.text == x.text || g.op == opColumn && (strings.EqualFold(g.name, "id") || x.op == opColumn && strings.EqualFold(g.name, x.name))
		})
	}
	for i := range p.items {
		var bad *expr
		p.items[i].x.each(func(x *expr) bool {
			if grouped(x) || x.op == opCall && isAggregate(x.name) {
				return false
			}
			if x.op == opColumn && r.places[x].up == 0 && bad == nil {
				bad = x
			}
			return true
		})
		if bad != nil && len(a.group) > 0 || bad != nil && r.engine == Postgres {
			name := bad.name
			if bad.table != "" {
				name = bad.table + "." + name
			}
			return r.engine.problem("42803", 1055, `column "%s" must appear in the GROUP BY clause or be used in an aggregate function`,
				"Expression #1 of SELECT list is not in GROUP BY clause and contains nonaggregated column '%s' which is not functionally dependent on columns in GROUP BY clause; this is incompatible with sql_mode=only_full_group_by", name)
		}
	}
	return nil
}

// grouped makes a scope for each row of the result: one for each group, or for each
// row if nothing is grouped.
func (r query) grouped(a *arm, p *projection, rows [][]Value, sc *scope) ([]*scope, error) {
	isOver, isGroup := false, len(a.group) > 0 || a.having != nil
	for i := range p.items {
		p.items[i].x.each(func(x *expr) bool {
			isOver = isOver || x.op == opCall && strings.HasPrefix(x.name, "over ")
			isGroup = isGroup || x.op == opCall && isAggregate(x.name) && !strings.HasPrefix(x.name, "over ")
			return true
		})
	}
	for _, o := range p.order {
		isGroup = isGroup || aggregated(o.by)
	}
	var out []*scope
	if !isGroup {
		for _, row := range rows {
			one := &scope{cols: sc.cols, row: row, outer: sc.outer}
			if isOver {
				one.group, one.grouped = rows, true
			}
			out = append(out, one)
		}
		return out, r.step(len(rows))
	}
	groups, err := r.groups(a, rows, sc)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if a.having != nil {
			ok, err := r.holds(a.having, g)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
		}
		out = append(out, g)
	}
	return out, nil
}

func (r query) groups(a *arm, rows [][]Value, sc *scope) ([]*scope, error) {
	if len(a.group) == 0 {
		g := &scope{cols: sc.cols, outer: sc.outer, group: rows, grouped: true}
		if len(rows) > 0 {
			g.row = rows[0]
		}
		return []*scope{g}, nil
	}
	var list []*scope
	byKey := map[string]*scope{}
	for _, row := range rows {
		one := &scope{cols: sc.cols, row: row, outer: sc.outer, grouped: true}
		values, err := r.evalAll(a.group, one)
		if err != nil {
			return nil, err
		}
		k := r.key(values)
		g := byKey[k]
		if g == nil {
			g = one
			byKey[k] = g
			list = append(list, g)
		}
		g.group = append(g.group, row)
	}
	return list, nil
}

// distinctOn keeps the first row of each group of DISTINCT ON, whose expressions are
// columns of the result in all that was seen.
func (r query) distinctOn(a *arm, rel *relation, p *projection) error {
	seen := map[string]bool{}
	var out [][]Value
	for _, row := range rel.rows {
		var k []Value
		for _, x := range a.on {
			at := slices.IndexFunc(p.cols, func(c Column) bool { return strings.EqualFold(c.Name, x.name) })
			if at < 0 {
				return r.engine.unsupported("DISTINCT ON of what is not selected")
			}
			k = append(k, row[at])
		}
		if s := r.key(k); !seen[s] {
			seen[s] = true
			out = append(out, row)
		}
	}
	rel.rows = out
	return nil
}
