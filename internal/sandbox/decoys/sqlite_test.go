package decoys

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// query runs SQL with the real SQLite, one statement per line, and returns
// one line per row.
func query(t *testing.T, file []byte, statements ...string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, whose SQLite reads the file")
	}
	if exec.CommandContext(t.Context(), python, "-c", "import sqlite3").Run() != nil {
		t.Skip("this python3 comes without SQLite")
	}
	name := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    for row in db.execute(statement):
        print(*row, sep="|")
`, name)
	cmd.Args = append(cmd.Args, statements...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestShopDatabase(t *testing.T) {
	home := mustMint(t, 16)
	got := query(t, content(t, home, shopFile),
		"PRAGMA integrity_check", "PRAGMA foreign_key_check", "PRAGMA journal_mode", "PRAGMA encoding",
		"SELECT type, name FROM sqlite_master",
		"SELECT count(*), min(id), max(id), count(DISTINCT email) FROM customers",
		"SELECT count(*), min(total_cents) > 0, max(total_cents) < 20000 FROM orders JOIN customers c ON c.id = customer_id",
		"SELECT max(placed) < '2031-03-14' AND min(placed) > '2031-02-01' FROM orders",
		"SELECT name, email FROM customers WHERE id = 3",
		"INSERT INTO orders (customer_id, reference, placed, status, total_cents) VALUES (1, 'x', 'now', 'open', -1)",
		"CREATE INDEX by_reference ON orders (reference)",
		"VACUUM", "PRAGMA integrity_check", "SELECT max(id) FROM orders")
	want := `ok
delete
UTF-8
table|customers
table|orders
8|1|8|8
12|1|1
1
Chiara Rossi|chiara.rossi@mail.example
ok
13
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDatabaseValues(t *testing.T) {
	long := strings.Repeat("é", 900)
	file, err := database(table{name: "t", create: "CREATE TABLE t (a, b, c)", rows: [][]any{
		{int64(0), int64(-1), nil},
		{int64(1) << 62, "", long},
	}}, table{name: "none", create: "CREATE TABLE none (x)"})
	if err != nil {
		t.Fatal(err)
	}
	got := query(t, file, "PRAGMA integrity_check", "SELECT rowid, a, b, c IS NULL FROM t",
		"SELECT length(c), typeof(b) FROM t WHERE rowid = 2", "SELECT count(*) FROM none")
	if want := "ok\n1|0|-1|1\n2|4611686018427387904||0\n900|text\n0\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestDatabaseFull checks that the last row that fits is written, and that the
// next is an error.
func TestDatabaseFull(t *testing.T) {
	fill := func(n int) ([]byte, error) {
		rows := make([][]any, n)
		for i := range rows {
			rows[i] = []any{strings.Repeat("x", 100)}
		}
		return database(table{name: "t", create: "CREATE TABLE t (a)", rows: rows})
	}
	n := 1
	for ; n < 100; n++ {
		if _, err := fill(n + 1); err != nil {
			break
		}
	}
	if n < 30 || n > 40 {
		t.Fatalf("%d rows fit", n)
	}
	file, err := fill(n)
	if err != nil {
		t.Fatal(err)
	}
	if got := query(t, file, "PRAGMA integrity_check", "SELECT count(*), min(length(a)) FROM t"); !strings.HasPrefix(got, "ok\n") {
		t.Error(got)
	}
	if _, err := database(table{name: "t", create: "CREATE TABLE t (a)", rows: [][]any{{strings.Repeat("x", 4065)}}}); err == nil {
		t.Error("a row that overflows was taken")
	}
}

// TestDatabaseIndex lets SQLite check the order and use the index.
func TestDatabaseIndex(t *testing.T) {
	rows := [][]any{
		{"b", int64(2)}, {"a", nil}, {[]byte("a"), int64(1)}, {"a", int64(-3)}, {nil, int64(9)}, {int64(7), "x"}, {"B", []byte{0xff}}, {"", int64(0)},
	}
	create := func(key string, first any) ([]byte, error) {
		return database(table{
			name: "t", create: "CREATE TABLE t (a, b, UNIQUE (a, b))",
			rows: append([][]any{{first, key}}, rows...),
			indexes: []index{
				{columns: []int{0, 1}},
				{name: "by_b", create: "CREATE INDEX by_b ON t (b)", columns: []int{1}},
			},
		})
	}
	file, err := create("k", "z")
	if err != nil {
		t.Fatal(err)
	}
	got := query(t, file, "PRAGMA integrity_check", "SELECT count(*) FROM t INDEXED BY by_b WHERE b >= -3",
		"SELECT group_concat(typeof(a), ' ') FROM (SELECT a FROM t INDEXED BY sqlite_autoindex_t_1 WHERE a IS NOT NULL ORDER BY a, b)",
		"SELECT rowid FROM t WHERE a = 'a' AND b = -3", "REINDEX", "PRAGMA integrity_check")
	if want := "ok\n8\ninteger text text text text text text blob\n5\nok\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if _, err := create(strings.Repeat("k", 1001), "z"); err == nil {
		t.Error("a key that overflows was taken")
	}
}
