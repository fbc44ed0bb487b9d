package protocols

import (
	"bytes"
	"encoding/binary"
)

// obey answers one command.
func (r *relations) obey(command byte, p []byte) {
	switch command {
	case 0x03: // COM_QUERY
		r.query(p)
	case 0x04: // COM_FIELD_LIST
		r.eof()
	case 0x09: // COM_STATISTICS
		r.send([]byte("Uptime: 3551211  Threads: 2  Questions: 18310  Slow queries: 0  Opens: 131"))
	case 0x16: // COM_STMT_PREPARE
		r.prepare(p)
	case 0x17: // COM_STMT_EXECUTE
		r.execute(p)
	case 0x18, 0x19: // COM_STMT_SEND_LONG_DATA, COM_STMT_CLOSE: not answered
	case 0x1b: // COM_SET_OPTION
		r.eof()
	default: // COM_PING, COM_INIT_DB, COM_CHANGE_USER, ...
		r.ok()
	}
}

func (r *relations) query(p []byte) {
	r.ask(languageSQL, string(p))
	verb, query := statement(p)
	if !selects(verb) {
		r.ok()
		return
	}
	r.table(answered(query, mysqlVersion), nil)
}

// table sends an answer with rows. row is the prefix of each row, which differs
// for prepared statements.
func (r *relations) table(t table, row []byte) {
	r.send([]byte{byte(len(t.columns))})
	for _, name := range t.columns {
		r.column(name)
	}
	r.eof()
	if t.row != nil {
		for _, value := range t.row {
			row = append(row, lenenc(value)...)
		}
		r.send(row)
	}
	r.eof()
}

// prepare prepares a statement. It counts parameters roughly: a question mark
// inside a string counts, too.
func (r *relations) prepare(p []byte) {
	r.ask(languageSQL, string(p))
	verb, query := statement(p)
	var t table
	if selects(verb) {
		t = answered(query, mysqlVersion)
	}
	if r.prepared == nil || len(r.prepared) >= namesMax {
		r.prepared = map[uint32]string{}
	}
	r.number++
	r.prepared[r.number] = string(p[:min(len(p), queryMax)])
	n := min(bytes.Count(p, []byte("?")), 1<<12)
	answer := binary.LittleEndian.AppendUint32([]byte{0}, r.number)
	r.send(append(answer, byte(len(t.columns)), 0, byte(n), byte(n>>8), 0, 0, 0))
	if n > 0 {
		for range n {
			r.column("?")
		}
		r.eof()
	}
	if len(t.columns) > 0 {
		for _, name := range t.columns {
			r.column(name)
		}
		r.eof()
	}
}

func (r *relations) execute(p []byte) {
	if len(p) < 4 {
		r.ok()
		return
	}
	verb, query := statement([]byte(r.prepared[binary.LittleEndian.Uint32(p)]))
	if !selects(verb) {
		r.ok()
		return
	}
	t := answered(query, mysqlVersion)
	r.table(t, make([]byte, 1+(len(t.columns)+9)/8)) // a row without NULLs
}

// column describes a text column.
func (r *relations) column(name string) {
	var p []byte
	for _, s := range []string{"def", "", "", "", name, ""} {
		p = append(p, lenenc(s)...)
	}
	p = append(p, 0x0c, mysqlCharset, 0, 0, 4, 0, 0, 0xfd, 0, 0, 0, 0, 0)
	r.send(p)
}

// lenenc is a string with its length in front. The length is below 251 for all
// strings sent here.
func lenenc(s string) []byte {
	s = s[:min(len(s), 250)]
	return append([]byte{byte(len(s))}, s...)
}
