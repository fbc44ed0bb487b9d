package names

import (
	"cmp"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// answerTTL is short, so that clients ask again.
const answerTTL = 60

// Question is one DNS question.
type Question struct {
	Name string
	Type string
	// Found says that the name exists, with or without such records.
	Found bool
}

// Answer replies to one DNS message with at most that many bytes. A longer
// answer is marked as truncated, so that the client asks again over TCP. An
// invalid message gets no reply, as with any resolver.
func (b *Directory) Answer(query []byte, most int) (reply []byte, asked []Question) {
	var p dnsmessage.Parser
	header, err := p.Start(query)
	if err != nil || header.Response {
		return nil, nil
	}
	q, err := p.Question()
	if err != nil {
		return nil, nil
	}
	name := strings.TrimSuffix(q.Name.String(), ".")
	asked = []Question{{Name: name, Type: typeName(q.Type), Found: b.Exists(name) || b.pointed(name) != ""}}
	m := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: header.ID, Response: true, OpCode: header.OpCode,
			RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
		},
		Questions: []dnsmessage.Question{q},
	}
	switch {
	case header.OpCode != 0:
		m.RCode = dnsmessage.RCodeNotImplemented
	case !asked[0].Found:
		m.RCode = dnsmessage.RCodeNameError
		m.Authorities = b.authority(q.Name)
	default:
		if m.Answers = b.Resources(q.Name, q.Type); len(m.Answers) == 0 {
			m.Authorities = b.authority(q.Name)
		}
	}
	return pack(&m, most), asked
}

func pack(m *dnsmessage.Message, most int) []byte {
	packed, err := m.Pack()
	if err == nil && len(packed) > most {
		m.Truncated, m.Answers, m.Authorities = true, nil, nil
		packed, err = m.Pack()
	}
	if err != nil {
		return nil
	}
	return packed
}

// Resources are the records of a name.
func (b *Directory) Resources(name dnsmessage.Name, kind dnsmessage.Type) []dnsmessage.Resource {
	text := canonical(name.String())
	one := func(body dnsmessage.ResourceBody) []dnsmessage.Resource {
		return []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: name, Class: dnsmessage.ClassINET, TTL: answerTTL}, Body: body,
		}}
	}
	switch kind {
	case dnsmessage.TypeA:
		if a, ok := b.Address4(text); ok {
			return one(&dnsmessage.AResource{A: a.As4()})
		}
	case dnsmessage.TypeAAAA:
		if a, ok := b.Address6(text); ok {
			return one(&dnsmessage.AAAAResource{AAAA: a.As16()})
		}
	case dnsmessage.TypePTR:
		if n, err := dnsmessage.NewName(b.pointed(text) + "."); err == nil && n.Length > 1 {
			return one(&dnsmessage.PTRResource{PTR: n})
		}
	}
	if _, ours := b.fixed[text]; ours || !b.Exists(text) {
		return nil
	}
	switch kind {
	case dnsmessage.TypeTXT:
		return one(&dnsmessage.TXTResource{TXT: []string{"v=spf1 include:_spf." + zone(text) + " ~all"}})
	case dnsmessage.TypeMX:
		if n, err := dnsmessage.NewName("mx1." + zone(text) + "."); err == nil {
			return one(&dnsmessage.MXResource{Pref: 10, MX: n})
		}
	case dnsmessage.TypeNS:
		if n, err := dnsmessage.NewName("ns1." + zone(text) + "."); err == nil {
			return one(&dnsmessage.NSResource{NS: n})
		}
	case dnsmessage.TypeSRV:
		if host, port := service(text); host != "" {
			if n, err := dnsmessage.NewName(host + "."); err == nil {
				return one(&dnsmessage.SRVResource{Priority: 10, Weight: 5, Port: port, Target: n})
			}
		}
	}
	return nil
}

// authority is the SOA record, without which a negative answer is not valid.
func (b *Directory) authority(name dnsmessage.Name) []dnsmessage.Resource {
	zone, err := dnsmessage.NewName(zone(canonical(name.String())) + ".")
	if err != nil {
		return nil
	}
	const refresh, retry, expire, least = 7200, 900, 1209600, 300
	server, mailbox := zone, zone
	if n, err := dnsmessage.NewName("ns1." + zone.String()); err == nil {
		server = n
	}
	if n, err := dnsmessage.NewName("hostmaster." + zone.String()); err == nil {
		mailbox = n
	}
	return []dnsmessage.Resource{{
		Header: dnsmessage.ResourceHeader{Name: zone, Class: dnsmessage.ClassINET, TTL: answerTTL},
		Body: &dnsmessage.SOAResource{
			NS: server, MBox: mailbox, Serial: 2026010101, Refresh: refresh, Retry: retry, Expire: expire, MinTTL: least,
		},
	}}
}

// Registered is the registrable domain of a name, or the name itself if it has
// none.
func Registered(name string) string { return zone(canonical(name)) }

// zone is the domain that is authoritative for a name.
func zone(name string) string { return cmp.Or(registered(name), name) }

// service splits "_imaps._tcp.host".
func service(name string) (host string, port uint16) {
	labels := strings.SplitN(name, ".", 3)
	if len(labels) < 3 || !strings.HasPrefix(labels[0], "_") || !strings.HasPrefix(labels[1], "_") {
		return "", 0
	}
	ports := map[string]uint16{
		"_imaps": 993, "_imap": 143, "_submission": 587, "_submissions": 465, "_xmpp-client": 5222,
		"_ldap": 389, "_kerberos": 88, "_mongodb": 27017, "_https": 443, "_http": 80, "_sip": 5060, "_matrix": 8448,
	}
	port, known := ports[labels[0]]
	if !known {
		port = 443
	}
	return labels[2], port
}

// pointed is the name for the reverse name of an address (PTR), "" if there is
// none.
func (b *Directory) pointed(name string) string {
	rest, six := strings.CutSuffix(canonical(name), ".ip6.arpa")
	if !six {
		four, ok := strings.CutSuffix(rest, ".in-addr.arpa")
		if !ok {
			return ""
		}
		return b.Name(backward(four))
	}
	digits := strings.Split(rest, ".")
	if len(digits) != 32 {
		return ""
	}
	var a [16]byte
	for i, d := range digits {
		v, err := strconv.ParseUint(d, 16, 4)
		if err != nil {
			return ""
		}
		at := 31 - i
		a[at/2] |= byte(v) << (4 * (1 - at%2))
	}
	return b.Name(netip.AddrFrom16(a))
}

func backward(four string) netip.Addr {
	parts := strings.Split(four, ".")
	if len(parts) != 4 {
		return netip.Addr{}
	}
	a, err := netip.ParseAddr(parts[3] + "." + parts[2] + "." + parts[1] + "." + parts[0])
	if err != nil {
		return netip.Addr{}
	}
	return a
}

func typeName(t dnsmessage.Type) string {
	const https = 65
	if t == https {
		return "HTTPS"
	}
	return strings.TrimPrefix(t.String(), "Type")
}
