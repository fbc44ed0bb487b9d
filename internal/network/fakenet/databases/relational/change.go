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
		if _, err := query(r).table(st.schema, st.table); err != nil {
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
		if err := query(r).name(st.query.with, nil); err != nil {
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
	p, err := query(r).projection(a, nil, sc)
	if err != nil {
		return nil, err
	}
	var scopes []*scope
	for _, row := range rows {
		scopes = append(scopes, &scope{cols: sc.cols, row: row})
	}
	rel, err := query(r).project(a, p, scopes)
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
	rel, err := query(r).source(s, nil)
	if err != nil {
		return nil, err
	}
	return rel.cols, nil
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
	sc.row = slices.Clip(there)
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
