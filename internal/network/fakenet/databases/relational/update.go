package relational

import (
	"fmt"
	"slices"
)

// assigned is a row after SET. excluded is the row of VALUES(a), if there is one.
func (r changing) assigned(set []assignment, t *Table, sc *scope, excluded []Value) ([]Value, error) {
	row := slices.Clone(sc.row[:len(t.Columns)])
	for _, a := range set {
		at := t.column(a.column)
		if at < 0 {
			if r.engine == Postgres {
				return nil, &Error{State: "42703", Message: fmt.Sprintf("column %q of relation %q does not exist", clip(a.column), t.Name)}
			}
			return nil, r.engine.noColumn("", clip(a.column), "field list")
		}
		c := &t.Columns[at]
		x := a.x
		var v Value
		var err error
		switch {
		case x.op == opDefault && c.Default == nil:
		case x.op == opCall && x.name == "values" && excluded != nil && len(x.args) == 1 && t.column(x.args[0].name) >= 0:
			v = excluded[t.column(x.args[0].name)]
		default:
			if x.op == opDefault {
				x = c.Default
			}
			if v, err = r.eval(x, sc); err != nil {
				return nil, err
			}
		}
		if row[at], err = r.stored(v, c); err != nil {
			return nil, err
		}
	}
	return row, r.notNull(t, row)
}

// checkSet finds the types of what is assigned.
func (r changing) checkSet(set []assignment, t *Table, sc *scope) error {
	for _, a := range set {
		at := t.column(a.column)
		if at < 0 || a.x.op == opDefault {
			continue // the error comes with the row
		}
		if _, err := r.infer(a.x, sc); err != nil {
			return err
		}
		r.expects(a.x, t.Columns[at].Type)
	}
	return nil
}

// chosen finds the rows that a condition chooses, each with what FROM adds to it.
func (r changing) chosen(st *statement, t *Table) (sc *scope, list []chosenRow, err error) {
	sc = t.scopeOf(st.alias, nil)
	others := &relation{rows: [][]Value{nil}}
	if st.from != nil {
		if others, err = query(r).source(st.from, nil); err != nil {
			return nil, nil, err
		}
		sc.cols = append(sc.cols, others.cols...)
	}
	if st.where != nil {
		sc.where = "where clause"
		if _, err := r.infer(st.where, sc); err != nil {
			return nil, nil, err
		}
	}
	if r.dry {
		return sc, nil, nil
	}
	most := 1 << 30
	if st.limit != nil {
		v, err := r.eval(st.limit, nil)
		if err != nil {
			return nil, nil, err
		}
		most = max(whole(v), 0)
	}
	for i, row := range t.Rows {
		for _, more := range others.rows {
			if err := r.keep(1); err != nil {
				return nil, nil, err
			}
			if len(list) >= most {
				return sc, list, nil
			}
			sc.row = slices.Concat(row, more)
			if st.where != nil {
				ok, err := r.holds(st.where, sc)
				if err != nil {
					return nil, nil, err
				}
				if !ok {
					continue
				}
			}
			list = append(list, chosenRow{i, sc.row})
			break
		}
	}
	return sc, list, nil
}

type chosenRow struct {
	at  int
	row []Value
}

func (r changing) update(st *statement, t *Table, res *Result) ([][]Value, error) {
	sc, list, err := r.chosen(st, t)
	if err != nil {
		return nil, err
	}
	if err := r.checkSet(st.set, t, sc); err != nil {
		return nil, err
	}
	rows := slices.Clone(t.Rows)
	var changed [][]Value
	for _, c := range list {
		sc.row = c.row
		row, err := r.assigned(st.set, t, sc, nil)
		if err != nil {
			return nil, err
		}
		rule, at, err := r.conflict(t, row, c.at)
		if err != nil {
			return nil, err
		}
		if at >= 0 {
			return nil, r.duplicate(t, rule, row)
		}
		rows[c.at] = row
		changed = append(changed, append(slices.Clip(row), c.row[len(row):]...))
		if err := r.keep(len(row)); err != nil {
			return nil, err
		}
		res.Affected++
	}
	if r.dry {
		return nil, nil
	}
	r.store.replace(t, rows)
	if r.store.bytes > maxBytes {
		return nil, r.engine.full()
	}
	return changed, nil
}

func (r changing) remove(st *statement, t *Table, res *Result) ([][]Value, error) {
	_, list, err := r.chosen(st, t)
	if err != nil || r.dry {
		return nil, err
	}
	gone := make(map[int]bool, len(list))
	var removed, left [][]Value
	for _, c := range list {
		gone[c.at] = true
		removed = append(removed, c.row)
	}
	for i, row := range t.Rows {
		if !gone[i] {
			left = append(left, row)
		}
	}
	r.store.replace(t, left)
	res.Affected = int64(len(list))
	return removed, nil
}
