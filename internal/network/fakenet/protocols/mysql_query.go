package protocols

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// obey answers one command.
func (r *relations) obey(command byte, p []byte) {
	switch command {
	case 0x02: // COM_INIT_DB
		r.use(string(p))
	case 0x03: // COM_QUERY
		r.query(p)
	case 0x04: // COM_FIELD_LIST
		r.eof(0)
	case 0x09: // COM_STATISTICS
		r.send([]byte("Uptime: 3551211  Threads: 2  Questions: 18310  Slow queries: 0  Opens: 131"))
	case 0x16: // COM_STMT_PREPARE
		r.prepare(p)
	case 0x17: // COM_STMT_EXECUTE
		r.execute(p)
	case 0x18: // COM_STMT_SEND_LONG_DATA: not answered
		r.long(p)
	case 0x19: // COM_STMT_CLOSE: not answered
		if len(p) >= 4 {
			delete(r.prepared, binary.LittleEndian.Uint32(p))
		}
	case 0x1b: // COM_SET_OPTION
		r.eof(0)
	case 0x1f: // COM_RESET_CONNECTION
		r.session.Reset()
		r.ok(0, 0, 0)
	default: // COM_PING, COM_CHANGE_USER, ...
		r.ok(0, 0, 0)
	}
}

func (r *relations) use(name string) {
	list, err := r.session.Parse("USE `" + strings.ReplaceAll(name, "`", "") + "`")
	if err == nil && len(list) == 1 {
		_, err = r.session.Run(list[0], nil)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.ok(0, 0, 0)
}

// fail sends an error.
func (r *relations) fail(err error) {
	e := &relational.Error{State: "HY000", Number: 1105, Message: "Unknown error"}
	errors.As(err, &e)
	number, state := e.Number, e.State
	if number == 0 {
		number = 1105
	}
	p := binary.LittleEndian.AppendUint16([]byte{0xff}, number)
	p = append(append(append(p, '#'), (state + "HY000")[:5]...), e.Message...)
	r.send(p)
}

// query executes the statements of a text. Only clients that asked for it may send
// more than one.
func (r *relations) query(p []byte) {
	r.ask(languageSQL, string(p))
	text := strings.TrimRight(string(p), "\x00")
	list, err := r.session.Parse(text)
	switch {
	case err != nil:
		r.fail(err)
		return
	case len(list) == 0:
		r.fail(&relational.Error{State: "42000", Number: 1065, Message: "Query was empty"})
		return
	case len(list) > 1 && !r.multiple:
		at := len(list[0].Text) + 1
		r.fail(&relational.Error{State: "42000", Number: 1064, Message: "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '" +
			strings.TrimSpace(text[min(at, len(text)):min(at+80, len(text))]) + "' at line 1"})
		return
	}
	for i, st := range list {
		res, err := r.session.Run(st, nil)
		if err != nil {
			r.fail(err)
			return
		}
		var more uint16
		if i < len(list)-1 {
			more = mysqlMoreResults
		}
		r.answer(res, more, false)
	}
}

// answer sends a result. Prepared statements have their rows in binary.
func (r *relations) answer(res *relational.Result, more uint16, isBinary bool) {
	if res.Columns == nil {
		r.ok(res.Affected, res.LastID, more)
		return
	}
	r.send(lenencInt(nil, uint64(len(res.Columns))))
	for i := range res.Columns {
		r.column(&res.Columns[i])
	}
	r.eof(more)
	for _, row := range res.Rows {
		if isBinary {
			r.send(binaryRow(row, res.Columns))
			continue
		}
		var p []byte
		for i, v := range row {
			if v == nil {
				p = append(p, 0xfb)
				continue
			}
			p = lenenc(p, relational.MySQL.Format(v, res.Columns[i].Type))
		}
		r.send(p)
	}
	r.eof(more)
}

// prepare prepares a statement.
func (r *relations) prepare(p []byte) {
	r.ask(languageSQL, string(p))
	list, err := r.session.Parse(strings.TrimRight(string(p), "\x00"))
	if err == nil && len(list) != 1 {
		err = &relational.Error{State: "42000", Number: 1065, Message: "Query was empty"}
		if len(list) > 1 {
			err = &relational.Error{State: "42000", Number: 1064, Message: "You have an error in your SQL syntax"}
		}
	}
	if err == nil {
		err = r.session.Describe(list[0], nil)
	}
	if err != nil {
		r.fail(err)
		return
	}
	st := &mysqlPrepared{st: list[0]}
	r.remembered += st.st.Shrink()
	if r.prepared == nil || len(r.prepared) >= namesMax || r.remembered > rememberMax {
		r.prepared, r.remembered = map[uint32]*mysqlPrepared{}, 0
	}
	r.number++
	r.prepared[r.number] = st
	columns, params := len(st.st.Columns), len(st.st.Params)
	answer := binary.LittleEndian.AppendUint32([]byte{0}, r.number)
	answer = binary.LittleEndian.AppendUint16(answer, uint16(columns))
	answer = binary.LittleEndian.AppendUint16(answer, uint16(params))
	r.send(append(answer, 0, 0, 0))
	if params > 0 {
		for range params {
			r.column(&relational.Column{Name: "?", Type: relational.Type{Kind: relational.Varchar}})
		}
		r.eof(0)
	}
	if columns > 0 {
		for i := range st.st.Columns {
			r.column(&st.st.Columns[i])
		}
		r.eof(0)
	}
}

// long keeps the beginning of a parameter that is sent in pieces.
func (r *relations) long(p []byte) {
	if len(p) < 6 {
		return
	}
	st := r.prepared[binary.LittleEndian.Uint32(p)]
	if st == nil {
		return
	}
	if st.long == nil {
		st.long = map[uint16][]byte{}
	}
	at := binary.LittleEndian.Uint16(p[4:])
	if r.remembered += len(p); r.remembered <= rememberMax {
		st.long[at] = append(st.long[at], p[6:]...)
	}
}

func (r *relations) execute(p []byte) {
	var st *mysqlPrepared
	if len(p) >= 9 {
		st = r.prepared[binary.LittleEndian.Uint32(p)]
	}
	if st == nil {
		r.fail(&relational.Error{State: "HY000", Number: 1243, Message: "Unknown prepared statement handler given to mysqld_stmt_execute"})
		return
	}
	params, ok := st.params(p[9:])
	st.long = nil
	if !ok {
		r.fail(&relational.Error{State: "HY000", Number: 1210, Message: "Incorrect arguments to mysqld_stmt_execute"})
		return
	}
	res, err := r.session.Run(st.st, params)
	if err != nil {
		r.fail(err)
		return
	}
	r.answer(res, 0, true)
}

// column describes a column.
func (r *relations) column(c *relational.Column) {
	var p []byte
	for _, s := range []string{"def", r.session.Database, c.Table, c.Table, c.Name, c.Name} {
		p = lenenc(p, s[:min(len(s), 250)])
	}
	kind, length, charset := mysqlKind(c.Type)
	p = binary.LittleEndian.AppendUint16(append(p, 0x0c), charset)
	p = binary.LittleEndian.AppendUint32(p, length)
	var flags uint16
	if charset == 63 && kind != mysqlBlob {
		flags = 0x80 // binary: numbers and times
	}
	p = binary.LittleEndian.AppendUint16(append(p, kind), flags)
	r.send(append(p, byte(min(c.Type.Scale, 30)), 0, 0))
}

// lenencInt appends a number in the variable length of the protocol.
func lenencInt(p []byte, n uint64) []byte {
	switch {
	case n < 251:
		return append(p, byte(n))
	case n <= math.MaxUint16:
		return binary.LittleEndian.AppendUint16(append(p, 0xfc), uint16(n))
	case n < 1<<24:
		return append(p, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(p, 0xfe), n)
}

// lenenc appends a string with its length in front.
func lenenc(p []byte, s string) []byte { return append(lenencInt(p, uint64(len(s))), s...) }
