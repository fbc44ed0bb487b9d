package host

import (
	"encoding/binary"
	"io"
	"log/slog"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// no gap: exceeding it ends the connection, which is an event
const (
	portDoT    = 853
	maxMessage = 64 << 10
)

// dot serves DNS over TLS: messages with their length in front.
func (s *session) dot(l *line) {
	c, dns := &patient{Conn: l}, s.resolver()
	for range maxRequests {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		n, err := io.ReadFull(c, query)
		s.sent("", query[:n])
		reply := dns.Message(query[:n], "tls")
		if err != nil || reply == nil {
			s.linger(c, c)
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
	s.unread()
}

// resolver answers and reports questions inside HTTPS and TLS.
type resolver struct {
	resolve func(name, kind string) []dnsmessage.Resource
	proofs  *execproof.Tracker
	tell    func(Observation)
	log     *slog.Logger
}

var _ services.Resolver = (*resolver)(nil)

func (s *session) resolver() *resolver {
	return &resolver{resolve: s.h.o.Resolve, proofs: s.h.proofs, tell: s.tell, log: s.h.log}
}

// Message implements [services.Resolver].
func (d *resolver) Message(query []byte, over string) []byte {
	var p dnsmessage.Parser
	if len(query) > maxMessage {
		return nil
	}
	header, err := p.Start(query)
	if err != nil || header.Response {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	answers, found := d.Resolve(q, over)
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: header.ID, Response: true, RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
		},
		Questions: []dnsmessage.Question{q},
		Answers:   answers,
	}
	if !found {
		reply.RCode = dnsmessage.RCodeNameError
	}
	packed, err := reply.Pack()
	if err != nil {
		d.log.Warn("an answer of the resolver cannot be sent", "error", err)
		return nil
	}
	return packed
}

// Resolve implements [services.Resolver].
func (d *resolver) Resolve(q dnsmessage.Question, over string) ([]dnsmessage.Resource, bool) {
	name, kind := strings.TrimSuffix(q.Name.String(), "."), strings.TrimPrefix(q.Type.String(), "Type")
	answers := d.resolve(name, kind)
	d.tell(Observation{Lookup: &Lookup{Name: clean(name), Type: kind, Over: over, Found: answers != nil}})
	if hit := d.proofs.Resolved(name); hit != nil {
		d.tell(Observation{ExecProof: hit})
	}
	return answers, answers != nil
}
