package history

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Bounds on what is remembered of the network.
const (
	maxSpread  = 16
	maxTexts   = 16
	maxLookups = 64
)

// Traffic is what the whole run said to the network, collected before the
// rules look at the first event: the copy of what is sent to an honest host
// may go out before the original.
type Traffic struct {
	// names are those that addresses were handed out for: the addresses are
	// made up and others in the next run.
	names map[string]string
	// sunk are the sandboxes whose connections are told by the network itself:
	// there a connection of the kernel's says nothing that the flow does not.
	sunk map[int]bool
	// Hosts are all that were spoken to.
	Hosts map[string]bool
	// Sent is where each thing that was recognised went.
	Sent map[SentKey][]string
	// Carried are the texts of the caller's that a request carried.
	Carried map[int64][]string
	tunnels map[string]*tunnel
	beacons map[string]*beat
}

// SentKey is a thing that was recognised. Words of the caller's are told apart
// by call, because they may be the same in the next. What has a mark of its
// own is the same wherever it turns up, and a copy may be kept for later.
type SentKey struct {
	Box   int
	Call  string
	Thing string
}

func newTraffic() *Traffic {
	return &Traffic{
		names: map[string]string{}, sunk: map[int]bool{}, Hosts: map[string]bool{}, Sent: map[SentKey][]string{},
		Carried: map[int64][]string{}, tunnels: map[string]*tunnel{}, beacons: map[string]*beat{},
	}
}

// foresee takes in all events.
func (t *Traffic) foresee(tools *declared.Tools) func(*mcpsf.Event) {
	box := 0
	requests := map[string]*mcpsf.MCPDetail{}
	calls := map[string]*caller{} // those that a request was made for
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
				calls[e.Call] = newCaller(d, tools)
			}
			t.texts(e, box, calls[e.Call])
		}
	}
}

// contact takes in what was said to a host.
func (t *Traffic) contact(e *mcpsf.Event, box int) {
	d := e.Net
	if d == nil || d.Family == "http" {
		return
	}
	t.sunk[box] = t.sunk[box] || e.Kind == mcpsf.KindNetFlow || e.HTTP != nil || e.TLS != nil
	host := hostname.Canonical(d.Name)
	if host == "" {
		host = hostname.Canonical(d.Address)
	} else if len(t.names) < lex.MaxListed {
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

// leakKey is what a leak is a leak of.
func leakKey(box int, e *mcpsf.Event) SentKey {
	if e.Leak.Given {
		return SentKey{box, "", "given " + e.Leak.ID}
	}
	return SentKey{Thing: "configured " + e.Leak.ID}
}

func (t *Traffic) note(key SentKey, host string) {
	list := t.Sent[key]
	if len(list) >= maxSpread || len(t.Sent) >= lex.MaxListed {
		return
	}
	if !slices.Contains(list, host) {
		t.Sent[key] = append(list, host)
	}
}
