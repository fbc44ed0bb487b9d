package protocols

import (
	"context"
	"encoding/binary"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

const (
	startupMax = 10 << 10
	namesMax   = 256 // statements that are remembered
	portalsMax = 4   // each of them may hold a result
	nameMax    = 63  // bytes of a user's or a database's name

	rememberMax = 256 << 10 // bytes of statements that are remembered
)

// The codes of the first message, which has no type byte.
const (
	startup3   = 3 << 16
	cancelCode = 1234<<16 | 5678
	tlsCode    = 1234<<16 | 5679
	gssCode    = 1234<<16 | 5680
)

func postgres() speaker {
	return speaker{
		name:  "postgresql",
		match: matchPostgres,
		serve: func(_ context.Context, w *wire) error {
			d := &database{wire: w, session: w.stored().SQL.Session(relational.Postgres, w.now())}
			defer d.session.Close()
			return d.lead()
		},
	}
}

func matchPostgres(first []byte) match {
	if len(first) < 8 {
		return min(maybe, opens(first, "\x00\x00"))
	}
	size, code := binary.BigEndian.Uint32(first), binary.BigEndian.Uint32(first[4:])
	if size < 8 || size > startupMax {
		return no
	}
	switch code {
	case cancelCode, tlsCode, gssCode:
		return yes
	}
	if code>>16 == startup3>>16 {
		return yes
	}
	return no
}

// database is a session with the tables of the run.
type database struct {
	*wire

	session    *relational.Session
	copying    bool // the client sends rows (COPY)
	skipping   bool // after an error, up to the next Sync
	statements map[string]*prepared
	remembered int // bytes of statements
	portals    map[string]*portal
}

func (d *database) lead() error {
	started, err := d.start()
	if err != nil || !started {
		return err
	}
	if err := d.login(); err != nil {
		return err
	}
	for {
		kind, p, err := d.message("query")
		if err != nil {
			return err
		}
		d.tell("query")
		if kind == 'X' {
			return nil
		}
		d.obey(kind, p)
	}
}

// start reads the messages up to the startup message. It returns false if the
// client only wants to cancel a query.
func (d *database) start() (bool, error) {
	for {
		p, err := d.take(8)
		if err != nil {
			return false, err
		}
		size, code := binary.BigEndian.Uint32(p), binary.BigEndian.Uint32(p[4:])
		if size < 8 || size > startupMax {
			return false, errStray
		}
		params, err := d.take(int(size) - 8)
		if err != nil {
			return false, err
		}
		d.tell("login")
		switch {
		case code == cancelCode:
			return false, nil
		case code == tlsCode && d.canSecure():
			d.put('S')
			if err := d.upgrade(); err != nil {
				return false, err
			}
		case code == tlsCode, code == gssCode:
			d.put('N')
		case code>>16 == startup3>>16:
			d.names(params)
			return true, nil
		default:
			return false, errStray
		}
	}
}

// names takes the user and the database from the startup message. Every name of a
// database is one of that with the tables.
func (d *database) names(params []byte) {
	for len(params) > 1 {
		var name, value string
		name, params = cstring(params)
		value, params = cstring(params)
		value = strings.ToValidUTF8(value[:min(len(value), nameMax)], "")
		switch {
		case value == "":
		case name == "user":
			d.session.User = value
		case name == "database":
			d.session.Database = value
		}
	}
}

// login asks for the password in clear, because every driver sends it. The
// methods that hide it require the server to prove that it knows it.
func (d *database) login() error {
	d.send('R', be32(3))
	if _, _, err := d.message("login"); err != nil {
		return err
	}
	d.tell("login")
	d.send('R', be32(0))
	for _, status := range [][2]string{
		{"server_version", relational.PostgresVersion},
		{"server_encoding", "UTF8"},
		{"client_encoding", "UTF8"},
		{"DateStyle", "ISO, MDY"},
		{"IntervalStyle", "postgres"},
		{"TimeZone", "Etc/UTC"},
		{"integer_datetimes", "on"},
		{"is_superuser", "off"},
		{"session_authorization", d.session.User},
		{"standard_conforming_strings", "on"},
	} {
		d.send('S', cstrings(status[:]...))
	}
	n := d.nonce()
	n[0] = 0 // process id
	d.send('K', n[:8])
	d.ready()
	return nil
}

// message reads a message and its type. Only the beginning of a long message is
// returned.
func (d *database) message(part string) (kind byte, p []byte, err error) {
	head, err := d.take(5)
	if err != nil {
		return 0, nil, err
	}
	size := int64(binary.BigEndian.Uint32(head[1:]))
	if size < 4 {
		return 0, nil, errStray
	}
	p, err = d.head(part, size-4)
	return head[0], p, err
}

func (d *database) send(kind byte, p []byte) {
	d.put(kind)
	d.put(be32(uint32(len(p)) + 4)...)
	d.put(p...)
}

func (d *database) ready() {
	d.send('Z', []byte{d.session.Status()})
}

func be16(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }

func be32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// cstrings joins strings, each with a NUL behind it.
func cstrings(texts ...string) []byte {
	var p []byte
	for _, s := range texts {
		p = append(append(p, s...), 0)
	}
	return p
}
