package html

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the network: contacts and names that are kept, lines of the table,
// and entries on either side of the map.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxHeard    = 5000
	maxContacts = 100
	maxPeers    = 14
)

type networkView struct {
	Rows []contact
	More int
	Map  netMap
	// Names are those that were resolved and never contacted.
	Names     []string
	MoreNames int
}

// contact is the traffic between one caller and one host.
type contact struct {
	Who, Host string
	Procs     string
	Services  string
	Count     int64
	Sent      string
	Received  string
	// State is its look on the map: "explained", "unexplained", or "attack" if
	// it occurred only under attack. Leak is set if secrets were sent.
	State  string
	Reason string
	Leaks  []string
	// Failed is why the host was not reached.
	Failed string

	sent, received  int64
	procs, services []string
}

type contactKey struct{ who, host string }

// dnsPort is the port of name servers.
const dnsPort = 53

// contacts are all contacts, and the names that were resolved.
type contacts struct {
	order []*contact
	known map[contactKey]*contact
	// reached are those to a host on any port.
	reached map[contactKey][]*contact
	names   []string
	// spoken are names that were resolved, true if they were contacted.
	spoken map[string]bool
}

// networkSection shows who contacted which host.
type networkSection struct{ *index }

func (b networkSection) network() networkView {
	all := &contacts{known: make(map[contactKey]*contact), reached: make(map[contactKey][]*contact), spoken: make(map[string]bool)}
	for i := range b.Events {
		b.overhear(all, &b.Events[i])
	}
	b.explain(all.order)
	slices.SortStableFunc(all.order, func(x, y *contact) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(y.sent+y.received, x.sent+x.received))
	})
	view := networkView{More: max(len(all.order)-maxContacts, 0), Map: b.drawNetwork(all.order)}
	for _, t := range firstOf(all.order, maxContacts) {
		view.Rows = append(view.Rows, b.finish(t))
	}
	silent := slices.DeleteFunc(all.names, func(name string) bool { return all.spoken[name] })
	for _, name := range firstOf(silent, maxPeers) {
		view.Names = append(view.Names, b.line(name, maxName))
	}
	view.MoreNames = len(silent) - len(view.Names)
	return view
}

// overhear adds an event to its contact.
func (b networkSection) overhear(all *contacts, e *mcpsf.Event) {
	switch {
	case e.Leak != nil:
		for _, t := range all.reached[contactKey{b.caller(e), e.Leak.Destination}] {
			b.leaked(t, e.Leak)
		}
	case e.Net == nil || e.Net.Family == "unix" || e.Kind == mcpsf.KindNetListen:
	case e.Kind == mcpsf.KindNetDNS:
		if _, known := all.spoken[e.Net.Name]; !known && len(all.names) < maxHeard {
			all.spoken[e.Net.Name] = false
			all.names = append(all.names, e.Net.Name)
		}
	case e.Net.Port == dnsPort && e.Net.Type == "dgram": // the resolver
	default:
		all.spoken[e.Net.Name] = true
		k := contactKey{b.caller(e), peer(e.Net)}
		t := all.known[k]
		if t == nil {
			if len(all.order) == maxHeard {
				return
			}
			t = &contact{Who: k.who, Host: k.host}
			all.known[k] = t
			all.order = append(all.order, t)
			for _, host := range []string{k.host, cmp.Or(e.Net.Name, e.Net.Address)} {
				all.reached[contactKey{k.who, host}] = append(all.reached[contactKey{k.who, host}], t)
			}
		}
		b.spoke(t, e)
	}
}

// peer returns the other end.
func peer(d *mcpsf.NetDetail) string {
	host := cmp.Or(d.Name, d.Address)
	if d.Port == 0 {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(d.Port))
}

// spoke adds an event to a contact.
func (b networkSection) spoke(t *contact, e *mcpsf.Event) {
	if proc := e.Proc; proc != "" && len(t.procs) < 8 && !slices.Contains(t.procs, proc) {
		t.procs = append(t.procs, proc)
	}
	if e.Kind == mcpsf.KindNetConnect && e.Net.Type != "dgram" {
		t.Count += max(e.Count, 1)
		if e.Net.Error != "" && e.Net.Error != "EINPROGRESS" {
			t.Failed = b.line(e.Net.Error, 60)
		}
	}
	if f := e.Flow; f != nil {
		t.sent += f.Sent
		t.received += f.Received
		if s := cmp.Or(f.Service, f.Protocol); s != "" && len(t.services) < 8 && !slices.Contains(t.services, s) {
			t.services = append(t.services, s)
		}
	}
}

// leaked records that known data was sent.
func (b networkSection) leaked(t *contact, d *mcpsf.LeakDetail) {
	source := b.line(d.Source, maxName)
	if !slices.Contains(t.Leaks, source) && len(t.Leaks) < 8 {
		t.Leaks = append(t.Leaks, source)
	}
}

// explain looks up what explains each contact, or that nothing does.
func (b networkSection) explain(contacts []*contact) {
	why := make(map[contactKey]mcpsf.Explanation)
	for _, a := range b.Report.Accesses {
		if a.Kind == mcpsf.AccessHost {
			why[contactKey{a.Tool, a.Name}] = a.Explanation
		}
	}
	for _, t := range contacts {
		e, ok := why[contactKey{t.Who, t.Host}]
		if !ok && (strings.HasPrefix(t.Who, "phase ") || strings.Contains(t.Who, "/")) {
			e, ok = why[contactKey{"", t.Host}]
		}
		switch {
		case !ok:
			t.State, t.Reason = "attack", "not judged as an access"
		case e.By == mcpsf.ByNobody:
			t.State, t.Reason = "unexplained", b.line(e.Reason, maxLine)
		default:
			t.State, t.Reason = "explained", b.line(e.Reason, maxLine)
		}
	}
}

// rank orders contacts: what needs attention comes first.
func rank(t *contact) int {
	switch {
	case len(t.Leaks) > 0:
		return 0
	case t.State == "unexplained":
		return 1
	case t.State == "explained":
		return 2
	}
	return 3
}

func (b networkSection) finish(t *contact) contact {
	out := *t
	out.Who, out.Host = b.line(t.Who, maxName), b.line(t.Host, maxName)
	out.Procs, out.Services = b.line(strings.Join(t.procs, ", "), maxName), b.line(strings.Join(t.services, ", "), maxName)
	out.Sent, out.Received = b.Size(t.sent), b.Size(t.received)
	return out
}
