package protocols

import (
	"context"
	"encoding/binary"
)

// Frames of AMQP 0-9-1.
const (
	amqpMethod = 1
	amqpHeader = 2
	amqpBody   = 3
	amqpBeat   = 8
	amqpEnd    = 0xce
	amqpFrame  = 131072
)

func amqp() speaker {
	return speaker{
		name:  "amqp",
		match: func(first []byte) match { return opens(first, "AMQP") },
		serve: func(_ context.Context, w *wire) error { return (&exchange{wire: w}).lead() },
	}
}

// exchange accepts published messages and never delivers any.
type exchange struct {
	*wire

	confirm bool   // the client asked for confirmations of published messages
	missing uint64 // bytes of the message that is being published
	tag     uint64 // number of the last published message
}

// method is a class and its method, as in the protocol's tables.
type method uint32

const (
	connectionStart   method = 10<<16 | 10
	connectionStartOk method = 10<<16 | 11
	connectionTune    method = 10<<16 | 30
	connectionOpen    method = 10<<16 | 40
	connectionClose   method = 10<<16 | 50
	channelOpen       method = 20<<16 | 10
	channelClose      method = 20<<16 | 40
	queueDeclare      method = 50<<16 | 10
	queueUnbind       method = 50<<16 | 50
	basicConsume      method = 60<<16 | 20
	basicGet          method = 60<<16 | 70
	basicAck          method = 60<<16 | 80
	confirmSelect     method = 85<<16 | 10
)

func (e *exchange) lead() error {
	version, err := e.take(8)
	if err != nil {
		return err
	}
	if string(version) != "AMQP\x00\x00\x09\x01" {
		e.printf("AMQP\x00\x00\x09\x01") // the protocol version spoken here
		return errStray
	}
	able := long("\x12publisher_confirmst\x01\x0abasic.nackt\x01\x16consumer_cancel_notifyt\x01")
	properties := long("\x0ccapabilitiesF" + string(able) + "\x07productS" + string(long("RabbitMQ")) + "\x07versionS" + string(long("3.12.14")))
	start := append([]byte{0, 9}, properties...)
	start = append(append(start, long("PLAIN AMQPLAIN")...), long("en_US")...)
	e.send(0, connectionStart, start)
	for {
		closed, err := e.frame()
		if err != nil || closed {
			return err
		}
	}
}

// frame reads one frame and answers it.
func (e *exchange) frame() (closed bool, err error) {
	head, err := e.take(7)
	if err != nil {
		return false, err
	}
	kind, channel := head[0], binary.BigEndian.Uint16(head[1:])
	if kind != amqpMethod && kind != amqpHeader && kind != amqpBody && kind != amqpBeat {
		return false, errStray
	}
	p, err := e.head("", int64(binary.BigEndian.Uint32(head[3:])))
	if err != nil {
		return false, err
	}
	if _, err := e.take(1); err != nil {
		return false, err
	}
	if kind != amqpMethod || len(p) < 4 {
		e.tell("")
		e.publish(channel, kind, p, uint64(binary.BigEndian.Uint32(head[3:])))
		return false, nil
	}
	m := method(binary.BigEndian.Uint32(p))
	if m == connectionStartOk {
		e.tell("login")
	}
	e.tell("")
	e.answer(channel, m, p[4:])
	return m == connectionClose, nil
}

// publish counts the bytes of a published message until it is complete.
func (e *exchange) publish(channel uint16, kind byte, p []byte, size uint64) {
	switch {
	case kind == amqpHeader && len(p) >= 12:
		e.missing = binary.BigEndian.Uint64(p[4:])
		e.tag++
	case kind == amqpBody:
		e.missing -= min(e.missing, size)
	default:
		return
	}
	if e.confirm && e.missing == 0 {
		e.send(channel, basicAck, append(binary.BigEndian.AppendUint64(nil, e.tag), 0))
	}
}

func (e *exchange) answer(channel uint16, m method, p []byte) {
	switch m {
	case connectionStartOk:
		tune := append(be16(2047), be32(amqpFrame)...)
		e.send(channel, connectionTune, append(tune, 0, 60))
	case connectionOpen:
		e.send(channel, m+1, []byte{0})
	case channelOpen:
		e.send(channel, m+1, be32(0))
	case queueDeclare:
		name, _ := short(p[min(len(p), 2):])
		if len(name) < 2 {
			name = []byte("\x0eamq.gen-hJ2kQ9") // a queue name made up by the server
		}
		e.send(channel, m+1, append(name, make([]byte, 8)...))
	case basicConsume:
		_, rest := short(p[min(len(p), 2):])
		tag, _ := short(rest)
		e.send(channel, m+1, tag)
	case confirmSelect:
		e.confirm = true
		e.send(channel, m+1, nil)
	case basicGet:
		e.send(channel, m+2, []byte{0}) // empty
	case 50<<16 | 30, 50<<16 | 40: // purge and delete a queue
		e.send(channel, m+1, be32(0))
	case connectionClose, channelClose, queueUnbind, 20<<16 | 20, // flow
		40<<16 | 10, 40<<16 | 20, 40<<16 | 30, // exchanges
		50<<16 | 20,                            // bind
		60<<16 | 10, 60<<16 | 30, 60<<16 | 110, // quality, cancel, recover
		90<<16 | 10, 90<<16 | 20, 90<<16 | 30: // transactions
		e.send(channel, m+1, nil)
	}
}

// short splits off a string, with its length byte, from p.
func short(p []byte) (text, rest []byte) {
	if len(p) == 0 || len(p) < 1+int(p[0]) {
		return []byte{0}, nil
	}
	n := 1 + int(p[0])
	return append([]byte{}, p[:n]...), p[n:]
}

func (e *exchange) send(channel uint16, m method, p []byte) {
	e.put(amqpMethod)
	e.put(be16(int(channel))...)
	e.put(be32(uint32(len(p)) + 4)...)
	e.put(be32(uint32(m))...)
	e.put(p...)
	e.put(amqpEnd)
}

// long is s with its length as four bytes in front.
func long(s string) []byte { return append(be32(uint32(len(s))), s...) }
