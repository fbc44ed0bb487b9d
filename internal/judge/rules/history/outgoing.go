package history

import (
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Outgoing counts, for each domain, the bytes in which the server could have
// sent data since it was started.
type Outgoing struct {
	bytes map[string]int64
	// names are the host names that were looked up: the same name again tells
	// nothing new.
	names map[string]bool
	// inCall are the bytes of the current call, by domain.
	call   string
	inCall map[string]int64
}

func newOutgoing() *Outgoing {
	return &Outgoing{bytes: map[string]int64{}, names: map[string]bool{}, inCall: map[string]int64{}}
}

func (o *Outgoing) restart() {
	clear(o.bytes)
	clear(o.names)
	clear(o.inCall)
}

// see adds an event of a domain.
func (o *Outgoing) see(e *mcpsf.Event, domain string) {
	n := room(e, domain)
	if e.Call != o.call {
		o.call = e.Call
		clear(o.inCall)
	}
	if e.Kind == mcpsf.KindNetDNS && e.Net != nil {
		name := hostname.Canonical(e.Net.Name)
		if o.names[name] || len(o.names) >= lex.MaxListed {
			return
		}
		o.names[name] = true
	}
	if n > 0 && (o.bytes[domain] > 0 || len(o.bytes) < lex.MaxListed) {
		o.bytes[domain] += n * max(1, e.Count)
		o.inCall[domain] += n * max(1, e.Count)
	}
}

// domainOf returns the domain that an event of the network is about.
func (r *Run) domainOf(e *mcpsf.Event) string {
	f := event.Fields{OriginFields: event.OriginFields{Kind: string(e.Kind), Phase: string(e.Phase)}}
	r.describeNet(e, &f)
	return r.Domains.Of(f.Host).Name
}

// To returns how many bytes went to the domain of an event so far, itself
// included.
func (o *Outgoing) To(f *event.Fields) int { return int(min(o.bytes[f.Domain], 1<<30)) }

// InCall is [Outgoing.To] for the call of an event alone.
func (o *Outgoing) InCall(f *event.Fields) int { return int(min(o.inCall[f.Domain], 1<<30)) }

// room returns how many bytes of an event the sender could choose.
func room(e *mcpsf.Event, domain string) int64 {
	switch {
	case e.Kind == mcpsf.KindNetDNS && e.Net != nil:
		return int64(len(strings.TrimSuffix(hostname.Canonical(e.Net.Name), domain)))
	case e.HTTP != nil:
		return e.HTTP.Size + int64(len(afterHost(e.HTTP.URL))) + ownHeaders(e.HTTP.Headers)
	case e.SMTP != nil:
		return e.SMTP.Size
	case e.Flow != nil && !strings.HasSuffix(e.Flow.Service, "http") && e.Flow.Service != "tls":
		return e.Flow.Sent
	}
	return 0
}

// afterHost returns the path and query of an address.
func afterHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.TrimPrefix(u.RequestURI(), "/")
}

// ownHeaders returns the length of the headers that no client sends by itself.
func ownHeaders(list []mcpsf.HTTPHeader) int64 {
	n := 0
	for _, h := range list {
		switch strings.ToLower(h.Name) {
		case "host", "accept", "accept-encoding", "accept-language", "connection", "content-length", "content-type", "user-agent",
			"transfer-encoding", "sec-fetch-mode":
		default:
			n += len(h.Value)
		}
	}
	return int64(n)
}
