package relational

import (
	"strings"
)

// catalogue is a table in which the server describes itself; nil if there is none of
// that name.
func (r catalog) catalogue(schema, name string) *relation {
	name = strings.ToLower(name)
	switch schema = strings.ToLower(schema); {
	case schema == "information_schema":
		return r.informationSchema(name)
	case r.engine == Postgres && (schema == "" || schema == "pg_catalog"):
		return r.pgCatalog(name)
	case r.engine == MySQL && (schema == "mysql" || schema == "performance_schema" || schema == "sys"):
		return r.mysqlSchema(schema, name)
	}
	return nil
}

// listing builds a relation; its columns are "name" for texts, or "name:kind".
func listing(spec string) *relation {
	rel := &relation{}
	for i, c := range strings.Fields(spec) {
		name, kind, _ := strings.Cut(c, ":")
		k := map[string]Kind{"": Text, "n": Name, "i": Int4, "l": Int8, "b": Bool, "o": OID, "a": TextArray, "ia": IntArray, "t": TimestampTZ, "f": Float8}[kind]
		rel.cols = append(rel.cols, Column{Name: name, Type: Type{Kind: k}, Number: i + 1})
	}
	return rel
}

func (rel *relation) add(values ...Value) {
	for i, v := range values {
		if n, ok := v.(int); ok {
			values[i] = int64(n)
		}
	}
	rel.rows = append(rel.rows, values)
}

func yesNo(b bool) string { return map[bool]string{false: "NO", true: "YES"}[b] }

// informationSchema is the part of the standard that both servers have.
func (r catalog) informationSchema(name string) *relation {
	catalog := "def"
	if r.engine == Postgres {
		catalog = r.Database
	}
	switch name {
	case "schemata":
		rel := listing("catalog_name schema_name schema_owner default_character_set_name default_collation_name sql_path")
		for _, s := range r.schemas() {
			rel.add(catalog, s, r.User, "utf8mb4", "utf8mb4_0900_ai_ci", nil)
		}
		return rel
	case "tables":
		return r.listTables(catalog)
	case "columns":
		return r.listColumns(catalog)
	case "table_constraints":
		rel := listing("constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name constraint_type is_deferrable initially_deferred enforced")
		r.eachRule(func(t *Table, c *Constraint, schema string) {
			rel.add(catalog, schema, r.ruleName(c), catalog, schema, t.Name, c.Kind, "NO", "NO", "YES")
		})
		return rel
	case "key_column_usage":
		rel := listing("constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name column_name ordinal_position:i position_in_unique_constraint:i referenced_table_schema referenced_table_name referenced_column_name")
		r.eachRule(func(t *Table, c *Constraint, schema string) {
			for i, column := range c.Columns {
				var position, inSchema, other, of Value
				if c.Kind == "FOREIGN KEY" {
					position, inSchema, other = i+1, schema, c.Table
					if i < len(c.Other) {
						of = c.Other[i]
					}
				}
				rel.add(catalog, schema, r.ruleName(c), catalog, schema, t.Name, column, i+1, position, inSchema, other, of)
			}
		})
		return rel
	case "constraint_column_usage":
		rel := listing("table_catalog table_schema table_name column_name constraint_catalog constraint_schema constraint_name")
		r.eachRule(func(t *Table, c *Constraint, schema string) {
			table, columns := t.Name, c.Columns
			if c.Kind == "FOREIGN KEY" {
				table, columns = c.Table, c.Other
			}
			for _, column := range columns {
				rel.add(catalog, schema, table, column, catalog, schema, c.Name)
			}
		})
		return rel
	case "referential_constraints":
		rel := listing("constraint_catalog constraint_schema constraint_name unique_constraint_catalog unique_constraint_schema unique_constraint_name match_option update_rule delete_rule table_name referenced_table_name")
		r.eachRule(func(t *Table, c *Constraint, schema string) {
			if c.Kind == "FOREIGN KEY" {
				rel.add(catalog, schema, c.Name, catalog, schema, c.Table+"_pkey", "NONE", "NO ACTION", "NO ACTION", t.Name, c.Table)
			}
		})
		return rel
	}
	return r.informationMore(name, catalog)
}

// informationMore are the tables that few clients read, most of them empty.
func (r catalog) informationMore(name, catalog string) *relation {
	switch name {
	case "statistics":
		return r.listStatistics(catalog)
	case "views":
		return listing("table_catalog table_schema table_name view_definition check_option is_updatable")
	case "routines":
		return listing("specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name routine_type data_type routine_body routine_definition")
	case "triggers":
		return listing("trigger_catalog trigger_schema trigger_name event_manipulation event_object_schema event_object_table action_statement action_timing")
	case "parameters":
		return listing("specific_catalog specific_schema specific_name ordinal_position:i parameter_mode parameter_name data_type")
	case "sequences":
		return listing("sequence_catalog sequence_schema sequence_name data_type start_value minimum_value maximum_value increment")
	case "check_constraints":
		return listing("constraint_catalog constraint_schema constraint_name check_clause")
	case "partitions":
		return listing("table_catalog table_schema table_name partition_name table_rows:l")
	case "table_privileges", "role_table_grants", "column_privileges":
		return listing("grantor grantee table_catalog table_schema table_name privilege_type is_grantable")
	case "processlist":
		rel := listing("id:l user host db command time:i state info")
		rel.add(42, r.User, "localhost", r.Database, "Query", 0, "executing", nil)
		return rel
	case "engines":
		rel := listing("engine support comment transactions xa savepoints")
		rel.add("InnoDB", "DEFAULT", "Supports transactions, row-level locking, and foreign keys", "YES", "YES", "YES")
		return rel
	}
	return nil
}

func (r catalog) ruleName(c *Constraint) string {
	if r.engine == MySQL && c.Kind == "PRIMARY KEY" {
		return "PRIMARY"
	}
	return c.Name
}

// eachRule visits all keys; what MySQL calls KEY is none.
func (r catalog) eachRule(visit func(t *Table, c *Constraint, schema string)) {
	for _, t := range r.store.tables {
		for i := range t.Constraints {
			if c := &t.Constraints[i]; c.Kind != "KEY" {
				visit(t, c, r.shownSchema(t.Schema))
			}
		}
	}
}

func (r catalog) listTables(catalog string) *relation {
	if r.engine == Postgres {
		rel := listing("table_catalog:n table_schema:n table_name:n table_type is_insertable_into is_typed commit_action")
		for _, t := range r.store.tables {
			rel.add(catalog, t.Schema, t.Name, t.kind(), "YES", "NO", nil)
		}
		for _, name := range []string{"pg_class", "pg_namespace", "pg_attribute", "pg_type", "pg_index", "pg_constraint"} {
			rel.add(catalog, "pg_catalog", name, "BASE TABLE", "YES", "NO", nil)
		}
		for _, name := range []string{"tables", "columns", "schemata", "table_constraints", "key_column_usage"} {
			rel.add(catalog, "information_schema", name, "VIEW", "NO", "NO", nil)
		}
		return rel
	}
	rel := listing("TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE ENGINE VERSION:i ROW_FORMAT TABLE_ROWS:l AVG_ROW_LENGTH:l DATA_LENGTH:l INDEX_LENGTH:l AUTO_INCREMENT:l CREATE_TIME:t UPDATE_TIME:t TABLE_COLLATION TABLE_COMMENT")
	for _, t := range r.store.tables {
		rel.add(catalog, r.shownSchema(t.Schema), t.Name, t.kind(), "InnoDB", 10, "Dynamic", len(t.Rows), 4096, 16384, 0, t.Next, r.now, nil, "utf8mb4_0900_ai_ci", "")
	}
	for _, name := range []string{"TABLES", "COLUMNS", "SCHEMATA", "TABLE_CONSTRAINTS", "KEY_COLUMN_USAGE", "STATISTICS", "PROCESSLIST"} {
		rel.add(catalog, "information_schema", name, "SYSTEM VIEW", nil, 10, nil, 0, 0, 0, 0, nil, r.now, nil, nil, "")
	}
	rel.add(catalog, "mysql", "user", "BASE TABLE", "InnoDB", 10, "Dynamic", 1, 4096, 16384, 0, nil, r.now, nil, "utf8mb3_bin", "Users and global privileges")
	return rel
}

func (t *Table) kind() string {
	if t.View {
		return "VIEW"
	}
	return "BASE TABLE"
}

func (r catalog) mysqlSchema(schema, name string) *relation {
	switch schema + "." + name {
	case "mysql.user":
		rel := listing("Host User plugin account_locked authentication_string")
		rel.add("%", r.User, "caching_sha2_password", "N", "")
		return rel
	case "performance_schema.session_variables", "performance_schema.global_variables":
		rel := listing("VARIABLE_NAME VARIABLE_VALUE")
		for _, s := range r.settings() {
			rel.add(s[0], s[1])
		}
		return rel
	case "performance_schema.events_statements_summary_by_digest":
		return listing("SCHEMA_NAME DIGEST DIGEST_TEXT COUNT_STAR:l SUM_TIMER_WAIT:l AVG_TIMER_WAIT:l")
	}
	return nil
}
