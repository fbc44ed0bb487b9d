package protocols

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
)

// The operations of MongoDB's protocol.
const (
	opReply      = 1
	opUpdate     = 2001
	opInsert     = 2002
	opQuery      = 2004
	opDelete     = 2006
	opCompressed = 2012
	opMsg        = 2013

	mongoMax = 48000000 // bytes of one message
)

func mongo() speaker {
	return speaker{
		name:  "mongodb",
		match: matchMongo,
		serve: func(_ context.Context, w *wire) error {
			return (&documents{wire: w, store: w.stored().Documents}).lead()
		},
	}
}

func matchMongo(first []byte) match {
	if len(first) < 4 {
		// The length comes first; its low bytes may have any value.
		if slices.ContainsFunc(first, func(c byte) bool { return c < ' ' || c > '~' }) && first[0] >= 16 {
			return maybe
		}
		return no
	}
	if size := binary.LittleEndian.Uint32(first); size < 26 || size > mongoMax {
		return no
	}
	if len(first) < 16 {
		return maybe
	}
	switch binary.LittleEndian.Uint32(first[12:]) {
	case opUpdate, opInsert, opQuery, opDelete, opCompressed, opMsg:
		return yes
	}
	return no
}

// documents is a session with the documents of the run.
type documents struct {
	*wire

	store   *document.Store
	replies uint32
}

func (d *documents) lead() error {
	for {
		head, err := d.take(16)
		if err != nil {
			return err
		}
		size, op := int64(binary.LittleEndian.Uint32(head)), binary.LittleEndian.Uint32(head[12:])
		if size < 16 || size > mongoMax {
			return errStray
		}
		p, err := d.head("query", size-16)
		if err != nil {
			return err
		}
		command, wanted := mongoCommand(op, p)
		switch command.name {
		case "saslStart", "saslContinue", "authenticate":
			d.tell("login")
		default:
			d.tell("query")
			d.ask(languageMongo, command.json)
		}
		if answer := d.answer(command); wanted {
			d.reply(op, binary.LittleEndian.Uint32(head[4:]), answer)
		}
	}
}

// mongoCommand finds the command in a message, and whether the client expects
// an answer.
func mongoCommand(op uint32, p []byte) (c mongoRequest, wanted bool) {
	switch op {
	case opQuery:
		if len(p) < 4 {
			return c, false
		}
		name, rest := cstring(p[4:])
		body := rest[min(len(rest), 8):]
		c = parseDocument(body)
		c.body = readDocument(body, 0)
		if db, _, isCommand := strings.Cut(name, ".$cmd"); isCommand {
			c.body = append(c.body, document.Member{Name: "$db", Value: db})
		}
		return c, true
	case opMsg:
		if len(p) < 4 {
			return c, false
		}
		const moreToCome = 2
		wanted = binary.LittleEndian.Uint32(p)&moreToCome == 0
		body, list := sections(p[4:])
		c = parseDocument(body)
		c.body, c.documents = readDocument(body, 0), list
		return c, wanted
	}
	return c, false
}

func (d *documents) reply(op, to uint32, doc []byte) {
	var p []byte
	code := uint32(opMsg)
	if op == opQuery {
		code = opReply
		p = append(p, 8, 0, 0, 0) // flags: AwaitCapable
		p = append(p, make([]byte, 12)...)
		p = append(p, 1, 0, 0, 0) // number of documents
	} else {
		p = append(p, 0, 0, 0, 0, 0) // flags, kind of section
	}
	p = append(p, doc...)
	d.replies++
	var head []byte
	for _, n := range []uint32{uint32(len(p)) + 16, d.replies, to, code} {
		head = binary.LittleEndian.AppendUint32(head, n)
	}
	d.put(head...)
	d.put(p...)
}
