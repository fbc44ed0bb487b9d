package fakenet

import (
	"context"
	"io"
	"net"
	"slices"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// no gap: exceeding it ends the connection, which is an event
const (
	dnsPort = 53
	// dnsPatience is how long a DNS connection stays open without a question.
	// datagramDNS is how long a socket does: clients ask for IPv4 and IPv6
	// addresses from one, but a later question is served as well without it, and
	// a server that looks up many names must not use up all conversations.
	dnsPatience = 5 * time.Second
	datagramDNS = 300 * time.Millisecond
	// Without EDNS a datagram holds 512 bytes; today's clients accept more.
	maxReply    = 1232
	maxDatagram = 64 << 10
)

func (s *Network) reply(query []byte, most int, f Flow) []byte {
	reply, asked := s.opts.Names.Answer(query, most)
	for _, q := range asked {
		s.opts.Lookup(Lookup{
			Name: q.Name, Type: q.Type, From: f.From, Server: f.To, Found: q.Found, Stream: f.Protocol == "tcp", Rest: beside(query),
		})
	}
	return reply
}

// beside returns what a question has beside its id and its name: the flags and
// numbers of the header, and everything behind the name.
func beside(query []byte) []byte {
	const idSize, headerSize = 2, 12
	var p dnsmessage.Parser
	if _, err := p.Start(query); err != nil {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	at := headerSize + len(q.Name.String()) + 1 // a name in a question is written out
	if q.Name.String() == "." {
		at = headerSize + 1
	}
	return append(slices.Clone(query[idSize:headerSize]), query[min(at, len(query)):]...)
}

// learn asks Real whether a name exists, if the directory does not decide it.
func (s *Network) learn(ctx context.Context, query []byte) {
	if s.opts.Real == nil {
		return
	}
	var p dnsmessage.Parser
	if header, err := p.Start(query); err != nil || header.Response {
		return
	}
	q, err := p.Question()
	if err != nil {
		return
	}
	name := q.Name.String()
	if exists, decided := s.opts.Real(ctx, name); decided {
		s.opts.Names.Learn(name, exists)
	}
}

func (s *Network) dnsDatagrams(ctx context.Context, conn net.Conn, f Flow) {
	query := make([]byte, maxDatagram)
	for {
		_ = conn.SetReadDeadline(time.Now().Add(datagramDNS))
		n, err := conn.Read(query)
		if err != nil {
			return
		}
		s.learn(ctx, query[:n])
		if reply := s.reply(query[:n], maxReply, f); reply != nil {
			if _, err := conn.Write(reply); err != nil {
				return
			}
		}
	}
}

// dnsStream serves DNS over TCP, with the length before each message.
func (s *Network) dnsStream(ctx context.Context, conn net.Conn, f Flow) {
	const lengthSize = 2
	for {
		_ = conn.SetDeadline(time.Now().Add(dnsPatience))
		var length [lengthSize]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, int(length[0])<<8|int(length[1]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		s.learn(ctx, query)
		reply := s.reply(query, maxDatagram-1, f)
		if reply == nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(reply) >> 8), byte(len(reply))}, reply...)); err != nil {
			return
		}
	}
}
