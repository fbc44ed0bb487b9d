package host

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	portDoT    = 853
	kindDNS    = "application/dns-message"
	maxMessage = 64 << 10
)

// dot serves DNS over TLS: messages with their length in front.
func (s *session) dot(l *line) {
	c := &patient{Conn: l}
	for range maxRequests {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		n, err := io.ReadFull(c, query)
		s.sent("", query[:n])
		reply := s.lookup(query[:n], "tls")
		if err != nil || reply == nil {
			s.linger(c, c)
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
	s.cut = true
}

// doh serves DNS over HTTPS: messages, and the JSON that some resolvers have.
func doh(s *session, r *request) *answer {
	if s.h.o.Resolve == nil {
		return nil
	}
	if name := r.query.Get("name"); name != "" && (r.path == "/resolve" || strings.Contains(r.header("Accept"), "dns-json")) {
		return s.dohJSON(name, r.query.Get("type"))
	}
	var query []byte
	switch {
	case r.method == http.MethodPost && strings.HasPrefix(r.header("Content-Type"), kindDNS):
		query = r.kept()
	case r.reads() && r.query.Get("dns") != "":
		query, _ = base64.RawURLEncoding.DecodeString(strings.TrimRight(r.query.Get("dns"), "=")) // or nothing
	default:
		return nil
	}
	if reply := s.lookup(query, "https"); reply != nil {
		return of(http.StatusOK, kindDNS, reply).with("Cache-Control", "max-age=60")
	}
	return page(http.StatusBadRequest)
}

// lookup answers one message; nil if it makes no sense.
func (s *session) lookup(query []byte, over string) []byte {
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
	answers, found := s.resolve(q, over)
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
		s.h.log.Warn("an answer of the resolver cannot be sent", "error", err)
		return nil
	}
	return packed
}

func (s *session) resolve(q dnsmessage.Question, over string) ([]dnsmessage.Resource, bool) {
	name, kind := strings.TrimSuffix(q.Name.String(), "."), strings.TrimPrefix(q.Type.String(), "Type")
	answers := s.h.o.Resolve(name, kind)
	s.tell(Observation{Lookup: &Lookup{Name: clean(name), Type: kind, Over: over, Found: answers != nil}})
	if hit := s.h.proofs.Resolved(name); hit != nil {
		s.tell(Observation{ExecProof: hit})
	}
	return answers, answers != nil
}

func (s *session) dohJSON(name, kind string) *answer {
	n, err := dnsmessage.NewName(strings.TrimSuffix(name, ".") + ".")
	if err != nil {
		return asJSON(http.StatusBadRequest, object{"error": "Invalid query name"})
	}
	q := dnsmessage.Question{Name: n, Type: dnsType(kind), Class: dnsmessage.ClassINET}
	answers, found := s.resolve(q, "https")
	status := 3
	if found {
		status = 0
	}
	list := []object{}
	for _, a := range answers {
		list = append(list, object{"name": a.Header.Name.String(), "type": int(bodyType(a, q.Type)), "TTL": a.Header.TTL, "data": dnsData(a.Body)})
	}
	a := asJSON(http.StatusOK, object{
		"Status": status, "TC": false, "RD": true, "RA": true, "AD": false, "CD": false,
		"Question": []object{{"name": n.String(), "type": int(q.Type)}}, "Answer": list,
	})
	a.fields[0].value = "application/dns-json"
	return a
}

// bodyType is the record's own, where the resolver left it to packing.
func bodyType(r dnsmessage.Resource, asked dnsmessage.Type) dnsmessage.Type {
	if r.Header.Type == 0 {
		return asked
	}
	return r.Header.Type
}

func dnsType(kind string) dnsmessage.Type {
	if n, err := strconv.ParseUint(kind, 10, 16); err == nil {
		return dnsmessage.Type(n)
	}
	types := map[string]dnsmessage.Type{
		"NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "SVCB": 64, "HTTPS": 65, "ANY": 255,
	}
	if t, ok := types[strings.ToUpper(kind)]; ok {
		return t
	}
	return dnsmessage.TypeA
}

func dnsData(body dnsmessage.ResourceBody) string {
	switch b := body.(type) {
	case *dnsmessage.AResource:
		return net.IP(b.A[:]).String()
	case *dnsmessage.AAAAResource:
		return net.IP(b.AAAA[:]).String()
	case *dnsmessage.TXTResource:
		return strings.Join(b.TXT, "")
	case *dnsmessage.CNAMEResource:
		return b.CNAME.String()
	case *dnsmessage.PTRResource:
		return b.PTR.String()
	case *dnsmessage.NSResource:
		return b.NS.String()
	case *dnsmessage.MXResource:
		return fmt.Sprintf("%d %s", b.Pref, b.MX)
	}
	return ""
}
