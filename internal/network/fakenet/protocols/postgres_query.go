package protocols

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

const textOID = 25

// obey answers one message after the login.
func (d *database) obey(kind byte, p []byte) {
	switch kind {
	case 'Q':
		d.ask(languageSQL, string(p))
		d.simple(p)
	case 'P':
		name, rest := cstring(p)
		query, _ := cstring(rest)
		d.ask(languageSQL, query)
		d.statements = remember(d.statements, name, query)
		d.send('1', nil)
	case 'B':
		portal, rest := cstring(p)
		name, _ := cstring(rest)
		d.portals = remember(d.portals, portal, d.statements[name])
		d.send('2', nil)
	case 'D':
		d.describe(p)
	case 'E':
		portal, _ := cstring(p)
		d.execute(d.portals[portal])
	case 'C':
		d.send('3', nil)
	case 'F':
		d.send('V', be32(0xffffffff))
		d.ready()
	case 'S':
		d.ready()
	case 'c', 'f':
		if d.copying {
			d.copying = false
			d.send('C', cstrings("COPY 1"))
			d.ready()
		}
	}
}

// remember stores a query by its name. If there are too many, all are
// forgotten.
func remember(m map[string]string, name, query string) map[string]string {
	if m == nil || len(m) >= namesMax {
		m = map[string]string{}
	}
	m[name[:min(len(name), addressMax)]] = query[:min(len(query), queryMax)]
	return m
}

func (d *database) simple(p []byte) {
	verb, query := statement(p)
	if query == "" {
		d.send('I', nil)
		d.ready()
		return
	}
	if t, ok := rows(verb, query); ok {
		d.columns(t)
	}
	d.execute(query)
	if !d.copying {
		d.ready()
	}
}

func (d *database) describe(p []byte) {
	if len(p) == 0 {
		d.send('n', nil)
		return
	}
	name, _ := cstring(p[1:])
	query := d.portals[name]
	if p[0] == 'S' {
		query = d.statements[name]
		n := min(placeholders(query), 1<<15)
		types := be16(n)
		for range n {
			types = append(types, be32(textOID)...)
		}
		d.send('t', types)
	}
	verb, query := statement([]byte(query))
	t, ok := rows(verb, query)
	if !ok {
		d.send('n', nil)
		return
	}
	d.columns(t)
}

var returning = lazyregexp.New(`(?is)\sreturning\s+(.*)$`)

// rows finds the table that answers a statement. An inserted row gets an id,
// because programs use it in their next insert.
func rows(verb, query string) (t table, ok bool) {
	if selects(verb) {
		return answered(query, postgresVersion), true
	}
	found := returning.FindStringSubmatch(query)
	if found == nil {
		return t, false
	}
	for _, column := range strings.SplitN(found[1], ",", columnsMax) {
		if column = strings.Trim(column, ` "`); column == "*" {
			column = "id"
		}
		t.columns = append(t.columns, column[strings.LastIndexByte(column, '.')+1:])
		t.row = append(t.row, "1")
	}
	return t, true
}

// columns describes the columns of a table; all are text.
func (d *database) columns(t table) {
	p := be16(len(t.columns))
	for _, name := range t.columns {
		p = append(p, cstrings(name)...)
		p = append(p, 0, 0, 0, 0, 0, 0)
		p = append(p, be32(textOID)...)
		p = append(p, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0)
	}
	d.send('T', p)
}

// execute sends the rows of a statement, if any, and its completion.
func (d *database) execute(query string) {
	verb, query := statement([]byte(query))
	if query == "" {
		d.send('I', nil)
		return
	}
	t, _ := rows(verb, query)
	if t.row != nil {
		p := be16(len(t.row))
		for _, value := range t.row {
			p = append(append(p, be32(uint32(len(value)))...), value...)
		}
		d.send('D', p)
	}
	switch {
	case selects(verb):
		d.send('C', cstrings("SELECT "+strconv.Itoa(min(len(t.row), 1))))
	case verb == "COPY" && strings.Contains(strings.ToLower(query), "from stdin"):
		d.copying = true
		d.send('G', []byte{0, 0, 0})
	default:
		d.transact(verb)
		d.send('C', cstrings(completed(verb, query)))
	}
}

func (d *database) transact(verb string) {
	switch verb {
	case "BEGIN", "START":
		d.open = true
	case "COMMIT", "ROLLBACK", "END", "ABORT":
		d.open = false
	}
}

// completed is the command tag of an executed statement.
func completed(verb, query string) string {
	switch verb {
	case "INSERT":
		return "INSERT 0 1"
	case "UPDATE", "DELETE", "COPY", "MERGE":
		return verb + " 1"
	case "CREATE", "DROP", "ALTER":
		fields := strings.Fields(query)
		return strings.ToUpper(strings.Join(fields[:min(len(fields), 2)], " "))
	case "START":
		return "BEGIN"
	}
	return verb
}

// cstring splits p at the first NUL.
func cstring(p []byte) (s string, rest []byte) {
	before, after, _ := bytes.Cut(p, []byte{0})
	return string(before), after
}
