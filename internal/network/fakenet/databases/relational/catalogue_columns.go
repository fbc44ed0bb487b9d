package relational

import (
	"strings"
)

func (r catalog) listColumns(catalog string) *relation {
	rel := listing("table_catalog table_schema:n table_name:n column_name:n ordinal_position:i column_default is_nullable data_type character_maximum_length:i numeric_precision:i numeric_scale:i datetime_precision:i udt_name:n is_identity column_type column_key extra column_comment character_set_name collation_name privileges domain_name is_generated")
	if r.engine == MySQL {
		for i := range rel.cols {
			rel.cols[i].Name = strings.ToUpper(rel.cols[i].Name)
		}
	}
	for _, t := range r.store.tables {
		for i, c := range t.Columns {
			var size, precision, scale, text, charset, collation Value
			info := c.Type.Kind.info()
			dataType, label := info.postgres, c.Type.Name()
			switch {
			case c.Type.Kind == Varchar || c.Type.Kind == Char:
				size, charset, collation = c.Type.Size, "utf8mb4", "utf8mb4_0900_ai_ci"
			case c.Type.Kind == Numeric:
				precision, scale = c.Type.Size, c.Type.Scale
			case c.Type.Kind.integer():
				precision, scale = map[Kind]int{Int2: 16, Int4: 32, Int8: 64, OID: 32}[c.Type.Kind], 0
			case c.Type.Kind == TextArray || c.Type.Kind == IntArray:
				dataType = "ARRAY"
			}
			if s := r.defaultText(t, &c); s != "" {
				text = s
			}
			if r.engine == MySQL {
				dataType, label = info.mysql, c.Type.mysqlName()
			}
			rel.add(catalog, r.shownSchema(t.Schema), t.Name, c.Name, i+1, text, yesNo(!c.NotNull), dataType, size, precision, scale, nil, info.udt, "NO",
				label, t.keyOf(c.Name), c.extra(), c.Comment, charset, collation, "select,insert,update,references", nil, "NEVER")
		}
	}
	return rel
}

// defaultText is the default of a column as the server shows it.
func (r catalog) defaultText(t *Table, c *ColumnDef) string {
	switch {
	case c.Auto && r.engine == Postgres:
		return "nextval('" + t.Name + "_" + c.Name + "_seq'::regclass)"
	case c.Auto:
		return ""
	case r.engine == MySQL:
		s, _, _ := strings.Cut(c.DefaultText, "::")
		if s == "now()" {
			return "CURRENT_TIMESTAMP"
		}
		return strings.Trim(s, "'")
	}
	return c.DefaultText
}

// keyOf is MySQL's mark for a column: PRI, UNI or MUL.
func (t *Table) keyOf(column string) string {
	for _, kind := range []string{"PRIMARY KEY", "UNIQUE"} {
		for _, c := range t.Constraints {
			if c.Kind == kind && len(c.Columns) > 0 && strings.EqualFold(c.Columns[0], column) {
				return kind[:3]
			}
		}
	}
	for _, x := range t.Indexes {
		if len(x.Columns) > 0 && strings.EqualFold(x.Columns[0], column) {
			return "MUL"
		}
	}
	for _, c := range t.Constraints {
		if len(c.Columns) > 0 && strings.EqualFold(c.Columns[0], column) {
			return "MUL"
		}
	}
	return ""
}

func (c *ColumnDef) extra() string {
	switch {
	case c.Auto:
		return "auto_increment"
	case c.DefaultText == "now()":
		return "DEFAULT_GENERATED"
	}
	return ""
}

// indexes are all indexes of a table, those of its keys among them.
func (t *Table) indexes() []Index {
	var list []Index
	for _, c := range t.Constraints {
		if c.Kind == "PRIMARY KEY" || c.Kind == "UNIQUE" || c.Kind == "KEY" {
			list = append(list, Index{c.Name, c.Columns, c.Kind != "KEY"})
		}
	}
	return append(list, t.Indexes...)
}

func (r catalog) listStatistics(catalog string) *relation {
	rel := listing("TABLE_CATALOG TABLE_SCHEMA TABLE_NAME NON_UNIQUE:i INDEX_SCHEMA INDEX_NAME SEQ_IN_INDEX:i COLUMN_NAME COLLATION CARDINALITY:l SUB_PART:l NULLABLE INDEX_TYPE COMMENT IS_VISIBLE")
	if r.engine == Postgres {
		return nil
	}
	for _, t := range r.store.tables {
		schema := r.shownSchema(t.Schema)
		for _, x := range t.indexes() {
			name := x.Name
			if name == t.Name+"_pkey" {
				name = "PRIMARY"
			}
			for i, c := range x.Columns {
				rel.add(catalog, schema, t.Name, map[bool]int{false: 1}[x.Unique], schema, name, i+1, c, "A", len(t.Rows), nil, "", "BTREE", "", "YES")
			}
		}
	}
	return rel
}
