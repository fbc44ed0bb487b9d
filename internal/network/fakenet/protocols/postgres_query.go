package protocols

import (
	"encoding/binary"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// portal is a statement with its parameters.
type portal struct {
	statement *prepared
	params    []relational.Value
	formats   []uint16
	result    *relational.Result
	sent      int // rows
}

// prepared is a statement that a client gave a name; st is nil if it is empty.
type prepared struct {
	st       *relational.Prepared
	declared []relational.Kind
}

// obey answers one message after the login. After an error all messages up to the
// next Sync are passed over, as the protocol says.
func (d *database) obey(kind byte, p []byte) {
	if kind == 'P' || kind == 'Q' {
		d.told(kind, p)
	}
	if d.skipping && kind != 'S' && kind != 'Q' {
		return
	}
	switch kind {
	case 'Q':
		d.skipping = false
		d.simple(p)
	case 'P':
		d.parse(p)
	case 'B':
		d.bind(p)
	case 'D':
		d.describe(p)
	case 'E':
		d.execute(p)
	case 'C':
		d.forget(p)
		d.send('3', nil)
	case 'F':
		d.fail(&relational.Error{State: "0A000", Message: "function calls are not supported"})
		d.ready()
	case 'S':
		d.skipping = false
		d.ready()
	case 'd':
		if d.copying {
			d.session.CopyData(p)
		}
	case 'c', 'f':
		if d.copying {
			d.copied(kind)
		}
	}
}

// told reports the statement of a message.
func (d *database) told(kind byte, p []byte) {
	query := string(p)
	if kind == 'P' {
		_, rest := cstring(p)
		query, _ = cstring(rest)
	}
	d.ask(languageSQL, query)
}

// simple executes all statements of a text.
func (d *database) simple(p []byte) {
	text, _ := cstring(p)
	list, err := d.session.Parse(text)
	if err != nil {
		d.session.Failed()
		d.fail(err)
		d.ready()
		return
	}
	if len(list) == 0 {
		d.send('I', nil)
	}
	for _, st := range list {
		res, err := d.session.Run(st, nil)
		if err != nil {
			d.fail(err)
			break
		}
		if res.CopyIn > 0 {
			d.copyIn(res.CopyIn)
			return
		}
		if res.Columns != nil {
			d.columns(res.Columns, nil)
		}
		for _, row := range res.Rows {
			d.row(row, res.Columns, nil)
		}
		d.send('C', cstrings(res.Tag))
	}
	d.ready()
}

// copyIn asks the client for the rows of COPY.
func (d *database) copyIn(columns int) {
	d.copying = true
	p := append([]byte{0}, be16(columns)...)
	d.send('G', append(p, make([]byte, 2*columns)...))
}

// copied ends COPY: 'c' says that all was sent, 'f' that the client failed.
func (d *database) copied(kind byte) {
	d.copying = false
	res, err := d.session.CopyDone()
	switch {
	case kind == 'f':
		d.fail(&relational.Error{State: "57014", Message: "COPY from stdin failed"})
	case err != nil:
		d.fail(err)
	default:
		d.send('C', cstrings(res.Tag))
	}
	d.ready()
}

func (d *database) parse(p []byte) {
	name, rest := cstring(p)
	query, rest := cstring(rest)
	list, err := d.session.Parse(query)
	if err == nil && len(list) > 1 {
		err = &relational.Error{State: "42601", Message: "cannot insert multiple commands into a prepared statement"}
	}
	st := &prepared{}
	if err == nil && len(list) == 1 {
		st.st = list[0]
		if len(rest) >= 2 {
			n := int(binary.BigEndian.Uint16(rest))
			for rest = rest[2:]; n > 0 && len(rest) >= 4; rest, n = rest[4:], n-1 {
				st.declared = append(st.declared, relational.OfOID(binary.BigEndian.Uint32(rest)))
			}
		}
		err = d.session.Describe(st.st, st.declared)
	}
	if err != nil {
		d.stop(err)
		return
	}
	if st.st != nil {
		d.remembered += st.st.Shrink() + 8*len(st.declared)
	}
	if d.statements == nil || len(d.statements) >= namesMax || d.remembered > rememberMax {
		d.statements, d.remembered = map[string]*prepared{}, 0
	}
	d.statements[name[:min(len(name), addressMax)]] = st
	d.send('1', nil)
}

func (d *database) bind(p []byte) {
	name, rest := cstring(p)
	from, rest := cstring(rest)
	st := d.statements[from[:min(len(from), addressMax)]]
	if st == nil {
		d.stop(&relational.Error{State: "26000", Message: "prepared statement \"" + from[:min(len(from), addressMax)] + "\" does not exist"})
		return
	}
	b := &binder{p: rest}
	t := &portal{statement: st, params: b.params(st), formats: b.formats()}
	if b.err != nil {
		d.stop(b.err)
		return
	}
	if d.portals == nil || len(d.portals) >= portalsMax {
		d.portals = map[string]*portal{}
	}
	d.portals[name[:min(len(name), addressMax)]] = t
	d.send('2', nil)
}

func (d *database) describe(p []byte) {
	if len(p) == 0 {
		d.send('n', nil)
		return
	}
	name, _ := cstring(p[1:])
	name = name[:min(len(name), addressMax)]
	var st *prepared
	var formats []uint16
	if p[0] == 'S' {
		st = d.statements[name]
	} else if t := d.portals[name]; t != nil {
		st, formats = t.statement, t.formats
	}
	switch {
	case st == nil:
		d.stop(&relational.Error{State: map[bool]string{true: "26000", false: "34000"}[p[0] == 'S'], Message: "\"" + name + "\" does not exist"})
		return
	case p[0] == 'S':
		d.send('t', st.types())
	}
	if st.st == nil || st.st.Columns == nil {
		d.send('n', nil)
		return
	}
	d.columns(st.st.Columns, formats)
}

// types lists the types of the parameters.
func (s *prepared) types() []byte {
	if s.st == nil {
		return be16(0)
	}
	p := be16(len(s.st.Params))
	for _, t := range s.st.Params {
		p = append(p, be32(t.Kind.OID())...)
	}
	return p
}

func (d *database) execute(p []byte) {
	name, rest := cstring(p)
	t := d.portals[name[:min(len(name), addressMax)]]
	if t == nil {
		d.stop(&relational.Error{State: "34000", Message: "portal does not exist"})
		return
	}
	if t.statement.st == nil {
		d.send('I', nil)
		return
	}
	if t.result == nil {
		res, err := d.session.Run(t.statement.st, t.params)
		if err != nil {
			d.stop(err)
			return
		}
		if res.CopyIn > 0 {
			d.copyIn(res.CopyIn)
			return
		}
		t.result = res
	}
	most := len(t.result.Rows)
	if len(rest) >= 4 {
		if n := binary.BigEndian.Uint32(rest); n > 0 && int64(n) < int64(most-t.sent) {
			most = t.sent + int(n)
		}
	}
	for ; t.sent < most; t.sent++ {
		d.row(t.result.Rows[t.sent], t.result.Columns, t.formats)
	}
	if t.sent < len(t.result.Rows) {
		d.send('s', nil)
		return
	}
	d.send('C', cstrings(t.result.Tag))
	t.result.Rows, t.sent = nil, 0
}

// forget closes a statement or a portal.
func (d *database) forget(p []byte) {
	if len(p) == 0 {
		return
	}
	name, _ := cstring(p[1:])
	if p[0] == 'S' {
		delete(d.statements, name)
		return
	}
	delete(d.portals, name)
}
