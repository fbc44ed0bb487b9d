package rules

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// describeTraffic describes what happened on the network, and what left.
func (r *run) describeTraffic(e *mcpsf.Event, f *fields) {
	if e.Net != nil {
		r.describeNet(e, f)
	}
	switch {
	case e.Leak != nil:
		f.fillLeak(e)
		f.Belongs = f.Belongs || r.signsIn(f)
	case e.HTTP != nil:
		f.Verb, f.URL, f.Status, f.Sent = e.HTTP.Method, cut(e.HTTP.URL, maxURL), e.HTTP.Status, e.HTTP.Size
		f.body = e.HTTP.Body
		f.Service, f.headers = "http", e.HTTP.Headers[:min(len(e.HTTP.Headers), maxArgs)]
		f.Writes = f.Sent > 0 && f.Verb != "GET" && f.Verb != "HEAD" && f.Verb != "OPTIONS"
	case e.Query != nil:
		f.query, f.Service, f.Detail = e.Query, e.Query.Language, e.Query.Text
	case e.TLS != nil:
		f.Rejected = e.TLS.Rejected
		if f.named == "" && e.TLS.SNI != "" {
			f.Host = canonical(e.TLS.SNI)
		}
	case e.SMTP != nil:
		f.Sent, f.Service = e.SMTP.Size, "smtp"
	case e.Flow != nil:
		f.Service, f.Sent, f.Seconds, f.Detail = e.Flow.Service, e.Flow.Sent, e.Flow.Seconds, e.Flow.First
	}
	d := r.domains.of(f.Host)
	f.Domain, f.Class = d.name, string(d.class)
	if e.HTTP != nil || e.SMTP != nil {
		f.Recipients, f.Proposed = r.strangers(e)
	}
}

func (r *run) describeNet(e *mcpsf.Event, f *fields) {
	d := e.Net
	f.Address, f.Port, f.Error = d.Address, d.Port, d.Error
	f.Reach, f.Subject = reach(d), d.Address
	f.Resolver = toResolver(d) && d.Family != "dns"
	f.Registry = f.Phase == string(mcpsf.PhaseInstall) && (f.Resolver || toGateway(d))
	f.Unseen = e.Kind == mcpsf.KindNetConnect && r.traffic.sunk[r.box]
	switch {
	case d.Family == "dns":
		f.Reach, f.Subject, f.What, f.Host = "remote", d.Name, d.Type, canonical(d.Name)
	case d.Family == "http": // refused by the gateway
		f.Reach, f.Subject, f.What, f.Verb, f.Registry = "remote", d.Name, d.Type, d.Type, true
		f.Host = hostOfURL(d.Name)
	case d.Family != "unix":
		f.named, f.What = d.Name, d.Type
		if f.named == "" {
			f.named = r.traffic.names[d.Address]
		}
		f.Host = canonical(f.named)
		if f.Host == "" {
			f.Host = canonical(d.Address)
		}
		if f.Subject = f.Host; d.Port != 0 {
			f.Subject = f.Host + " port " + strconv.Itoa(d.Port)
		}
		if f.named != "" {
			f.Reach = "remote"
		}
	}
}

// strangers are the recipients that nobody gave: neither an argument of the
// call nor the configuration nor an answer of the network has the address.
// Those that stand only in the schema of the tool are proposed by the server.
func (r *run) strangers(e *mcpsf.Event) (nobody, proposed []string) {
	var list []string
	switch {
	case e.SMTP != nil:
		for _, to := range e.SMTP.To[:min(len(e.SMTP.To), maxRecipients)] {
			list = append(list, addressesIn(to)...)
		}
	case e.HTTP != nil:
		list = recipientsIn(e.HTTP)
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.Sort(list)
	c := r.calls.calls[e.Call]
	for _, address := range slices.Compact(list) {
		switch {
		case r.declared.config.addresses[address] || r.answers.addresses[address]:
		case c != nil && bytes.Contains(c.lower(), []byte(address)):
			if r.declared.tools.defaultsTo(c.tool, address) {
				proposed = append(proposed, address)
			}
		default:
			nobody = append(nobody, address)
		}
	}
	return nobody, proposed
}

// signsIn tells whether a credential is where one belongs, in a request to a
// host that the user configured, by a server that is named after what the
// credential is for: storage that speaks like that of a cloud is used with the
// keys of a cloud.
func (r *run) signsIn(f *fields) bool {
	claim, ok := r.declared.hosts.hosts.find(f.Host)
	return ok && claim.by == byConfiguration && strings.EqualFold(f.Part, "header Authorization") && r.declared.purpose.covers(f.Phase, f.Subject)
}
