package protocols

import "testing"

// A query for all tables finds one.
func TestTables(t *testing.T) {
	for query, want := range map[string]bool{
		"SHOW TABLES": true, "show tables from app": true, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'": true,
		"select tablename from pg_catalog.pg_tables": true, "SELECT t.table_name FROM information_schema.tables t": true,
		"SHOW TABLESPACES": false, "SELECT table_name, table_type FROM information_schema.tables": false, "SELECT * FROM tables": false,
	} {
		if got := answered(query, "8"); (len(got.row) == 1 && got.row[0] == "customers") != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}
