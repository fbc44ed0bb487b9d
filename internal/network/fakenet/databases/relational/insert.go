package relational

import (
	"fmt"
)

// insert adds rows and returns those that were added.
func (r changing) insert(st *statement, t *Table, res *Result) ([][]Value, error) {
	places, err := r.insertPlaces(st, t)
	if err != nil {
		return nil, err
	}
	if st.conflict == "update" && r.engine == Postgres {
		if err := r.checkSet(st.set, t, t.conflictScope(st.alias, make([]Value, len(t.Columns)), nil)); err != nil {
			return nil, err
		}
	}
	var given [][]Value
	if st.rows == nil {
		rel, err := r.selection(st.query, nil)
		if err != nil {
			return nil, err
		}
		if len(rel.cols) > len(places) {
			return nil, r.tooManyValues(1)
		}
		given = rel.rows
	}
	var added [][]Value
	count := max(len(st.rows), len(given))
	for i := range count {
		row, err := r.newRow(st, t, places, given, i)
		if err != nil || r.dry {
			if err != nil {
				return nil, err
			}
			continue
		}
		done, err := r.addRow(st, t, row, res)
		if err != nil {
			return nil, err
		}
		if done != nil {
			added = append(added, done)
		}
	}
	return added, nil
}

func (r changing) tooManyValues(row int) error {
	return r.engine.problem("42601", 1136, "INSERT has more expressions than target columns", "Column count doesn't match value count at row %d", row)
}

// insertPlaces are the places of the columns that INSERT names.
func (r changing) insertPlaces(st *statement, t *Table) ([]int, error) {
	var places []int
	for _, name := range st.columns {
		at := t.column(name)
		if at < 0 {
			if r.engine == Postgres {
				return nil, &Error{State: "42703", Message: fmt.Sprintf("column %q of relation %q does not exist", clip(name), t.Name)}
			}
			return nil, r.engine.noColumn("", clip(name), "field list")
		}
		places = append(places, at)
	}
	if st.columns == nil {
		for i := range t.Columns {
			places = append(places, i)
		}
	}
	return places, nil
}

// newRow makes a row from the given values and the defaults.
func (r changing) newRow(st *statement, t *Table, places []int, given [][]Value, n int) ([]Value, error) {
	row, said := make([]Value, len(t.Columns)), make([]bool, len(t.Columns))
	if st.rows != nil {
		exprs := st.rows[n]
		if len(exprs) > len(places) || len(exprs) < len(places) && (st.columns != nil || r.engine == MySQL) && len(exprs) > 0 {
			if len(exprs) < len(places) {
				return nil, r.engine.problem("42601", 1136, "INSERT has more target columns than expressions", "Column count doesn't match value count at row %d", n+1)
			}
			return nil, r.tooManyValues(n + 1)
		}
		for i, x := range exprs {
			if x.op == opDefault {
				continue
			}
			if _, err := r.infer(x, nil); err != nil {
				return nil, err
			}
			r.expects(x, t.Columns[places[i]].Type)
			v, err := r.eval(x, nil)
			if err != nil {
				return nil, err
			}
			row[places[i]], said[places[i]] = v, true
		}
	} else {
		for i, v := range given[n] {
			row[places[i]], said[places[i]] = v, true
		}
	}
	if r.dry {
		return row, nil
	}
	return row, r.complete(t, row, said)
}

// complete fills in defaults and checks a row.
func (r changing) complete(t *Table, row []Value, said []bool) error {
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Auto && (!said[i] || row[i] == nil || r.engine == MySQL && row[i] == int64(0)):
			row[i] = t.Next
			t.Next++
			r.lastID = row[i].(int64)
		case !said[i] && c.Default != nil:
			v, err := r.eval(c.Default, nil)
			if err != nil {
				return err
			}
			row[i] = v
		case !said[i] && c.NotNull && r.engine == MySQL:
			return &Error{State: "HY000", Number: 1364, Message: fmt.Sprintf("Field '%s' doesn't have a default value", c.Name)}
		}
		v, err := r.stored(row[i], c)
		if err != nil {
			return err
		}
		row[i] = v
		if n, ok := v.(int64); ok && c.Auto && n >= t.Next && n < 1<<62 {
			t.Next = n + 1
		}
	}
	return r.notNull(t, row)
}

func (r changing) notNull(t *Table, row []Value) error {
	for i, c := range t.Columns {
		if c.NotNull && row[i] == nil {
			if r.engine == Postgres {
				return &Error{State: "23502", Message: fmt.Sprintf("null value in column %q of relation %q violates not-null constraint", c.Name, t.Name)}
			}
			return &Error{State: "23000", Number: 1048, Message: fmt.Sprintf("Column '%s' cannot be null", c.Name)}
		}
	}
	return nil
}

// addRow adds a row, or does what ON CONFLICT says. It returns the row as it is then.
func (r changing) addRow(st *statement, t *Table, row []Value, res *Result) ([]Value, error) {
	rule, at, err := r.conflict(t, row, -1)
	if err != nil {
		return nil, err
	}
	if at >= 0 {
		switch st.conflict {
		case "nothing":
			return nil, nil
		case "replace":
			r.setRow(t, at, row)
			res.Affected += 2
			return row, nil
		case "update":
			return r.overwrite(st, t, at, row, res)
		}
		return nil, r.duplicate(t, rule, row)
	}
	if !r.store.put(t, row) {
		return nil, r.engine.full()
	}
	res.Affected++
	res.LastID = r.lastID
	return row, nil
}
