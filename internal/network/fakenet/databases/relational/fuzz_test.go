package relational

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// FuzzStatements runs arbitrary texts on both servers.
func FuzzStatements(f *testing.F) {
	for _, text := range []string{
		"SELECT * FROM customers WHERE id = $1", "SELECT $x$a$x$, E'\\'', 'a' -- b", "WITH a AS (SELECT 1) SELECT * FROM a, a b", "SELECT ((((1))))",
		"INSERT INTO orders (customer_id, product, amount) VALUES (1, 'x', 2) RETURNING *", "CREATE TABLE t (a int primary key, b text default 'x')",
		"ALTER TABLE orders DROP COLUMN id, ADD x int; UPDATE orders SET x = 1", "SHOW CREATE TABLE orders", "SELECT a.* FROM customers a NATURAL JOIN orders b",
		"BEGIN; SAVEPOINT a; DELETE FROM orders; ROLLBACK TO a; COMMIT", "SELECT count(*) FILTER (WHERE id > 2), array_agg(id) FROM orders GROUP BY status",
		"SELECT CASE id WHEN 1 THEN 'a' END, CAST(id AS text), id::text FROM orders ORDER BY 1 DESC NULLS LAST LIMIT 2 OFFSET 1", "EXPLAIN SELECT 1",
		"SELECT /*!50000 1 */, `a`, @@x, @y FROM `orders`", "SELECT DATE '2024-01-01' + INTERVAL '1 day'", "SELECT interval 1 day + now()", "DROP TABLE orders; TRUNCATE customers",
		"SELECT jsonb_build_object('a', 1) -> 'a', '{1,2}'::int[] @> ARRAY[1]", "COPY orders FROM STDIN", "SELECT * FROM information_schema.columns c JOIN pg_class p ON p.relname = c.table_name",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []Engine{Postgres, MySQL} {
			store := New()
			s := store.Session(e, time.Time{})
			ask(t, s, text, int64(1), "a")
			s.CopyData([]byte(text))
			_, _ = s.CopyDone()
			s.Close()
			if store.held != 0 {
				t.Errorf("%d states are still held", store.held)
			}
			rows, size := 0, 0
			for _, table := range store.tables {
				rows += len(table.Rows)
				for _, row := range table.Rows {
					if len(row) != len(table.Columns) {
						t.Fatalf("a row of %d values in %d columns", len(row), len(table.Columns))
					}
				}
			}
			if store.rows != rows {
				t.Errorf("%d rows counted, %d there (%d)", store.rows, rows, size)
			}
		}
	})
}

// Every hostile statement ends soon, with an error or a bounded result.
func TestHostileStatements(t *testing.T) {
	big := strings.Repeat("x", 30<<10)
	for name, text := range map[string]string{
		"parentheses":        "SELECT " + strings.Repeat("(", 30<<10),
		"nots":               "SELECT " + strings.Repeat("NOT ", 15<<10) + "true",
		"minus":              "SELECT " + strings.Repeat("- ", 30<<10) + "1",
		"a long sum":         "SELECT 1" + strings.Repeat("+1", 30<<10),
		"a long condition":   "SELECT 1 FROM orders WHERE 1=1" + strings.Repeat(" OR 1=2", 8<<10),
		"a long list":        "SELECT 1 FROM orders WHERE id IN (9" + strings.Repeat(",9", 30<<10) + ")",
		"unions":             "SELECT 1" + strings.Repeat(" UNION SELECT 1", 4<<10),
		"columns":            "SELECT 1" + strings.Repeat(",1", 30<<10),
		"stars":              "SELECT *" + strings.Repeat(",*", 20<<10) + " FROM orders", //nolint:unqueryvet // the stars are the attack
		"tables":             "SELECT count(*) FROM orders" + strings.Repeat(", orders", 7<<10),
		"a product":          "SELECT count(*) FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h, orders i, orders j",
		"series":             "SELECT count(*) FROM generate_series(1, 1000000000)",
		"series twice":       "SELECT count(*) FROM generate_series(1, 3000) a, generate_series(1, 3000) b",
		"repeat":             "SELECT repeat('x', 2000000000)",
		"repeats":            "SELECT repeat(repeat(repeat('x', 1000), 1000), 1000)",
		"lpad":               "SELECT lpad('x', 2000000000, 'y')",
		"many repeats":       "SELECT repeat('x', 200000) FROM generate_series(1, 5000)",
		"joined texts":       "SELECT string_agg(repeat('x', 200000), '') FROM generate_series(1, 5000)",
		"doubling":           "WITH RECURSIVE t(s) AS (SELECT 'xx' UNION ALL SELECT s || s FROM t) SELECT length(s) FROM t",
		"recursion":          "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT count(*) FROM t",
		"queries in each":    "SELECT (SELECT count(*) FROM orders a, orders b, orders c WHERE a.id = o.id) FROM orders o, orders p, orders q",
		"likes":              "SELECT '" + strings.Repeat("a", 20<<10) + "' LIKE '" + strings.Repeat("%a", 10<<10) + "b' FROM generate_series(1, 1000)",
		"expressions":        "SELECT 'a' ~ '((a{1,50}){1,20}){1,1}' FROM generate_series(1, 100000)",
		"sorted texts":       "SELECT '" + big + "' || n FROM generate_series(1, 60) n ORDER BY 1",
		"distinct texts":     "SELECT count(*) FROM (SELECT DISTINCT s.s FROM (SELECT '" + big + "' AS s) s, generate_series(1, 60000)) q",
		"queries in queries": strings.Repeat("SELECT 1 FROM (", 2000),
		"in in in":           strings.Repeat("SELECT 1 WHERE 1 IN (", 2000),
		"cases":              "SELECT " + strings.Repeat("CASE WHEN true THEN ", 2000),
		"comments":           strings.Repeat("/*", 30<<10),
		"semicolons":         strings.Repeat(";", 60<<10),
		"statements":         strings.Repeat("SELECT 1;", 6<<10),
		"joins":              "SELECT 1 FROM orders " + strings.Repeat("JOIN orders USING (id) ", 2000),
		"casts":              "SELECT 1" + strings.Repeat("::text::int", 5<<10),
		"groups":             "SELECT 1 FROM orders GROUP BY 1" + strings.Repeat(",1", 20<<10),
		"arrays":             "SELECT " + strings.Repeat("ARRAY[", 5000),
		"json":               "SELECT '" + strings.Repeat("[", 30<<10) + "'::jsonb -> 0",
		"order":              "SELECT 1 ORDER BY " + strings.Repeat("1,", 20<<10) + "1",
		"with":               "WITH " + strings.Repeat("a AS (SELECT 1), ", 3000) + "b AS (SELECT 1) SELECT 1",
	} {
		for _, e := range []Engine{Postgres, MySQL} {
			s := New().Session(e, time.Time{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			ask(t, s, text)
			runtime.ReadMemStats(&after)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
				t.Errorf("%s: %d MB allocated", name, n>>20)
			}
		}
	}
}

// A client that stores without end gets errors, and what is kept stays small.
func TestStoreIsBounded(t *testing.T) {
	store := New()
	s := store.Session(Postgres, time.Time{})
	ask(t, s, "CREATE TABLE t (a text)")
	ask(t, s, "BEGIN")
	long := strings.Repeat("x", 20<<10)
	full := false
	for range 6000 {
		got := ask(t, s, "INSERT INTO t VALUES ('"+long+"')")
		if full = strings.HasPrefix(got, "53100"); full {
			break
		}
	}
	if !full || store.bytes > maxBytes {
		t.Errorf("full %v, %d bytes", full, store.bytes)
	}
	ask(t, s, "ROLLBACK")
	for range maxRows + 100 {
		ask(t, s, "INSERT INTO t VALUES ('x')")
	}
	if store.rows > maxRows {
		t.Errorf("%d rows", store.rows)
	}
	for range maxTables + 10 {
		ask(t, s, "CREATE TABLE "+"t"+strings.Repeat("a", len(store.tables)+1)+" (a text)")
	}
	if len(store.tables) > maxTables {
		t.Errorf("%d tables", len(store.tables))
	}
	for range 100 {
		ask(t, store.Session(Postgres, time.Time{}), "BEGIN; UPDATE t SET a = 'y'")
	}
	if store.held > maxHeld {
		t.Errorf("%d states are held", store.held)
	}
}
