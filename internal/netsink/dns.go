package netsink

import (
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// answerTTL is short enough that nothing is remembered for long.
const answerTTL = 60

// answer replies to one message of a client. A message that makes no sense
// gets no reply, as with any resolver.
func (s *served) answer(query []byte, told func(name, kind string, found bool)) []byte {
	var p dnsmessage.Parser
	header, err := p.Start(query)
	if err != nil || header.Response {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	address, found := s.address(q.Name.String())
	told(strings.TrimSuffix(q.Name.String(), "."), typeName(q.Type), found)
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: header.ID, Response: true, RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
		},
		Questions: []dnsmessage.Question{q},
	}
	switch {
	case !found:
		reply.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: answerTTL},
			Body:   &dnsmessage.AResource{A: address.As4()},
		}}
	}
	packed, err := reply.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func typeName(t dnsmessage.Type) string { return strings.TrimPrefix(t.String(), "Type") }

// addrPort makes addresses comparable with those of the standard library.
func addrPort(addr []byte, port uint16) netip.AddrPort {
	a, _ := netip.AddrFromSlice(addr)
	return netip.AddrPortFrom(a.Unmap(), port)
}
