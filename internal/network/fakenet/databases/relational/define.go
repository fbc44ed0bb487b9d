package relational

import (
	"fmt"
	"slices"
	"strings"
)

// definition executes what changes the tables themselves, and accepts what has no
// effect here.
func (r changing) definition(st *statement) (*Result, error) {
	if r.readOnly {
		return nil, r.engine.problem("25006", 1792, "cannot execute "+st.verb+" in a read-only transaction", "Cannot execute statement in a READ ONLY transaction.")
	}
	var err error
	switch st.verb {
	case "CREATE TABLE", "CREATE VIEW":
		err = r.createTable(st)
	case "DROP TABLE", "DROP VIEW":
		err = r.dropTables(st)
	case "TRUNCATE TABLE":
		var t *Table
		if t, err = r.target(st); err == nil {
			r.store.replace(t, nil)
		}
	case "CREATE INDEX":
		err = r.createIndex(st)
	case "ALTER TABLE":
		err = r.alterTable(st)
	case "CREATE SCHEMA":
		err = r.createSchema(st)
	case "DROP SCHEMA":
		err = r.dropSchema(st)
	case "CREATE EXTENSION":
		if !slices.Contains(r.store.extensions, st.table) && len(r.store.extensions) < maxSchemas {
			r.store.extensions = append(slices.Clip(r.store.extensions), clip(st.table))
		}
	}
	return &Result{Tag: st.verb}, err
}

func (r changing) createTable(st *statement) error {
	if t := r.find(st.schema, st.table); t != nil {
		if st.exist || st.verb == "CREATE VIEW" {
			return nil
		}
		return r.engine.problem("42P07", 1050, `relation "%s" already exists`, "Table '%s' already exists", clip(st.table))
	}
	schema := r.schemaOf(st.schema)
	if !slices.Contains(r.store.schemas, schema) {
		return r.engine.problem("3F000", 1049, `schema "%s" does not exist`, "Unknown database '%s'", clip(schema))
	}
	if len(r.store.tables) >= maxTables || len(st.define.columns) > maxColumns {
		return r.engine.full()
	}
	t := &Table{Schema: schema, Name: clip(st.table), OID: r.store.next(), Columns: st.define.columns, Constraints: slices.Clone(st.define.constraints), Next: 1, View: st.verb == "CREATE VIEW"}
	for i := range t.Columns {
		if r.engine == Postgres && t.Columns[i].Auto {
			t.Columns[i].DefaultText = fmt.Sprintf("nextval('%s_%s_seq'::regclass)", t.Name, t.Columns[i].Name)
		}
		for j := range i {
			if strings.EqualFold(t.Columns[i].Name, t.Columns[j].Name) {
				return r.engine.problem("42701", 1060, `column "%s" specified more than once`, "Duplicate column name '%s'", clip(t.Columns[i].Name))
			}
		}
	}
	for _, c := range t.Constraints {
		for _, name := range c.Columns {
			at := t.column(name)
			if at < 0 {
				return r.engine.problem("42703", 1072, `column "%s" named in key does not exist`, "Key column '%s' doesn't exist in table", clip(name))
			}
			t.Columns[at].NotNull = t.Columns[at].NotNull || c.Kind == "PRIMARY KEY"
		}
	}
	t.named()
	r.store.tables = append(slices.Clip(r.store.tables), t)
	if st.define.query == nil {
		return nil
	}
	return r.fill(t, st)
}

// fill puts the result of a query into a new table. A view is such a table, too: it
// shows what was there when it was made.
func (r changing) fill(t *Table, st *statement) error {
	rel, err := r.selection(st.define.query, nil)
	if err != nil {
		return err
	}
	for i, c := range rel.cols {
		name := c.Name
		if i < len(st.columns) {
			name = st.columns[i]
		}
		kind := c.Type
		if kind.Kind == Unknown {
			kind.Kind = Text
		}
		t.Columns = append(t.Columns, ColumnDef{Name: name, Type: kind})
	}
	if len(t.Columns) > maxColumns {
		return r.engine.full()
	}
	for _, row := range rel.rows {
		if !r.store.put(t, row) {
			return r.engine.full()
		}
	}
	return nil
}

func (r changing) dropTables(st *statement) error {
	for _, n := range st.define.names {
		t := r.find(n[0], n[1])
		switch {
		case t != nil:
			r.store.drop(t)
		case st.exist:
		case r.engine == MySQL:
			return &Error{State: "42S02", Number: 1051, Message: fmt.Sprintf("Unknown table '%s.%s'", r.Database, clip(n[1]))}
		default:
			return &Error{State: "42P01", Message: fmt.Sprintf("table %q does not exist", clip(n[1]))}
		}
	}
	return nil
}

func (r changing) createIndex(st *statement) error {
	t, err := r.target(st)
	if err != nil {
		return err
	}
	x := st.define.index
	for _, name := range x.Columns {
		if t.column(name) < 0 {
			return r.engine.noColumn("", clip(name), "field list")
		}
	}
	if x.Name == "" {
		x.Name = t.Name + "_" + strings.Join(x.Columns, "_") + "_idx"
	}
	x.Name = clip(x.Name)
	if slices.ContainsFunc(t.Indexes, func(y Index) bool { return y.Name == x.Name }) {
		if st.exist {
			return nil
		}
		return r.engine.problem("42P07", 1061, `relation "%s" already exists`, "Duplicate key name '%s'", x.Name)
	}
	if len(t.Indexes) >= maxSchemas {
		return r.engine.full()
	}
	t.Indexes = append(slices.Clip(t.Indexes), x)
	return nil
}

func (r changing) createSchema(st *statement) error {
	if r.isSchema(st.schema) {
		if st.exist {
			return nil
		}
		return r.engine.problem("42P06", 1007, `schema "%s" already exists`, "Can't create database '%s'; database exists", clip(st.schema))
	}
	if len(r.store.schemas) >= maxSchemas {
		return r.engine.full()
	}
	r.store.schemas = append(slices.Clip(r.store.schemas), clip(st.schema))
	return nil
}

func (r changing) dropSchema(st *statement) error {
	schema := r.schemaOf(st.schema)
	at := slices.Index(r.store.schemas, schema)
	if at < 0 {
		if st.exist {
			return nil
		}
		return r.engine.problem("3F000", 1008, `schema "%s" does not exist`, "Can't drop database '%s'; database doesn't exist", clip(st.schema))
	}
	for _, t := range slices.Clone(r.store.tables) {
		if t.Schema == schema {
			r.store.drop(t)
		}
	}
	if schema != mainSchema {
		r.store.schemas = slices.Delete(slices.Clone(r.store.schemas), at, at+1)
	}
	return nil
}

func (r changing) alterTable(st *statement) error {
	t, err := r.target(st)
	if err != nil {
		if st.exist {
			return nil // ALTER TABLE IF EXISTS
		}
		return err
	}
	for i := range st.define.actions {
		if err := r.alter(t, &st.define.actions[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r changing) alter(t *Table, a *action) error {
	at := t.column(a.column)
	switch a.kind {
	case "":
		return nil
	case "add", "add maybe":
		return r.addColumn(t, a)
	case "rename":
		t.Name = clip(a.to)
		return nil
	case "constraint":
		t.Constraints = append(slices.Clip(t.Constraints), a.rule)
		t.named()
		return nil
	}
	if at < 0 {
		if a.kind == "drop maybe" {
			return nil
		}
		if r.engine == MySQL {
			return r.engine.problem("42000", 1091, "", "Can't DROP '%s'; check that column/key exists", clip(a.column))
		}
		return &Error{State: "42703", Message: fmt.Sprintf("column %q of relation %q does not exist", clip(a.column), t.Name)}
	}
	t.Columns = slices.Clone(t.Columns)
	c := &t.Columns[at]
	switch a.kind {
	case "drop", "drop maybe":
		t.Columns = slices.Delete(t.Columns, at, at+1)
		return r.rewrite(t, func(row []Value) ([]Value, error) { return slices.Delete(slices.Clone(row), at, at+1), nil })
	case "rename column":
		c.Name = clip(a.to)
	case "not null", "null":
		c.NotNull = a.kind == "not null"
	case "default":
		c.Default, c.DefaultText = a.def.Default, a.def.DefaultText
	case "type":
		c.Type = a.def.Type
		if a.to != "" {
			*c = a.def
		}
		return r.rewrite(t, func(row []Value) ([]Value, error) {
			v, err := r.stored(row[at], c)
			row = slices.Clone(row)
			row[at] = v
			return row, err
		})
	}
	return nil
}

func (r changing) addColumn(t *Table, a *action) error {
	if t.column(a.def.Name) >= 0 {
		if a.kind == "add maybe" {
			return nil
		}
		return r.engine.problem("42701", 1060, `column "%s" of relation already exists`, "Duplicate column name '%s'", clip(a.def.Name))
	}
	if len(t.Columns) >= maxColumns {
		return r.engine.full()
	}
	var v Value
	if a.def.Default != nil {
		var err error
		if v, err = r.eval(a.def.Default, nil); err == nil {
			v, err = r.stored(v, &a.def)
		}
		if err != nil {
			return err
		}
	}
	t.Columns = append(slices.Clip(t.Columns), a.def)
	return r.rewrite(t, func(row []Value) ([]Value, error) { return append(slices.Clip(row), v), nil })
}

// rewrite exchanges all rows of a table.
func (r changing) rewrite(t *Table, f func([]Value) ([]Value, error)) error {
	var rows [][]Value
	for _, row := range t.Rows {
		changed, err := f(row)
		if err != nil {
			return err
		}
		if err := r.keep(len(changed)); err != nil {
			return err
		}
		rows = append(rows, changed)
	}
	r.store.replace(t, rows)
	if r.store.bytes > maxBytes {
		return r.engine.full()
	}
	return nil
}
