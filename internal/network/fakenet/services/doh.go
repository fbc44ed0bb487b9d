package services

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

const kindDNS = "application/dns-message"

// doh serves DNS over HTTPS: binary messages, and the JSON form of some
// resolvers.
func doh(_ *Services, r *Request) *Answer {
	if r.DNS == nil {
		return nil
	}
	if name := r.Query.Get("name"); name != "" && (r.Path == "/resolve" || strings.Contains(r.Header("Accept"), "dns-json")) {
		return dohJSON(r.DNS, name, r.Query.Get("type"))
	}
	var query []byte
	switch {
	case r.Method == http.MethodPost && strings.HasPrefix(r.Header("Content-Type"), kindDNS):
		query = r.Kept
	case r.Reads() && r.Query.Get("dns") != "":
		query, _ = base64.RawURLEncoding.DecodeString(strings.TrimRight(r.Query.Get("dns"), "=")) // empty if it is invalid
	default:
		return nil
	}
	if reply := r.DNS.Message(query, "https"); reply != nil {
		return of(http.StatusOK, kindDNS, reply).with("Cache-Control", "max-age=60")
	}
	return Page(http.StatusBadRequest)
}

func dohJSON(dns Resolver, name, kind string) *Answer {
	n, err := dnsmessage.NewName(strings.TrimSuffix(name, ".") + ".")
	if err != nil {
		return asJSON(http.StatusBadRequest, object{"error": "Invalid query name"})
	}
	q := dnsmessage.Question{Name: n, Type: dnsType(kind), Class: dnsmessage.ClassINET}
	answers, found := dns.Resolve(q, "https")
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
	a.Fields[0].Value = "application/dns-json"
	return a
}

// bodyType is the record's own type, which the resolver may leave unset.
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
