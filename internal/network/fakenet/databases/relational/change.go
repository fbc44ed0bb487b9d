package relational

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// target is the table that a statement changes.
func (r changing) target(st *statement) (*Table, error) {
	if r.readOnly && !r.dry {
		return nil, r.engine.problem("25006", 1792, "cannot execute "+st.verb+" in a read-only transaction", "Cannot execute statement in a READ ONLY transaction.")
	}
	t := r.find(st.schema, st.table)
	if t == nil {
		if _, err := (query{r.run}).table(st.schema, st.table); err != nil {
			return nil, err
		}
		return nil, r.engine.denied("table " + clip(st.table))
	}
	return t, nil
}

func (t *Table) scopeOf(alias string, outer *scope) *scope {
	sc := &scope{outer: outer}
	if alias == "" {
		alias = t.Name
	}
	for i, c := range t.Columns {
		sc.cols = append(sc.cols, Column{Name: c.Name, Type: c.Type, Table: alias, Of: t.OID, Number: i + 1})
	}
	return sc
}

// change executes INSERT, UPDATE and DELETE.
func (r changing) change(st *statement) (*Result, error) {
	if st.query != nil {
		names := len(r.named)
		defer func() { r.named = r.named[:names] }()
		if err := (query{r.run}).name(st.query.with, nil); err != nil {
			return nil, err
		}
	}
	t, err := r.target(st)
	if err != nil {
		return nil, err
	}
	var rows [][]Value // for RETURNING
	res := &Result{}
	switch st.verb {
	case "INSERT":
		rows, err = r.insert(st, t, res)
		res.Tag = "INSERT 0 " + strconv.FormatInt(res.Affected, 10)
	case "UPDATE":
		rows, err = r.update(st, t, res)
		res.Tag = "UPDATE " + strconv.FormatInt(res.Affected, 10)
	default:
		rows, err = r.remove(st, t, res)
		res.Tag = "DELETE " + strconv.FormatInt(res.Affected, 10)
	}
	if err != nil || st.returning == nil {
		return res, err
	}
	sc := t.scopeOf(st.alias, nil)
	if st.from != nil {
		from, err := r.sourceColumns(st.from)
		if err != nil {
			return nil, err
		}
		sc.cols = append(sc.cols, from...)
	}
	a := &arm{items: st.returning}
	p, err := (query{r.run}).projection(a, nil, sc)
	if err != nil {
		return nil, err
	}
	var scopes []*scope
	for _, row := range rows {
		scopes = append(scopes, &scope{cols: sc.cols, row: row})
	}
	rel, err := (query{r.run}).project(a, p, scopes)
	if err != nil {
		return nil, err
	}
	res.Columns, res.Rows = rel.cols, rel.rows
	return res, nil
}

func (r changing) sourceColumns(s *source) ([]Column, error) {
	was := r.dry
	r.dry = true
	defer func() { r.dry = was }()
	rel, err := (query{r.run}).source(s, nil)
	if err != nil {
		return nil, err
	}
	return rel.cols, nil
}

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

func (r changing) duplicate(t *Table, rule *Constraint, row []Value) error {
	var values []string
	for _, name := range rule.Columns {
		values = append(values, r.show(row[t.column(name)]))
	}
	if r.engine == MySQL {
		name := rule.Name
		if rule.Kind == "PRIMARY KEY" {
			name = "PRIMARY"
		}
		return &Error{State: "23000", Number: 1062, Message: fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", clip(strings.Join(values, "-")), t.Name, name)}
	}
	return &Error{State: "23505", Message: fmt.Sprintf("duplicate key value violates unique constraint %q", rule.Name)}
}

// conflict finds the row that has the same key; -1 if there is none.
func (r changing) conflict(t *Table, row []Value, but int) (*Constraint, int, error) {
	for _, rule := range t.keys() {
		var places []int
		isNull := false
		for _, name := range rule.Columns {
			at := t.column(name)
			if at < 0 {
				isNull = true
				break
			}
			places = append(places, at)
			isNull = isNull || row[at] == nil
		}
		if isNull {
			continue
		}
		if err := r.step(len(t.Rows)/8 + 1); err != nil {
			return nil, 0, err
		}
		for i, other := range t.Rows {
			if i == but || !slices.ContainsFunc(places, func(p int) bool { return other[p] != nil }) {
				continue
			}
			same := true
			for _, p := range places {
				same = same && other[p] != nil && alike(row[p], other[p])
			}
			if same {
				return &rule, i, nil
			}
		}
	}
	return nil, -1, nil
}

// alike compares two values of one column.
func alike(a, b Value) bool {
	if _, list := a.([]Value); list {
		return false
	}
	if _, list := b.([]Value); list {
		return false
	}
	return a == b
}

// setRow exchanges one row. The list is copied, so that what a transaction remembers
// stays as it was.
func (r changing) setRow(t *Table, at int, row []Value) {
	rows := slices.Clone(t.Rows)
	rows[at] = row
	r.steps += len(rows) / 16
	r.store.replace(t, rows)
}

// conflictScope has the columns of the row that is there, and those of the new one
// as EXCLUDED.a and new.a.
func (t *Table) conflictScope(alias string, there, row []Value) *scope {
	sc := t.scopeOf(alias, nil)
	sc.row = there[:len(there):len(there)]
	for i, c := range t.Columns {
		for _, name := range []string{"excluded", "new"} {
			sc.cols = append(sc.cols, Column{Name: c.Name, Type: c.Type, Table: name, hidden: true})
			if row != nil {
				sc.row = append(sc.row, row[i])
			}
		}
	}
	return sc
}

// overwrite changes the row that an inserted one collides with.
func (r changing) overwrite(st *statement, t *Table, at int, row []Value, res *Result) ([]Value, error) {
	sc := t.conflictScope(st.alias, t.Rows[at], row)
	if st.where != nil {
		if ok, err := r.holds(st.where, sc); err != nil || !ok {
			return nil, err
		}
	}
	changed, err := r.assigned(st.set, t, sc, row)
	if err != nil {
		return nil, err
	}
	r.setRow(t, at, changed)
	if res.Affected++; r.engine == MySQL {
		res.Affected++
	}
	return changed, nil
}
