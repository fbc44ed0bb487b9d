package protocols

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// The messages of Bolt, the protocol of Neo4j and Memgraph.
const (
	boltHello   = 0x01
	boltGoodbye = 0x02
	boltReset   = 0x0f
	boltRun     = 0x10
	boltDiscard = 0x2f
	boltPull    = 0x3f
	boltRoute   = 0x66
	boltLogon   = 0x6a

	boltSuccess = 0x70
	boltRecord  = 0x71
	boltIgnored = 0x7e
	boltFailure = 0x7f

	neo4jVersion = "Neo4j/5.20.0"
	// The latest versions that are spoken.
	boltMinor5, boltMinor4 = 4, 4
)

func bolt() speaker {
	return speaker{
		name:  "bolt",
		match: func(first []byte) match { return opens(first, "\x60\x60\xb0\x17") },
		serve: func(_ context.Context, w *wire) error { return (&graph{wire: w}).lead() },
	}
}

// graph is a session with a graph database. It holds a few people, and stores nothing.
type graph struct {
	*wire

	major, minor byte
	failed       bool // until it is reset, everything is ignored
	open         *cypherResult
}

func (g *graph) lead() error {
	hello, err := g.take(20)
	g.tell("")
	if err != nil {
		return err
	}
	if g.choose(hello[4:]); g.major == 0 {
		g.put(0, 0, 0, 0)
		return nil
	}
	g.put(0, 0, g.minor, g.major)
	for {
		p, err := g.message()
		if err != nil {
			return err
		}
		u := &unpacker{p: p}
		m, ok := u.value(0).(packed)
		if !ok || u.broken {
			g.tell("query")
			return errStray
		}
		if m.tag == boltHello || m.tag == boltLogon {
			g.tell("login")
		}
		g.tell("query")
		if m.tag == boltGoodbye {
			return nil
		}
		g.obey(&m)
	}
}

// choose takes the first version of the client's that is spoken.
func (g *graph) choose(proposals []byte) {
	for ; len(proposals) >= 4; proposals = proposals[4:] {
		back, minor, major := proposals[1], proposals[2], proposals[3]
		most := byte(boltMinor5)
		if major == 4 {
			most = boltMinor4
		}
		if (major != 5 && major != 4) || int(most) < int(minor)-int(back) {
			continue
		}
		g.major, g.minor = major, min(minor, most)
		return
	}
}

// message reads the chunks of a message. Of a long one only the beginning is returned.
func (g *graph) message() ([]byte, error) {
	var whole []byte
	for {
		size, err := g.take(2)
		if err != nil {
			return nil, err
		}
		n := int64(binary.BigEndian.Uint16(size))
		if n == 0 && len(whole) > 0 {
			return whole, nil
		}
		p, err := g.head("query", n)
		if err != nil {
			return nil, err
		}
		if len(whole) < takeMax {
			whole = append(whole, p...)
		}
		if len(g.heard) >= tellAt {
			g.tell("query") // no login is so long
		}
	}
}

// send sends a message in one chunk; all of ours are small.
func (g *graph) send(tag byte, fields ...any) {
	p := pack(nil, packed{tag, fields})
	g.put(byte(len(p)>>8), byte(len(p)))
	g.put(p...)
	g.put(0, 0)
}

func (g *graph) done(members ...member) { g.send(boltSuccess, members) }

// obey answers a message.
func (g *graph) obey(m *packed) {
	if g.failed && m.tag != boltReset {
		g.send(boltIgnored)
		return
	}
	switch m.tag {
	case boltHello:
		g.done(member{"server", neo4jVersion}, member{"connection_id", "bolt-7"}, member{"hints", []member{}})
	case boltReset:
		g.failed, g.open = false, nil
		g.done()
	case boltRun:
		g.run(m.fields)
	case boltPull:
		g.pull()
	case boltDiscard:
		g.finish()
	case boltRoute:
		at := []any{fmt.Sprintf("%s:%d", hostName(g.conversation.Name), g.conversation.Port)}
		var servers []any
		for _, role := range []string{"ROUTE", "READ", "WRITE"} {
			servers = append(servers, []member{{"addresses", at}, {"role", role}})
		}
		g.done(member{"rt", []member{{"ttl", 300}, {"db", "neo4j"}, {"servers", servers}}})
	default: // begin, commit, rollback, logon, logoff, telemetry
		g.done()
	}
}

// run takes a statement.
func (g *graph) run(fields []any) {
	text, parameters := "", []member(nil)
	if len(fields) > 0 {
		text, _ = fields[0].(string)
	}
	if len(fields) > 1 {
		parameters, _ = fields[1].([]member)
	}
	stated := text
	if len(parameters) > 0 {
		stated += " " + shown(parameters)
	}
	g.ask(languageCypher, stated)
	if g.open = cypher(text, g.major == 5); g.open == nil {
		g.failed = true
		g.send(boltFailure, []member{{"code", "Neo.ClientError.Statement.SyntaxError"}, {"message", "Invalid input: expected a statement"}})
		return
	}
	var names []any
	for _, name := range g.open.fields {
		names = append(names, name)
	}
	g.done(member{"fields", append([]any{}, names...)}, member{"t_first", 1})
}

// pull returns the records of the statement.
func (g *graph) pull() {
	if g.open != nil {
		for _, row := range g.open.rows {
			g.send(boltRecord, row)
		}
	}
	g.finish()
}

// finish ends a result.
func (g *graph) finish() {
	kind := "r"
	members := []member{{"t_last", 1}, {"db", "neo4j"}, {"bookmark", "FB:kcwQexample"}}
	if g.open != nil && g.open.writes {
		kind = "rw"
		members = append(members, member{"stats", []member{{"contains-updates", true}, {"nodes-created", 1}, {"properties-set", 1}}})
	}
	g.open = nil
	g.done(append(members, member{"type", kind})...)
}

// isWord reports whether a statement has a word, in any case of letters.
func isWord(statement, word string) bool {
	words := strings.FieldsFunc(strings.ToLower(statement), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' })
	return slices.Contains(words, word)
}
