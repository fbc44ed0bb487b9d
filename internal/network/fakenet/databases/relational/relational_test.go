package relational

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ask runs a text and writes what the last statement returned: rows with | between
// the columns, the tag of a statement without rows, or the code of the error.
func ask(t testing.TB, s *Session, text string, params ...Value) string {
	t.Helper()
	list, err := s.Parse(text)
	out := ""
	for _, p := range list {
		if err = s.Describe(p, nil); err != nil {
			break
		}
		var res *Result
		if res, err = s.Run(p, params); err != nil {
			break
		}
		if res.Columns == nil {
			out = res.Tag
			continue
		}
		if len(res.Columns) != len(p.Columns) {
			t.Errorf("%s: described %d columns, %d came", text, len(p.Columns), len(res.Columns))
		}
		var lines []string
		for _, row := range res.Rows {
			var cells []string
			for i, v := range row {
				cell := s.engine.Format(v, res.Columns[i].Type)
				if v == nil {
					cell = "NULL"
				}
				cells = append(cells, cell)
			}
			lines = append(lines, strings.Join(cells, "|"))
		}
		out = strings.Join(lines, "\n")
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.State + " " + e.Message
	}
	if err != nil {
		t.Errorf("%s: an error of another kind: %v", text, err)
	}
	return out
}

type question struct{ text, want string }

func check(t *testing.T, e Engine, list []question) {
	t.Helper()
	for _, q := range list {
		s := New().Session(e, time.Time{})
		if diff := cmp.Diff(q.want, ask(t, s, q.text)); diff != "" {
			t.Errorf("%s\n%s", q.text, diff)
		}
	}
}

func TestQueries(t *testing.T) {
	check(t, Postgres, []question{
		{"SELECT name, city FROM customers WHERE id = 2", "Benoit Laurent|Lyon"},
		{"select * from orders where amount between 40 and 50 order by id limit 1", "3|2|Notebook A5|45.00|delivered|2024-03-14 12:40:00+00"},
		{"SELECT count(*), sum(amount), min(amount), max(product), avg(amount) FROM orders", "6|1180.70|39.90|Standing desk|196.7833333333330000"},
		{"SELECT status, count(*) AS n FROM orders GROUP BY status HAVING count(*) > 1 ORDER BY n DESC, status", "pending|2\nshipped|2"},
		{"SELECT c.name, o.product FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.city ILIKE 'h%' ORDER BY o.id", "Alice Meyer|Office chair\nAlice Meyer|Desk lamp"},
		{"SELECT p.name, o.id FROM products p LEFT JOIN orders o ON o.product = p.name AND o.status = 'delivered' ORDER BY p.id", "Desk lamp|NULL\nOffice chair|NULL\nNotebook A5|3\nStanding desk|NULL"},
		{"SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'pending') ORDER BY 1", "Chiara Rossi\nElena Novak"},
		{"SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 300) ORDER BY name DESC", "Elena Novak\nChiara Rossi"},
		{"WITH big AS (SELECT * FROM orders WHERE amount > 100) SELECT count(*) FROM big", "3"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n", "15"},
		{"SELECT id FROM customers WHERE name = '' OR '1'='1' ORDER BY id", "1\n2\n3\n4\n5"},
		{"SELECT name FROM products WHERE id = 0 UNION SELECT email FROM customers WHERE id < 3 ORDER BY 1 -- ' AND x", "alice.meyer@customers.example\nbenoit@laurent.example"},
		{"SELECT id, name FROM products WHERE id = -1 UNION SELECT 17*31, 'x'", "527|x"},
		{"SELECT 1; SELECT 2", "2"},
		{"SELECT 1 /* a /* nested */ comment */ + 1", "2"},
		{"SELECT 'a' || 'b', 7 / 2, 7 % 4, 7.0 / 2, -3 + 1, 2 ^ 10", "ab|3|3|3.5000000000000000|-2|1024"},
		{"SELECT CASE WHEN stock > 100 THEN 'many' ELSE 'few' END FROM products WHERE id < 3 ORDER BY id", "many\nfew"},
		{"SELECT coalesce(NULL, 'x'), nullif(1, 1), upper('abc'), length('äöü'), substring('hello' from 2 for 3)", "x|NULL|ABC|3|ell"},
		{"SELECT DISTINCT category FROM products ORDER BY category", "furniture\nlighting\nstationery"},
		{"SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, s) WHERE n > 1", "2|b"},
		{"SELECT x::int + 1, '2024-01-31'::date + interval '1 day', true::text FROM (SELECT '41' AS x) q", "42|2024-02-01 00:00:00|true"},
		{"SELECT name, count(*) OVER () FROM customers ORDER BY id LIMIT 2", "Alice Meyer|5\nBenoit Laurent|5"},
		{"SELECT string_agg(name, ', ' ORDER BY name DESC) FROM products WHERE category = 'furniture'", "Standing desk, Office chair"},
		{"SELECT row_to_json(p) FROM (SELECT id, name FROM products WHERE id = 1) p", `{"id":1,"name":"Desk lamp"}`},
		{"SELECT id FROM customers WHERE id = ANY('{1,3}') ORDER BY id", "1\n3"},
		{"SELECT extract(year from created_at) FROM customers WHERE id = 1", "2024"},
		{"SELECT generate_series FROM generate_series(1, 3)", "1\n2\n3"},
		{"SELECT name FROM customers WHERE name ~* '^a' AND name LIKE '%Mey_r'", "Alice Meyer"},
		{"SELECT '{\"a\":{\"b\":[1,2]}}'::jsonb -> 'a' -> 'b' ->> 1", "2"},
		{"SELECT i.relname, ix.indisunique, array_agg(a.attname) FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND a.attnum = ANY(ix.indkey) AND t.relname = 'customers' GROUP BY i.relname, ix.indisunique ORDER BY 1", "customers_email_key|t|{email}\ncustomers_pkey|t|{id}"},
		{"SELECT o.id, p.id FROM customers c, orders o LEFT JOIN products p ON p.name = o.product AND p.id > 2 WHERE c.id = o.customer_id AND c.id = 2", "3|3"},
		{"EXPLAIN SELECT * FROM orders", "Seq Scan on orders  (cost=0.00..11.50 rows=6 width=520)"},
		{"SHOW server_version", PostgresVersion},
		{"SELECT current_database(), current_schema(), current_user", "app|public|app"},
	})
}

func TestErrors(t *testing.T) {
	check(t, Postgres, []question{
		{"SELECT * FROM tickets", `42P01 relation "tickets" does not exist`},
		{"SELECT nope FROM customers", `42703 column "nope" does not exist`},
		{"SELECT c.nope FROM customers c", "42703 column c.nope does not exist"},
		{"SELECT * FROM customers WHERE name = 'a'' AND x", `42601 unterminated quoted string at or near "'a'' AND x"`},
		{"SELECT * FROM customers WHERE", "42601 syntax error at end of input"},
		{"SELEC 1", `42601 syntax error at or near "SELEC"`},
		{"SELECT nosuch(1)", "42883 function nosuch(integer) does not exist"},
		{"SELECT 1/0", "22012 division by zero"},
		{"SELECT 'abc'::int", `22P02 invalid input syntax for type integer: "abc"`},
		{"SELECT id FROM customers UNION SELECT 1, 2", "42601 each UNION query must have the same number of columns"},
		{"SELECT id FROM customers UNION SELECT name FROM products", "42804 UNION types integer and character varying cannot be matched"},
		{"INSERT INTO customers (id, name, email) VALUES (1, 'x', 'y')", `23505 duplicate key value violates unique constraint "customers_pkey"`},
		{"INSERT INTO customers (name) VALUES ('x')", `23502 null value in column "email" of relation "customers" violates not-null constraint`},
		{"SELECT name, count(*) FROM products", `42803 column "name" must appear in the GROUP BY clause or be used in an aggregate function`},
		{"SELECT * FROM pg_stat_statements", `42P01 relation "pg_stat_statements" does not exist`},
		{"BEGIN READ ONLY; DELETE FROM orders", "25006 cannot execute DELETE in a read-only transaction"},
		{"SELECT row_number() OVER (PARTITION BY city) FROM customers", ""},
		{"SELECT row_number() OVER (PARTITION BY city) FROM tickets", `42P01 relation "tickets" does not exist`},
	})
	check(t, MySQL, []question{
		{"SELECT * FROM tickets", "42S02 Table 'app.tickets' doesn't exist"},
		{"SELECT nope FROM customers", "42S22 Unknown column 'nope' in 'field list'"},
		{"SELECT * FROM customers WHERE name = 'a'b'", "42000 You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ''' at line 1"},
		{"SELECT extractvalue(1, concat(0x7e, (SELECT version())))", "HY000 XPATH syntax error: '~8.0.39'"},
		{"SELECT id FROM customers UNION SELECT 1, 2", "21000 The used SELECT statements have a different number of columns"},
		{"USE nosuch", "42000 Unknown database 'nosuch'"},
	})
}

func TestMySQL(t *testing.T) {
	check(t, MySQL, []question{
		{"SHOW TABLES", "customers\nproducts\norders\nusers"},
		{"SHOW TABLES LIKE 'cust%'", "customers"},
		{"SHOW DATABASES", "app\ninformation_schema\nmysql\nperformance_schema\nsys"},
		{"DESCRIBE customers", "id|int|NO|PRI|NULL|auto_increment\nname|varchar(100)|NO||NULL|\nemail|varchar(255)|NO|UNI|NULL|\ncity|varchar(100)|YES||NULL|\ncreated_at|timestamp|NO||CURRENT_TIMESTAMP|DEFAULT_GENERATED"},
		{"SELECT `name` FROM `app`.`customers` WHERE id = '2abc'", "Benoit Laurent"},
		{"SELECT name FROM customers WHERE city = \"LYON\" # comment", "Benoit Laurent"},
		{"SELECT @@version, database(), user()", MySQLVersion + "|app|app@localhost"},
		{"SELECT 1 || 0, 'a' 'b', 7 / 2, 7 DIV 2, 1/0, concat('a', 1)", "1|ab|3.5000|3|NULL|a1"},
		{"SELECT id FROM customers WHERE name = '' OR 1=1-- -'", "1\n2\n3\n4\n5"},
		{"SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()", "customers\nproducts\norders\nusers"},
		{"SELECT COLUMN_NAME, DATA_TYPE, COLUMN_KEY FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'orders' AND TABLE_SCHEMA = 'app' ORDER BY ORDINAL_POSITION LIMIT 2", "id|int|PRI\ncustomer_id|int|MUL"},
		{"INSERT INTO customers (name, email) VALUES ('Zoe', 'zoe@mail.example') ON DUPLICATE KEY UPDATE name = VALUES(name); SELECT LAST_INSERT_ID(), name FROM customers WHERE id = LAST_INSERT_ID()", "6|Zoe"},
		{"SELECT group_concat(name ORDER BY id SEPARATOR '/') FROM products WHERE id < 3", "Desk lamp/Office chair"},
		{"SELECT /*!40001 SQL_NO_CACHE */ id FROM orders LIMIT 1, 2", "2\n3"},
		{"SELECT date_add('2024-01-31', INTERVAL 1 DAY), year('2024-05-01')", "2024-02-01 00:00:00|2024"},
		{"SHOW VARIABLES LIKE 'version'", "version|" + MySQLVersion},
		{"SELECT IF(1 = 1, 'yes', 'no'), IFNULL(NULL, 3)", "yes|3"},
	})
	s := New().Session(MySQL, time.Time{})
	for _, text := range []string{"SHOW CREATE TABLE orders", "SHOW INDEX FROM orders", "SHOW FULL COLUMNS FROM orders", "SHOW STATUS", "SHOW PROCESSLIST", "EXPLAIN SELECT * FROM orders", "SHOW TABLE STATUS", "SHOW GRANTS", "SHOW ENGINES"} {
		if got := ask(t, s, text); got == "" || strings.HasPrefix(got, "42000") || strings.HasPrefix(got, "42S") {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// What is written is read, and a rollback undoes it.
func TestChanges(t *testing.T) {
	s := New().Session(Postgres, time.Time{})
	for _, q := range []question{
		{"INSERT INTO customers (name, email, city) VALUES ('Farid Aziz', 'farid@mail.example', 'Bergen') RETURNING id, created_at", "6|2024-05-20 10:00:00+00"},
		{"SELECT name FROM customers WHERE id = 6", "Farid Aziz"},
		{"UPDATE customers SET city = upper(city), name = name || '!' WHERE id >= 5 RETURNING city", "BRNO\nBERGEN"},
		{"DELETE FROM customers WHERE id = 6", "DELETE 1"},
		{"SELECT count(*) FROM customers", "5"},
		{"CREATE TABLE IF NOT EXISTS notes (id SERIAL PRIMARY KEY, title VARCHAR(20) NOT NULL, body TEXT DEFAULT 'empty', tags TEXT[], meta JSONB, done BOOLEAN DEFAULT false, CONSTRAINT one UNIQUE (title))", "CREATE TABLE"},
		{"INSERT INTO notes (title, tags, meta) VALUES ('a', '{x,y}', '{\"k\": 1}'), ('b', ARRAY['z'], NULL) RETURNING id, body, tags, meta, done", "1|empty|{x,y}|{\"k\": 1}|f\n2|empty|{z}|NULL|f"},
		{"INSERT INTO notes (title) VALUES ('a') ON CONFLICT (title) DO UPDATE SET body = excluded.title || '+' RETURNING id, body", "1|a+"},
		{"INSERT INTO notes (title) VALUES ('a') ON CONFLICT DO NOTHING", "INSERT 0 0"},
		{"ALTER TABLE notes ADD COLUMN stars INT NOT NULL DEFAULT 3, DROP COLUMN meta", "ALTER TABLE"},
		{"SELECT * FROM notes ORDER BY id", "1|a|a+|{x,y}|f|3\n2|b|empty|{z}|f|3"},
		{"CREATE INDEX ON notes (title)", "CREATE INDEX"},
		{"SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'notes' ORDER BY ordinal_position LIMIT 2", "id|integer|NO\ntitle|character varying|NO"},
		{"BEGIN", "BEGIN"}, {"DELETE FROM notes", "DELETE 2"}, {"SELECT count(*) FROM notes", "0"}, {"ROLLBACK", "ROLLBACK"},
		{"SELECT count(*) FROM notes", "2"},
		{"BEGIN", "BEGIN"}, {"SELECT nope", `42703 column "nope" does not exist`}, {"COMMIT", "COMMIT"},
		{"TRUNCATE notes", "TRUNCATE TABLE"}, {"DROP TABLE notes", "DROP TABLE"},
		{"SELECT * FROM notes", `42P01 relation "notes" does not exist`},
		{"INSERT INTO orders (customer_id, product, amount) SELECT id, 'Gift', 1.005 FROM customers WHERE id < 3", "INSERT 0 2"},
		{"SELECT amount, status FROM orders WHERE product = 'Gift'", "1.00|pending\n1.00|pending"},
		{"UPDATE orders o SET status = 'paid' FROM customers c WHERE c.id = o.customer_id AND c.name LIKE 'Alice%'", "UPDATE 3"},
		{"CREATE TABLE copy AS SELECT id, name FROM customers WHERE id < 3", "CREATE TABLE"}, {"SELECT count(*) FROM copy", "2"},
	} {
		if diff := cmp.Diff(q.want, ask(t, s, q.text)); diff != "" {
			t.Errorf("%s\n%s", q.text, diff)
		}
	}
}

// Both servers have the same tables.
func TestShared(t *testing.T) {
	store := New()
	ask(t, store.Session(MySQL, time.Time{}), "INSERT INTO products (name, price) VALUES ('Shelf', 20)")
	if got := ask(t, store.Session(Postgres, time.Time{}), "SELECT name, price FROM public.products WHERE id = 5"); got != "Shelf|20.00" {
		t.Errorf("got %q", got)
	}
}

func TestParameters(t *testing.T) {
	s := New().Session(Postgres, time.Time{})
	for text, want := range map[string][]Kind{
		"SELECT * FROM customers WHERE id = $1 AND name LIKE $2 LIMIT $3":              {Int4, Text, Int8},
		"INSERT INTO orders (customer_id, product, amount) VALUES ($1, $2, $3)":        {Int4, Varchar, Numeric},
		"UPDATE customers SET city = $1 WHERE id IN ($2, $3)":                          {Varchar, Int4, Int4},
		"SELECT $1::timestamptz, coalesce($2, 'x'), id FROM orders WHERE id = ANY($3)": {TimestampTZ, Unknown, IntArray},
	} {
		list, err := s.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Describe(list[0], nil); err != nil {
			t.Fatal(err)
		}
		var got []Kind
		for _, p := range list[0].Params {
			got = append(got, p.Kind)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}
