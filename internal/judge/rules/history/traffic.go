package history

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Bounds on what is remembered of the network.
const (
	// maxSpread is how many hosts are remembered for one piece of data.
	// no gap: that many hosts are a finding already
	maxSpread = 16
	// maxSent is how many texts of calls are remembered with where they went, and how
	// many requests with the texts in them. A large server is called thousands of
	// times in all its starts, with a few texts each.
	// gap: rule-memory
	maxSent = 100_000
	// maxTexts is how many texts of one call are looked for in its requests.
	// gap: rule-memory
	maxTexts = 512
	// maxLookups is how many requests of one call are compared with its arguments.
	// gap: rule-memory
	maxLookups = 1000
)

// Traffic holds what was sent to the network in the whole run. It is collected
// before the rules run, because a copy of data may be sent before the original
// goes to the legitimate host.
type Traffic struct {
	// names are the host names by address: fake addresses differ in each run.
	names map[string]string
	// sunk are the sandboxes on the fake network. There the kernel's connect
	// event adds nothing to the network's flow event.
	sunk map[int]bool
	// Hosts are all hosts that were contacted.
	Hosts map[string]bool
	// Sent lists the hosts that received each piece of known data.
	Sent map[SentKey][]string
	// Carried are the caller's texts in each request, by event.
	Carried map[int64][]string
	// Credentials are the requests with a text of the caller that is a password,
	// a token or a key, by event.
	Credentials map[int64]bool
	// dropped is the bound that was reached if a call made more requests, or has
	// more texts, than are compared.
	dropped int
	tunnels map[string]*tunnel
	beacons map[string]*beat
}

// SentKey identifies a piece of known data. The caller's words are told apart by
// call, because another call may contain the same words. Data with a unique mark
// is the same everywhere, and a copy may be kept for later.
type SentKey struct {
	Box   int
	Call  string
	Thing string
}

func newTraffic() *Traffic {
	return &Traffic{
		names: map[string]string{}, sunk: map[int]bool{}, Hosts: map[string]bool{}, Sent: map[SentKey][]string{},
		Carried: map[int64][]string{}, Credentials: map[int64]bool{}, tunnels: map[string]*tunnel{}, beacons: map[string]*beat{},
	}
}

// foresee returns a function that adds an event.
func (t *Traffic) foresee() func(*mcpsf.Event) {
	box := 0
	requests := map[string]*mcpsf.MCPDetail{}
	calls := map[string]*caller{} // the calls during which an HTTP request was made
	return func(e *mcpsf.Event) {
		switch e.Kind {
		case mcpsf.KindSandboxStart:
			box++
			clear(requests)
			clear(calls)
		case mcpsf.KindMCPRequest:
			if e.MCP != nil && !e.MCP.FromServer && e.Call != "" && requests[e.Call] == nil {
				requests[e.Call] = e.MCP
			}
		case mcpsf.KindNetDNS:
			t.lookup(e)
		case mcpsf.KindNetHTTP, mcpsf.KindNetTLS, mcpsf.KindNetSMTP, mcpsf.KindNetFlow, mcpsf.KindCanaryLeak:
			t.contact(e, box)
		}
		if d := requests[e.Call]; e.HTTP != nil && d != nil {
			if calls[e.Call] == nil {
				calls[e.Call] = newCaller(d)
			}
			t.texts(e, box, calls[e.Call])
		}
	}
}

// contact adds contact with a host.
func (t *Traffic) contact(e *mcpsf.Event, box int) {
	d := e.Net
	if d == nil || d.Family == "http" {
		return
	}
	t.sunk[box] = t.sunk[box] || !isMachine(d) && (e.Kind == mcpsf.KindNetFlow || e.HTTP != nil || e.TLS != nil)
	host := hostname.Canonical(d.Name)
	if host == "" {
		host = hostname.Canonical(d.Address)
	} else if !isMachine(d) && len(t.names) < lex.MaxListed {
		t.names[d.Address] = d.Name
	}
	if len(t.Hosts) < hostname.MaxHosts {
		t.Hosts[host] = true
	}
	if e.Leak != nil && e.Leak.Channel != mcpsf.ChannelDNS {
		t.note(leakKey(box, e), host)
	}
	if e.Kind == mcpsf.KindNetFlow || e.Kind == mcpsf.KindNetHTTP {
		t.beat(host, e)
	}
}

// leakKey identifies the data of a leak.
func leakKey(box int, e *mcpsf.Event) SentKey {
	if e.Leak.Given {
		return SentKey{box, "", "given " + e.Leak.ID}
	}
	return SentKey{Thing: "configured " + e.Leak.ID}
}

func (t *Traffic) note(key SentKey, host string) {
	list := t.Sent[key]
	if len(list) >= maxSpread || len(t.Sent) >= maxSent {
		return
	}
	if !slices.Contains(list, host) {
		t.Sent[key] = append(list, host)
	}
}
