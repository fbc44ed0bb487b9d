package history

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lineage"
	"github.com/mcpsf/mcpsf/internal/judge/rules/mail"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// describeTraffic describes network events and leaks.
func (r *Run) describeTraffic(e *mcpsf.Event, f *event.Fields) {
	if e.Net != nil {
		r.describeNet(e, f)
	}
	switch {
	case e.Leak != nil:
		f.FillLeak(e)
		f.Belongs = f.Belongs || r.signsIn(f)
	case e.HTTP != nil:
		f.Verb, f.URL, f.Status, f.Sent = e.HTTP.Method, quote.Cut(e.HTTP.URL, lex.MaxURL), e.HTTP.Status, e.HTTP.Size
		f.Body = e.HTTP.Body
		f.Service, f.Headers = "http", e.HTTP.Headers[:min(len(e.HTTP.Headers), lex.MaxArgs)]
		f.Writes = f.Sent > 0 && f.Verb != "GET" && f.Verb != "HEAD" && f.Verb != "OPTIONS"
	case e.Query != nil:
		f.Query, f.Service, f.Detail = e.Query, e.Query.Language, e.Query.Text
	case e.TLS != nil:
		f.Rejected = e.TLS.Rejected
		if f.Named == "" && e.TLS.SNI != "" {
			f.Host = hostname.Canonical(e.TLS.SNI)
		}
	case e.SMTP != nil:
		f.Sent, f.Service = e.SMTP.Size, "smtp"
	case e.Flow != nil:
		f.Service, f.Sent, f.Seconds, f.Detail = e.Flow.Service, e.Flow.Sent, e.Flow.Seconds, e.Flow.First
	}
	d := r.Domains.Of(f.Host)
	f.Domain, f.Class, f.Bytes = d.Name, string(d.Class), room(e, d.Name)
	if e.HTTP != nil || e.SMTP != nil {
		f.Recipients, f.Proposed = r.strangers(e)
	}
}

func (r *Run) describeNet(e *mcpsf.Event, f *event.Fields) {
	d := e.Net
	f.Address, f.Port, f.Error = d.Address, d.Port, d.Error
	f.Reach, f.Subject = event.Reach(d), d.Address
	f.Resolver = lineage.ToResolver(d) && d.Family != "dns"
	f.Registry = f.Phase == string(mcpsf.PhaseInstall) && (f.Resolver || lineage.ToGateway(d))
	f.Unseen = e.Kind == mcpsf.KindNetConnect && r.Traffic.sunk[r.Box]
	switch {
	case d.Family == "dns":
		f.Reach, f.Subject, f.What, f.Host = "remote", d.Name, d.Type, hostname.Canonical(d.Name)
	case d.Family == "http": // refused by the gateway
		f.Reach, f.Subject, f.What, f.Verb, f.Registry = "remote", d.Name, d.Type, d.Type, true
		f.Host = event.HostOfURL(d.Name)
	case d.Family != "unix":
		f.Named, f.What = d.Name, d.Type
		if f.Named == "" {
			f.Named = r.Traffic.names[d.Address]
		}
		f.Host = hostname.Canonical(f.Named)
		if f.Host == "" {
			f.Host = hostname.Canonical(d.Address)
		}
		if f.Subject = f.Host; d.Port != 0 {
			f.Subject = f.Host + " port " + strconv.Itoa(d.Port)
		}
		if f.Named != "" && !isMachine(d) {
			f.Reach = "remote"
		}
	}
}

// isMachine tells whether a connection is one of the machine with itself, under the name
// that every machine has for itself. Another name may lead there today, and elsewhere
// tomorrow.
func isMachine(d *mcpsf.NetDetail) bool { return d.Name == "localhost" && event.Reach(d) == "loopback" }

// strangers returns the recipients that occur in no argument of the call or of one that
// stored them, in no configuration and in no network answer. Recipients from the tool's schema are
// returned as proposed by the server.
func (r *Run) strangers(e *mcpsf.Event) (nobody, proposed []string) {
	var list []string
	switch {
	case e.SMTP != nil:
		for _, to := range e.SMTP.To[:min(len(e.SMTP.To), mail.MaxRecipients)] {
			list = append(list, mail.Addresses(to)...)
		}
	case e.HTTP != nil:
		list = mail.Recipients(e.HTTP)
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.Sort(list)
	c := r.Calls.ByID[e.Call]
	for _, address := range slices.Compact(list) {
		switch {
		case r.Declared.Config.Addresses[address] || r.Answers.addresses[address]:
		case c != nil && bytes.Contains(c.lower(), []byte(address)):
			if c.imposes(address) {
				proposed = append(proposed, address)
			}
		case c != nil && r.Calls.Memory.addresses[address]:
		default:
			nobody = append(nobody, address)
		}
	}
	return nobody[:min(len(nobody), mostStrangers)], proposed[:min(len(proposed), mostStrangers)]
}

// mostStrangers bounds the recipients that a rule sees.
// no gap: they are those that nobody named, and one is enough
const mostStrangers = 32

// signsIn tells whether a credential is in the Authorization header of a request
// to a configured host, by a server named after the credential's service.
// Example: an S3-compatible store is used with AWS keys.
func (r *Run) signsIn(f *event.Fields) bool {
	claim, ok := r.Declared.Hosts.Hosts.Find(f.Host)
	return ok && claim.By == declared.ByConfiguration && strings.EqualFold(f.Part, "header Authorization") && r.Declared.Purpose.Covers(f.Phase, f.Subject)
}
